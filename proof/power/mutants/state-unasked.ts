import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Answer, Call } from '../../../src/engine/call.ts';
import type { Break, Mutant } from '../mutant.ts';
import { isSuccess, onCallersOf } from './patch.ts';
import { agents, changeListed, drives, type Listed, mcpServers, type ShelfOf, sequence } from './patch-store.ts';
import { table } from './table.ts';

/** What has to happen before the first thing of a list has another name. */
interface Event {
  rule: string;
  slug: string;
  said: string;
  operation: OperationId;
  isMeant(answer: Answer, call: Call): boolean;
}

const isBadBody = (_: Answer, { body }: Call) => ['{', 'null'].includes(new TextDecoder().decode(body));

const events: readonly Event[] = [
  {
    ...{ rule: 'creations', slug: 'a-creation', said: 'the first creation of a drive', operation: 'createDrive' },
    isMeant: isSuccess,
  },
  {
    ...{ rule: 'publications', slug: 'a-publication', said: 'a publication', operation: 'publishAgentRevision' },
    isMeant: isSuccess,
  },
  { ...{ rule: 'moves', slug: 'a-move', said: 'a move of a file', operation: 'updateDriveFile' }, isMeant: isSuccess },
  {
    ...{ rule: 'deletions', slug: 'a-deletion', said: 'a deletion of a tree', operation: 'deleteDriveTree' },
    isMeant: isSuccess,
  },
  {
    ...{ rule: 'refused-requests', slug: 'a-bad-body', said: 'a creation whose body is no object' },
    ...{ operation: 'createDrive', isMeant: isBadBody },
  },
];

function renameFirstAfter<T extends Listed>(shelfOf: ShelfOf<T>, { operation, isMeant }: Event): Break {
  let hasHappened = false;
  return sequence(
    () => {
      hasHappened = false;
    },
    onCallersOf(operation, (call, sound) => {
      const answer = sound.answer(call);
      hasHappened ||= isMeant(answer, call);
      return answer;
    }),
    changeListed(shelfOf, ([first, ...rest]) => {
      if (first === undefined) return [];
      return [hasHappened ? { ...first, name: `${first.name} (old)` } : first, ...rest];
    }),
  );
}

const lists = [
  { list: 'listAgents', noun: 'agent', slug: 'agent', after: (event: Event) => renameFirstAfter(agents, event) },
  { list: 'listDrives', noun: 'drive', slug: 'drive', after: (event: Event) => renameFirstAfter(drives, event) },
  {
    ...{ list: 'listMcpServers', noun: 'MCP server', slug: 'mcp-server' },
    after: (event: Event) => renameFirstAfter(mcpServers, event),
  },
] as const;

/** Something that nobody asked for, after each kind of writing. */
export const stateUnasked: readonly Mutant[] = events.flatMap((event) =>
  lists.flatMap(({ list, noun, slug, after }) =>
    table('state', 'store', {
      [`${list}.unchanged-by.${event.rule}: ${event.slug}-renames-the-first-${slug}`]: [
        `After ${event.said} the first ${noun} of the list has another name.`,
        after(event),
      ],
    }),
  ),
);
