import { createHash } from 'node:crypto';
import type { Engine, WireAnswer, WireFault } from '../mutant.ts';
import { agents, drives, filesIn, idsOf, mcpServers, treesOf } from '../mutants/patch-store.ts';
import { answerWith, basePath, operationIdOf, passOn, pathOf, withBody, write } from '../mutants/wire-faults.ts';
import { hasValidKey, type Oddity } from './oddity.ts';

/** How an id is spelt on the wire, and how one that was sent is read; undefined where it is no id of this server. */
interface Spelling {
  spell(id: string): string;
  read?(sent: string): string | undefined;
}

/** Other ids on the wire than behind it, both ways, in addresses and in bodies. */
function spelt({ spell, read }: Spelling): (engine: Engine) => WireFault {
  return (engine) => {
    const behind = new Map(idsOn(engine).map((id) => [spell(id), id]));
    const note = (id: string) => {
      behind.set(spell(id), id);
      return spell(id);
    };
    return async (request, response, forward) => {
      const url = request.url ?? '';
      const path = pathOf(url);
      const segments = path
        .slice(basePath.length)
        .split('/')
        .map((segment) => {
          const sent = decodeURIComponent(segment);
          const id = behind.get(sent) ?? read?.(sent);
          return id === undefined ? segment : encodeURIComponent(id);
        });
      const answer = await forward({ path: basePath + segments.join('/') + url.slice(path.length) });
      write(response, respell(answer, note));
    };
  };
}

function idsOn(engine: Engine): string[] {
  const files = treesOf(engine).flatMap(({ tree }) => filesIn(tree).map(({ id }) => id));
  return [...idsOf(engine, agents), ...idsOf(engine, drives), ...idsOf(engine, mcpServers), ...files];
}

function respell(answer: WireAnswer, spell: (id: string) => string): WireAnswer {
  if (answer.body === '' || answer.status >= 300) return answer;
  const body = JSON.stringify(JSON.parse(answer.body), (name, value) => (name === 'id' ? spell(String(value)) : value));
  return withBody(answer, body);
}

/** The fixtures with ids as they are spelt on the wire. */
function speltFixtures(spell: (id: string) => string): NonNullable<Oddity['fixtures']> {
  return ({ agent, files = [], disposableFiles = [], mcpServer }) => {
    const both = ({ driveId, id }: { driveId: string; id: string }) => ({ driveId: spell(driveId), id: spell(id) });
    return {
      ...(agent === undefined ? {} : { agent: { ...agent, id: spell(agent.id) } }),
      files: files.map(both),
      disposableFiles: disposableFiles.map(both),
      ...(mcpServer === undefined ? {} : { mcpServer: { id: spell(mcpServer.id) } }),
    };
  };
}

function speltIds(spelling: Spelling): {
  wire: (engine: Engine) => WireFault;
  fixtures: NonNullable<Oddity['fixtures']>;
} {
  return { wire: spelt(spelling), fixtures: speltFixtures(spelling.spell) };
}

const unprocessable = answerWith(422, { 'content-type': 'application/json' }, '{"message":"malformed id"}');

/** Ids that are not of the one form of this server are refused before anything is looked for. */
function strictIds(form: RegExp, inner: (engine: Engine) => WireFault): (engine: Engine) => WireFault {
  return (engine) => {
    const fault = inner(engine);
    return (request, response, forward) => {
      const [, , id] = pathOf(request.url ?? '')
        .slice(basePath.length)
        .split('/');
      const isMalformed =
        operationIdOf(request) !== undefined && id !== undefined && !form.test(decodeURIComponent(id));
      return isMalformed && hasValidKey(engine, request)
        ? unprocessable(request, response, forward)
        : fault(request, response, forward);
    };
  };
}

const version7 = { spell: (id: string) => `${id.slice(0, 14)}7${id.slice(15)}` };
// Only the part before the first word counts.
const speaking = {
  spell: (id: string) => `${id}.ticket-desk`,
  read: (sent: string) => /^(.*)\.ticket-/.exec(sent)?.[1],
};
const hash = (id: string) => createHash('sha512').update(id).digest('base64').slice(0, 22);

/** Ids of unusual forms. */
export const spellings: Record<string, Oddity> = {
  'ids-with-all-kinds-of-characters': {
    why: 'Section 2: the format of ids is not shown.',
    ...speltIds({ spell: (id) => `a/b c%2Fü+?#&=;:@🚀${id}` }),
  },
  'ids-in-capitals': {
    why: 'Section 2: the format of ids is not shown.',
    ...speltIds({ spell: (id) => id.toUpperCase() }),
  },
  'ids-like-hashes': { why: 'Section 2: the format of ids is not shown.', ...speltIds({ spell: hash }) },
  'ids-with-a-speaking-tail': {
    why: 'Section 2: the format of ids is not shown; a part of them may be there for people only.',
    ...speltIds(speaking),
  },
  'ids-of-version-7-only': {
    why: 'Sections 2 and 7: the format of ids is not shown, nor what answers a malformed one.',
    mayWarn: ['listMcpServerTools.malformed-id'],
    ...speltIds(version7),
    wire: strictIds(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/, spelt(version7)),
  },
  'ids-of-another-form-are-unprocessable': {
    why: 'Section 7: what answers a malformed id is not shown; for an MCP server it is another word for not found.',
    mayWarn: ['listMcpServerTools.malformed-id'],
    wire: strictIds(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, () => passOn),
  },
};
