import type { IncomingMessage } from 'node:http';
import { loadDocument } from '../../../openapi/contract/load.ts';
import { type OperationId, operationsOf } from '../../../openapi/contract/operations.ts';
import { member, parseJson } from '../../../openapi/reading/messages.ts';
import type { Engine, WireFault } from '../mutant.ts';
import { treesOf } from '../mutants/patch-store.ts';
import { changeStatus, isRefusal, isSuccess, operationIdOf, withBody, write } from '../mutants/wire-faults.ts';
import { hasValidKey, type Oddity } from './oddity.ts';

/** Refuses what a valid caller sends in a field or the query, before the mock hears of it, when it is not to its taste. */
function refuse(
  operations: readonly OperationId[],
  status: number,
  isRefused: (sent: Sent, engine: Engine) => boolean,
): (engine: Engine) => WireFault {
  return (engine) => async (request, response, forward) => {
    const operation = operationIdOf(request);
    if (operation === undefined || !operations.includes(operation) || !hasValidKey(engine, request)) {
      return write(response, await forward());
    }
    // The body is seen on its way: what is refused is sent on as something that the mock refuses as well.
    let isHit = isRefused(sentIn(request, ''), engine);
    const answer = await forward({
      body: (sent) => {
        isHit ||= isRefused(sentIn(request, sent), engine);
        return isHit ? 'refused' : sent;
      },
      ...(isHit ? { path: '/v0.1/refused' } : {}),
    });
    const refused = { status, headers: { 'content-type': 'application/json' }, body: '{"message":"not like this"}' };
    write(response, isHit ? refused : answer);
  };
}

/** What was sent: the fields of the body, and the tree of a deletion. */
interface Sent {
  name?: string;
  url?: string;
  path?: string;
  fileId: string;
}

function sentIn({ url = '' }: IncomingMessage, body: string): Sent {
  const query = new URL(url, 'http://localhost').searchParams.get('path');
  const fields = body === '' ? {} : (JSON.parse(body) as Partial<Sent>);
  return { ...(query === null ? {} : { path: query }), ...fields, fileId: url.split('/').at(-1) ?? '' };
}

const creations: readonly OperationId[] = ['createDrive', 'createMcpServer'];
const paths: readonly OperationId[] = ['updateDriveFile', 'deleteDriveTree'];

/** A rule for names, which other requests do not have. */
function names(isAccepted: (name: string) => boolean): (sent: Sent) => boolean {
  return ({ name }) => name !== undefined && !isAccepted(name);
}

function segmentsOf({ path = '' }: Sent): string[] {
  return path.split('/').slice(1);
}

function extensionOf(path: string): string {
  return /[^/.](\.[^/.]*)$/.exec(path)?.[1] ?? '';
}

function pathOnServer(engine: Engine, id: string): string | undefined {
  return treesOf(engine)
    .flatMap(({ tree }) => tree.find(id) ?? [])
    .at(0)?.path;
}

/** Answers unknown things of some operations with another code than 404. */
function unknownAs(operations: readonly OperationId[], status: number): WireFault {
  return changeStatus(
    (from, request) => from === 404 && operations.includes(operationIdOf(request) as OperationId),
    status,
  );
}

/** Refuses to publish a revision that was published before. */
function publishedOnce(status: number): (engine: Engine) => WireFault {
  return (engine) => {
    const published = new Set<string>();
    return async (request, response, forward) => {
      const answer = await forward();
      const { url = '' } = request;
      const isPublication = operationIdOf(request) === 'publishAgentRevision' && hasValidKey(engine, request);
      if (!isPublication || !isSuccess(answer.status)) return write(response, answer);
      if (published.has(url)) return write(response, withBody({ ...answer, status }, '{"message":"no longer"}'));
      published.add(url);
      write(response, answer);
    };
  };
}

/** Fails for a body that is not JSON, lacks a field, or has a value of another type in one; changes nothing then. */
function failForBadBodies(): (engine: Engine) => WireFault {
  return (engine) => async (request, response, forward) => {
    const fields = bodyFields.get(operationIdOf(request) ?? 'listAgents') ?? [];
    if (fields.length === 0 || !hasValidKey(engine, request)) return write(response, await forward());
    let isBad = false;
    const body = (sent: string) => {
      const value = parseJson(sent)?.value;
      isBad = fields.some((field) => typeof member(value, field) !== 'string');
      return isBad ? 'bad' : sent;
    };
    const answer = await forward({ body });
    write(response, isBad ? withBody({ ...answer, status: 500 }, '{"message":"it threw"}') : answer);
  };
}

const bodyFields = new Map(operationsOf(loadDocument()).map((one) => [one.operationId, one.bodyFields]));

const allFour: readonly OperationId[] = ['publishAgentRevision', 'getDriveFile', 'updateDriveFile', 'deleteDriveTree'];

/** Servers that refuse more than others, or in another way. */
export const strict: Record<string, Oddity> = {
  'names-of-at-most-64-characters': {
    why: 'Section 2: the length bounds of names are not shown.',
    wire: refuse(creations, 400, ({ name = '' }) => name.length > 64),
  },
  'names-of-at-most-32-characters': {
    why: 'Section 2: the length bounds of names are not shown.',
    wire: refuse(creations, 400, ({ name = '' }) => name.length > 32),
  },
  'names-of-letters-digits-and-hyphens': {
    why: 'Section 2: the format of names is not shown.',
    wire: refuse(creations, 422, ({ name }) => name !== undefined && !/^[a-z][a-z0-9-]{2,62}$/.test(name)),
  },
  'names-of-at-most-24-characters': {
    why: 'Section 2: the length bounds of names are not shown.',
    wire: refuse(creations, 400, ({ name = '' }) => name.length > 24),
  },
  'names-of-at-most-16-characters': {
    why: 'Section 2: the length bounds of names are not shown.',
    wire: refuse(creations, 422, ({ name = '' }) => name.length > 16),
  },
  'names-of-at-least-40-characters': {
    why: 'Section 2: the length bounds of names are not shown.',
    wire: refuse(
      creations,
      422,
      names((name) => name.length >= 40),
    ),
  },
  'names-of-letters': {
    why: 'Section 2: the format of names is not shown.',
    wire: refuse(
      creations,
      400,
      names((name) => /^[a-z]+$/i.test(name)),
    ),
  },
  'names-of-small-letters': {
    why: 'Section 2: the format of names is not shown.',
    wire: refuse(
      creations,
      400,
      names((name) => /^[a-z]{3,20}$/.test(name)),
    ),
  },
  'long-names-of-letters': {
    why: 'Section 2: neither the format nor the length of names is shown.',
    wire: refuse(
      creations,
      400,
      names((name) => /^[a-z]{40,64}$/i.test(name)),
    ),
  },
  'names-without-hyphen': {
    why: 'Section 2: the format of names is not shown.',
    wire: refuse(
      creations,
      422,
      names((name) => !name.includes('-')),
    ),
  },
  'names-end-with-a-letter': {
    why: 'Section 2: the format of names is not shown.',
    wire: refuse(
      creations,
      403,
      names((name) => /[a-z]$/i.test(name)),
    ),
  },
  'names-begin-with-a-capital': {
    why: 'Section 2: the format of names is not shown.',
    wire: refuse(
      creations,
      409,
      names((name) => /^[A-Z]/.test(name)),
    ),
  },
  'names-of-several-words': {
    why: 'Section 2: the format of names is not shown.',
    wire: refuse(
      creations,
      422,
      names((name) => /^[A-Z]\w+( \w+)+$/.test(name)),
    ),
  },
  'urls-of-an-allow-list-403': {
    why: 'Section 4.8: which URLs are accepted is not shown, nor what answers others.',
    wire: refuse(['createMcpServer'], 403, ({ url }) => url !== undefined && !/tickets|warehouse/.test(url)),
  },
  'urls-of-an-allow-list-451': {
    why: 'Section 4.8: which URLs are accepted is not shown, nor what answers others.',
    wire: refuse(['createMcpServer'], 451, ({ url }) => url !== undefined && !/tickets|warehouse/.test(url)),
  },
  'no-url-is-allowed': {
    why: 'Section 4.8: which URLs are accepted is not shown; all of them may have to be approved first.',
    wire: refuse(['createMcpServer'], 403, ({ url }) => url !== undefined),
  },
  'short-names-and-listed-urls': {
    why: 'Section 2: neither the length of names nor which URLs are accepted is shown.',
    wire: refuse(
      ['createMcpServer'],
      400,
      ({ name, url }) => url !== undefined && (Number(name?.length) > 16 || !/tickets|warehouse/.test(url)),
    ),
  },
  'urls-are-tried-first': {
    why: 'Section 4.8: which URLs are accepted is not shown; one that does not answer may be refused.',
    wire: refuse(['createMcpServer'], 422, ({ url }) => url !== undefined && !/tickets|warehouse/.test(url)),
  },
  'bad-bodies-are-500': {
    why: 'Section 7: which status a request gets whose body is not as stated is not shown; a 5xx only warns.',
    mayWarn: ['*.no-server-error'],
    wire: failForBadBodies(),
  },
  'a-revision-is-published-once-403': {
    why: 'Section 7: what answers the publication of a revision that is active is not shown.',
    wire: publishedOnce(403),
  },
  'a-revision-is-published-once-404': {
    why: 'Section 7: what answers the publication of a revision that is active is not shown.',
    wire: publishedOnce(404),
  },
  'few-characters-on-paths': {
    why: 'Section 4.6 states two bounds of a path; which characters a file system takes is not shown.',
    wire: refuse(paths, 400, ({ path = '' }) => /[*%+\p{Emoji_Presentation}\\]/u.test(path)),
  },
  'no-percent-signs-on-paths': {
    why: 'Section 4.6 states two bounds of a path; which characters a file system takes is not shown.',
    wire: refuse(paths, 400, ({ path = '' }) => path.includes('%')),
  },
  'files-keep-their-extension': {
    why: 'Section 7: what answers a move that would change the type of a file is not shown.',
    wire: refuse(['updateDriveFile'], 422, ({ path, fileId }, engine) => {
      const now = pathOnServer(engine, fileId);
      return path !== undefined && now !== undefined && extensionOf(now) !== extensionOf(path);
    }),
  },
  'three-directories-at-most': {
    why: 'Section 8: no bound of the depth of a path is shown, nor that there is none.',
    wire: refuse(['updateDriveFile'], 400, (sent) => segmentsOf(sent).length > 4),
  },
  'paths-of-at-most-80-characters': {
    why: 'Section 8: no bound of the length of a path is shown, nor that there is none.',
    wire: refuse(paths, 400, ({ path = '' }) => path.length > 80),
  },
  'no-files-at-the-root': {
    why: 'Section 7: which places a file may be moved to is not shown.',
    wire: refuse(['updateDriveFile'], 409, (sent) => sent.path !== undefined && segmentsOf(sent).length < 2),
  },
  'directories-have-to-exist': {
    why: 'Section 7: which places a file may be moved to is not shown.',
    profile: { moveTargets: 'strict', 'errorStatus.conflict': 404 },
  },
  'a-deleted-file-is-410': {
    why: 'Section 7: what answers for something that is gone is not shown.',
    wire: () => unknownAs(['getDriveFile'], 410),
  },
  'what-is-unknown-is-403': {
    why: 'Section 7: what answers for something that does not exist is not shown.',
    wire: () => unknownAs(allFour, 403),
  },
  'what-is-unknown-is-401': {
    why: 'Section 7: what answers for something that does not exist is not shown; 401 tells least.',
    wire: () => unknownAs(allFour, 401),
  },
  'every-refusal-is-401': {
    why: 'Section 7: which code a refusal has is shown for the tools only.',
    wire: () =>
      changeStatus((status, request) => isRefusal(status) && operationIdOf(request) !== 'listMcpServerTools', 401),
  },
  'every-refusal-is-500-but-for-the-key': {
    why: 'Section 7: which code a refusal has is not shown; a poor choice, but none that the text forbids.',
    mayWarn: ['*.no-server-error'],
    wire: () => unknownAs(allFour, 500),
  },
};
