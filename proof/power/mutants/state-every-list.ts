import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Answer } from '../../../src/engine/call.ts';
import type { Break, Mutant } from '../mutant.ts';
import { asOrganization, onCallersOf, otherThan } from './patch.ts';
import { changeListed, mcpServers } from './patch-store.ts';
import { table, wireTable } from './table.ts';
import { withBody, write } from './wire-faults.ts';

/** Answers every fourth list to the caller as another organization would be answered. */
function mixUp(operation: OperationId): Break {
  return (started) => {
    let count = 0;
    onCallersOf(operation, (call, sound, caller, engine) => {
      const isHit = ++count % 4 === 0;
      return sound.answer(isHit ? asOrganization(engine, call, otherThan(caller, engine)) : call);
    })(started);
  };
}

/** Names another owner in every fourth list. */
function rename(operation: OperationId): Break {
  return (started) => {
    let count = 0;
    onCallersOf(operation, (call, sound, caller, engine) => {
      const answer = sound.answer(call);
      return ++count % 4 === 0 ? withText(answer, caller.id, otherThan(caller, engine).id) : answer;
    })(started);
  };
}

function withText(answer: Answer, was: string, now: string): Answer {
  return answer.body === undefined ? answer : { ...answer, body: answer.body.replaceAll(was, now) };
}

const owners: readonly Mutant[] = [
  ...table('isolation', 'engine', {
    'listAgents.hides-other-organization.each-answer: every-fourth-list-of-agents-is-that-of-others': [
      'Every fourth answer to GET /agents is the list of another organization.',
      mixUp('listAgents'),
    ],
    'listMcpServers.hides-other-organization.each-answer: every-fourth-list-of-mcp-servers-is-that-of-others': [
      'Every fourth answer to GET /mcp-servers is the list of another organization.',
      mixUp('listMcpServers'),
    ],
    'listDrives.hides-other-organization.each-answer: drives-without-a-query-are-those-of-others': [
      'Without query parameters GET /drives lists the drives of the last organization, whoever asks.',
      onCallersOf('listDrives', (call, sound, _, engine) =>
        sound.answer(call.query === '' ? asOrganization(engine, call, engine.store.organizations.at(-1)) : call),
      ),
    ],
    'listDrives.items-name-one-organization.each-answer: every-fourth-list-of-drives-names-another-owner': [
      'In every fourth answer to GET /drives another organization is the owner of the drives.',
      rename('listDrives'),
    ],
    'listMcpServers.items-name-one-organization.each-answer: every-fourth-list-of-mcp-servers-names-another-owner': [
      'In every fourth answer to GET /mcp-servers another organization is the owner of the MCP servers.',
      rename('listMcpServers'),
    ],
  }),
  ...table('isolation', 'store', {
    'listMcpServers.same-organization-as-drives: mcp-servers-name-their-owner-in-capitals': [
      'The organizationId of a listed MCP server is in capitals, that of a drive is not.',
      changeListed(mcpServers, (all) =>
        all.map((one) => ({ ...one, organizationId: one.organizationId.toUpperCase() })),
      ),
    ],
  }),
];

/** What says that nothing is new, to a client that has nothing. */
const unchanged: readonly Mutant[] = wireTable('status', {
  'listAgents.status-is-200: list-agents-answers-304-now-and-then': [
    'A cache answers every fourth GET /agents with 304, although nobody asked whether anything is new.',
    () => {
      let count = 0;
      return async (_, response, forward) => {
        const answer = await forward();
        write(response, ++count % 4 === 0 ? { ...withBody(answer, ''), status: 304 } : answer);
      };
    },
  ],
});

export const stateOfEveryList: readonly Mutant[] = [...owners, ...unchanged];
