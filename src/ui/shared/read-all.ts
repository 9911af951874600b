import { readControl } from './control.ts';

/** The maximum number of records in one response, so that no single response takes long. */
export const pageSize = 1_000;

/** A whole list of the admin API, read in parts. `path` is relative to it, without a query. */
export async function readAll<T>(path: string): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const part = await readControl<T[]>(`${path}?limit=${pageSize}&offset=${all.length}`);
    all.push(...part);
    if (part.length < pageSize) return all;
  }
}
