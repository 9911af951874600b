/** A state or a record, as in the admin API's snapshots. */
export type Fields = Readonly<Record<string, unknown>>;

/** A snapshot taken apart: each record by its place, everything else by a place with `#`. */
export type Parts = ReadonlyMap<string, unknown>;

/** How one change changed each part; undefined if the part was or is missing. */
export type Delta = ReadonlyMap<string, { before: unknown; after: unknown }>;

// By the name of the containing list.
const listsIn: Readonly<Record<string, readonly string[]>> = {
  '': ['organizations'],
  organizations: ['agents', 'drives', 'mcpServers'],
  drives: ['files'],
};
const othersIn: Readonly<Record<string, readonly string[]>> = {
  '': ['revokedKeys', 'clockMs'],
  organizations: ['ids', 'deferred', 'listed'],
};

/** The place of a record: names of lists and ids alternate. */
export function placeOf(...steps: readonly string[]): string {
  return steps.map((step) => `/${encodeURIComponent(step)}`).join('');
}

/** Takes a whole snapshot apart. */
export function takeApart(state: Fields): Parts {
  const parts = new Map<string, unknown>();
  collect(parts, '', '', state);
  return parts;
}

function collect(parts: Map<string, unknown>, place: string, kind: string, record: Fields): void {
  const own: Record<string, unknown> = { ...record };
  const take = (name: string) => {
    const value = own[name];
    delete own[name];
    return value;
  };
  for (const name of othersIn[kind] ?? []) parts.set(`${place}#${name}`, take(name));
  for (const name of listsIn[kind] ?? []) {
    const children = (take(name) ?? []) as (Fields & { id: string })[];
    const order = children.map(({ id }) => id);
    parts.set(`${place}#${name}`, order);
    for (const child of children) collect(parts, place + placeOf(name, child.id), name, child);
  }
  parts.set(place, own);
}

/** Puts a snapshot together again. Drops ids that an order names but that do not exist. */
export function putTogether(parts: Parts): Fields {
  const state = build(parts, '', '');
  const organizations = (state.organizations as readonly Fields[]).map(withoutLost);
  const keys = new Set(organizations.flatMap((organization) => organization.keys as string[]));
  const revokedKeys = (state.revokedKeys as readonly string[]).filter((key) => !keys.has(key));
  return { ...state, organizations, revokedKeys };
}

function build(parts: Parts, place: string, kind: string): Fields {
  const lists = (listsIn[kind] ?? []).map((name) => {
    const order = parts.get(`${place}#${name}`) as readonly string[];
    const places = order.map((id) => place + placeOf(name, id)).filter((each) => parts.has(each));
    return [name, places.map((each) => build(parts, each, name))];
  });
  const others = (othersIn[kind] ?? []).map((name) => [name, parts.get(`${place}#${name}`)]);
  return { ...(parts.get(place) as Fields), ...Object.fromEntries([...lists, ...others]) };
}

// `listed` has record ids in list order; the mock refuses ids that do not exist.
function withoutLost(organization: Fields): Fields {
  const listed = Object.entries(organization.listed as Record<string, string[]>).map(([name, ids]) => {
    const there = new Set((organization[name] as { id: string }[]).map(({ id }) => id));
    return [name, ids.filter((id) => there.has(id))];
  });
  return { ...organization, listed: Object.fromEntries(listed) };
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The differences between two states. `touches` excludes records that the change does not concern. */
export function differences(before: Parts, after: Parts, touches: (place: string) => boolean = () => true): Delta {
  const places = [...new Set([...before.keys(), ...after.keys()])];
  const touched = places.filter((place) => place.includes('#') || touches(place));
  return new Map(
    touched
      .map((place) => [place, { before: before.get(place), after: after.get(place) }] as const)
      .filter(([, values]) => !isSame(values.before, values.after)),
  );
}

/** A state in which one change is undone, and the records that others changed since. */
export interface TakenBack {
  parts: Parts;
  /** In words. Undoing discards these changes. */
  conflicts: readonly string[];
}

/** Undoes one change, and leaves everything else as it is now. */
export function takeBack(now: Parts, delta: Delta): TakenBack {
  const parts = new Map(now);
  const conflicts = new Set<string>();
  for (const [place, { before, after }] of delta) {
    const current = now.get(place);
    const isRecord = !place.includes('#');
    if (isRecord && !isSame(current, after) && !isSame(current, before)) conflicts.add(place);
    const value = isRecord ? before : settle(nameOf(place), { before, after, current });
    if (value === undefined) parts.delete(place);
    else parts.set(place, value);
  }
  for (const place of orphansIn(parts)) {
    conflicts.add(place);
    parts.delete(place);
  }
  const recordAt = (place: string) => now.get(place) ?? delta.get(place)?.after ?? delta.get(place)?.before;
  return { parts, conflicts: [...conflicts].map((place) => wordsFor(place, recordAt(place) as Fields)) };
}

/** Records whose parent is gone: others added files to a drive that goes, or deleted the drive of a file. */
function orphansIn(parts: Parts): string[] {
  const parentOf = (place: string) => /^(.*)\/[^/]+\/[^/]+$/.exec(place)?.[1];
  const isLost = (place: string): boolean => {
    const parent = parentOf(place);
    return parent !== undefined && (!parts.has(parent) || isLost(parent));
  };
  return [...parts.keys()].filter((place) => !place.includes('#') && isLost(place));
}

function nameOf(place: string): string {
  return place.slice(place.indexOf('#') + 1);
}

interface Values {
  before: unknown;
  after: unknown;
  current: unknown;
}

/** Values outside records keep advancing, so they cannot simply be reset. */
function settle(name: string, { before, after, current }: Values): unknown {
  if (name === 'ids') return laterIds(before, current);
  if (name === 'deferred') return isSame(tasksIn(before), tasksIn(after)) ? current : before;
  if (name === 'listed')
    return before === undefined ? undefined : listedBack(before as Lists, after as Lists, current as Lists);
  if (name === 'clockMs') return before;
  return before === undefined ? undefined : orderBack(before as string[], after as string[], current as string[]);
}

// The later of the two: otherwise the mock would create the same ids again.
function laterIds(before: unknown, current: unknown): unknown {
  const countOf = (ids: unknown) => (ids as { count: number } | undefined)?.count ?? -1;
  return before === undefined || countOf(before) > countOf(current) ? before : current;
}

function tasksIn(deferred: unknown): unknown {
  return (deferred as { tasks: unknown } | undefined)?.tasks;
}

type Lists = Readonly<Record<string, readonly string[]>>;

function listedBack(before: Lists, after: Lists = {}, current: Lists = {}): Lists {
  return Object.fromEntries(
    Object.entries(before).map(([name, ids]) => [name, orderBack(ids, after[name], current[name])]),
  );
}

// The earlier order, followed by what others added since.
function orderBack(
  before: readonly string[],
  after: readonly string[] = [],
  current: readonly string[] = [],
): string[] {
  const known = new Set([...before, ...after]);
  return [...before, ...current.filter((id) => !known.has(id))];
}

const kindWords: Readonly<Record<string, string>> = {
  ...{ organizations: 'organization', agents: 'agent', drives: 'drive', files: 'file', mcpServers: 'MCP server' },
};

function wordsFor(place: string, { path, name }: Fields): string {
  const [kind = '', id = ''] = place.split('/').slice(-2).map(decodeURIComponent);
  return `${kindWords[kind] ?? 'state'} ${String(path ?? name ?? id)}`;
}
