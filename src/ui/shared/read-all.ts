import { readControl } from './control.ts';

/** How many records one response holds, so that the page does not wait long for one. */
export const pageSize = 1_000;

/** A whole list of the admin API, read in parts. `path` is below it, without a query. */
export async function readAll<T>(path: string): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const part = await readControl<T[]>(`${path}?limit=${pageSize}&offset=${all.length}`);
    all.push(...part);
    if (part.length < pageSize) return all;
  }
}
