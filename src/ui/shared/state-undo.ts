import { type Fields, isFields } from './json.ts';

/** The path of a record below the admin API, or its place in a snapshot: names of lists and ids alternate. */
export function placeOf(...steps: readonly string[]): string {
  return steps.map((step) => `/${encodeURIComponent(step)}`).join('');
}

/** A state in which one change is undone, and what others changed since that undoing it discards, in words. */
export interface TakenBack {
  state: Fields;
  conflicts: readonly string[];
}

/**
 * Undoes in the state `now` what changed from `before` to `after`, and leaves everything else as it is. `only`: the place
 * of the one record that the change concerned; others may have changed more meanwhile.
 */
export function takeBack(before: Fields, after: Fields, now: Fields, only = ''): TakenBack {
  const conflicts = new Set<string>();
  const walk = ({ was, is, current }: Three, place: string, name: string, owner: string): unknown => {
    if (isSame(was, is)) return current;
    // These keep advancing, so they cannot simply be reset: the mock would create the same ids again.
    if (name === 'ids') return laterIds(was, current);
    if (name === 'deferred') return isSame(tasksIn(was), tasksIn(is)) ? current : was;
    if (isAll(isRecordList, was, is, current)) return walkList({ was, is, current }, place, name);
    if (isAll(isTextList, was, is, current)) return inOrder(was as string[], is as string[], current as string[]);
    if (isAll(isFields, was, is, current)) return walkFields({ was, is, current }, place, owner);
    if (!isSame(current, is) && !isSame(current, was)) conflicts.add(owner);
    return was;
  };
  const walkFields = ({ was, is, current }: Three, place: string, owner: string) => {
    const [one, other, third] = [was, is, current] as Fields[];
    const names = [...new Set([...Object.keys({ ...third }), ...Object.keys({ ...one })])];
    return Object.fromEntries(
      names
        .map((name) => [
          name,
          walk({ was: one?.[name], is: other?.[name], current: third?.[name] }, place, name, owner),
        ])
        .filter(([, value]) => value !== undefined),
    );
  };
  const walkList = ({ was, is, current }: Three, place: string, name: string) => {
    const [one, other, third] = [was, is, current].map(
      (list) => new Map((list as Listed[]).map((each) => [each.id, each])),
    );
    const ids = [...new Set([...(one?.keys() ?? []), ...(third?.keys() ?? [])])];
    return ids.flatMap((id) => {
      const three = { was: one?.get(id), is: other?.get(id), current: third?.get(id) };
      const at = place + placeOf(name, id);
      const isTouched = `${at}/`.startsWith(`${only}/`) || only === '' || only.startsWith(`${at}/`);
      const value = isTouched ? walk(three, at, name, wordsFor(name, three)) : three.current;
      return value === undefined ? [] : [value];
    });
  };
  const state = walk({ was: before, is: after, current: now }, '', '', 'state') as Fields;
  return { state: withoutLost(state), conflicts: [...conflicts] };
}

/** A value before and after the change, and as it is now. */
interface Three {
  was: unknown;
  is: unknown;
  current: unknown;
}

type Listed = Fields & { id: string };

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

const isRecordList = (value: unknown) => Array.isArray(value) && value.every((each) => isFields(each) && 'id' in each);
const isTextList = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string');
const isAll = (is: (value: unknown) => boolean, ...values: readonly unknown[]) => values.every(is);

// The later of the two.
function laterIds(was: unknown, current: unknown): unknown {
  const countOf = (ids: unknown) => (ids as { count: number } | undefined)?.count ?? -1;
  return was === undefined || countOf(was) > countOf(current) ? was : current;
}

function tasksIn(deferred: unknown): unknown {
  return (deferred as { tasks: unknown } | undefined)?.tasks;
}

// The earlier order, followed by what others added since. What others removed stays away, unless the change did it.
function inOrder(was: readonly string[], is: readonly string[], current: readonly string[]): string[] {
  const known = new Set([...was, ...is]);
  return [...was, ...current.filter((id) => !known.has(id))];
}

// `listed` has record ids in list order; the mock refuses ids that do not exist, and keys that are also revoked.
function withoutLost(state: Fields): Fields {
  const organizations = (state.organizations as readonly Fields[]).map((organization) => {
    const listed = Object.entries((organization.listed ?? {}) as Record<string, string[]>).map(([name, ids]) => {
      const there = new Set((organization[name] as Listed[]).map(({ id }) => id));
      return [name, ids.filter((id) => there.has(id))];
    });
    return { ...organization, listed: Object.fromEntries(listed) };
  });
  const keys = new Set(organizations.flatMap((organization) => (organization as Fields).keys as string[]));
  const revokedKeys = (state.revokedKeys as readonly string[]).filter((key) => !keys.has(key));
  return { ...state, organizations, revokedKeys };
}

const kindWords: Readonly<Record<string, string>> = {
  ...{ organizations: 'sandbox', agents: 'agent', drives: 'drive', files: 'file', mcpServers: 'MCP server' },
};

function wordsFor(kind: string, { was, is, current }: Three): string {
  const { path, name, id } = (current ?? is ?? was) as Fields;
  return `${kindWords[kind] ?? kind} ${String(path ?? name ?? id)}`;
}
