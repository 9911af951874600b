import { plural } from '../../lib/text.ts';
import type { Leftover } from '../report.ts';

/** Things of one kind that are left behind for the same reason. */
export interface LeftGroup {
  kind: string;
  note: string;
  count: number;
  shown: Leftover[];
  /** How many are not shown, in words; empty if all are. */
  more: string;
}

const few = 3;

/** What a run left behind, by kind and reason. Only the first few of each, except files, which must be moved back. */
export function leftGroups(left: readonly Leftover[], most = few): LeftGroup[] {
  const groups = Map.groupBy(left, ({ kind, note }) => JSON.stringify([kind, note]));
  return [...groups.values()].map((alike) => {
    const [{ kind, note }] = alike as [Leftover];
    const shown = kind === 'file' ? alike : alike.slice(0, most);
    const hidden = alike.length - shown.length;
    const more = hidden === 0 ? '' : `and ${plural(hidden, 'other')}: --report json lists all`;
    return { kind: leftoverKind(kind), note, count: alike.length, shown, more };
  });
}

/** The kind of a leftover, in words. */
export function leftoverKind(kind: Leftover['kind']): string {
  if (kind === 'mcpServer') return 'MCP server';
  return kind === 'deletedFile' ? 'deleted file' : kind;
}
