/** How single values are shown. Any of them may be missing: which fields are always present is open. */

export function Time({ of }: { of: string | undefined }) {
  if (of === undefined) return 'unknown';
  return <time dateTime={of}>{new Date(of).toLocaleString()}</time>;
}

/** A flag that is true, false or not there. */
export function Flag({ of, yes, no }: { of: boolean | undefined; yes: string; no: string }) {
  return <span className="flag">{of === undefined ? `${yes}: unknown` : of ? yes : no}</span>;
}

/** By name, since the order of all lists is open. What has no name comes last. */
export function byName<Item extends { name?: string; id?: string }>(items: readonly Item[]): Item[] {
  const keyOf = ({ name, id }: Item) => `${name === undefined ? '1' : '0'}${name ?? ''} ${id ?? ''}`;
  return items.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
}
