import type { Ids } from '../../../src/domain/ids.ts';
import type { Break, Mutant } from '../mutant.ts';
import { drives, type Listed, mcpServers, type ShelfOf } from './patch-store.ts';
import { table } from './table.ts';

/** A kind of thing that can be created, as a fault has to know it. */
interface Kind {
  idKind: Parameters<Ids>[0];
}

/** Makes a fault in the things of one kind. */
type ToBreak = <T extends Listed>(shelfOf: ShelfOf<T>, kind: Kind) => Break;

/** The two kinds: their words in keys and in sentences, and where they are. */
const kinds = [
  {
    ...{ slug: 'drive', noun: 'drive', create: 'createDrive', list: 'listDrives', created: 'created-drive' },
    toBreak: (toBreak: ToBreak) => toBreak(drives, { idKind: 'drive' }),
  },
  {
    ...{ slug: 'mcp-server', noun: 'MCP server', create: 'createMcpServer', list: 'listMcpServers' },
    created: 'created-server',
    toBreak: (toBreak: ToBreak) => toBreak(mcpServers, { idKind: 'mcpServer' }),
  },
];

/**
 * Faults that each of the two kinds of creations can have, as in `table`. Keys have `<create>` and `<list>` for the
 * operations and `<created>` for what their checks call it; ids and sentences have `thing`.
 */
export function creationTable(rows: Record<string, readonly [fault: string, toBreak: ToBreak]>): Mutant[] {
  return kinds.flatMap((kind) => {
    const keyOf = (key: string) =>
      key
        .replace(/<(create|list|created)>/g, (_, name: 'create' | 'list' | 'created') => kind[name])
        .replace('thing', kind.slug);
    const ofKind = Object.entries(rows).map(
      ([key, [fault, toBreak]]) => [keyOf(key), [fault.replaceAll('thing', kind.noun), kind.toBreak(toBreak)]] as const,
    );
    return table('state', 'store', Object.fromEntries(ofKind));
  });
}
