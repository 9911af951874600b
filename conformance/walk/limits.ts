// What a walk may send, and change on a correct server. The plan announces it.
import { largestPage } from '../../openapi/reading/pages.ts';
import type { Settings } from '../run/settings.ts';

/** How many requests a walk may send: a walk that only reads has less to try. */
export function mostRequests({ walk, allowWrites }: Pick<Settings, 'walk' | 'allowWrites'>): number {
  return allowWrites ? walk : Math.floor(walk / 4);
}

/** So many are made with `--volume`. A page shows at most 100 drives (4.4). A tree is full with nine files. */
export const volume = { drives: largestPage + 1, publications: 50, leastFiles: 9 } as const;

/** So many drives, and so many MCP servers, are created in each organization. */
export const mostMade = { own: 3, other: 1 } as const;

/** So many files are moved: those that stay, and disposable ones that may be deleted. */
export const mostWalked = { stay: 4, go: 3 } as const;
