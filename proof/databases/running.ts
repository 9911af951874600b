import type { Seeded } from './shared/seed.ts';

/** A server that is listening, and what the suite is told of it. */
export interface Running extends Seeded {
  baseUrl: string;
  treePathParameter: string;
  close(): Promise<void>;
}
