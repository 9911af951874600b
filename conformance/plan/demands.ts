import type { NeedName } from './needs.ts';

/** How many resources a run creates, publishes and deletes on a correct target. */
export interface EffectCounts {
  drives: number;
  mcpServers: number;
  /** Drives of the second organization. */
  otherDrives: number;
  /** MCP servers of the second organization. */
  otherMcpServers: number;
  publications: number;
  /** Maximum number of disposable files: some checks do without if none are left. */
  deletions: number;
}

/** The changes that a check makes on a correct target. */
export interface Effects {
  /** Created only for this check. */
  drives?: number;
  mcpServers?: number;
  /** Created only for this check with the key of the second organization. */
  otherDrives?: number;
  otherMcpServers?: number;
  /** Disposable files deleted only for this check. */
  deletions?: number;
  /** Happen unless another check caused them already. */
  shared?: readonly SharedEffect[];
  /** The same, but only if the target has no such data. */
  perhaps?: readonly SharedEffect[];
  /** Whether it moves a file, which is later moved back. */
  moves?: boolean;
}

/** Effects that happen once in a run, for all checks that use them. */
export const sharedEffects = {
  firstDrive: { drives: 1 },
  secondDrive: { drives: 1 },
  firstMcpServer: { mcpServers: 1 },
  secondMcpServer: { mcpServers: 1 },
  driveOfEachOrganization: { drives: 1, otherDrives: 1 },
  drivesOfBoth: { drives: 2, otherDrives: 2 },
  mcpServersOfBoth: { mcpServers: 2, otherMcpServers: 2 },
  driveNamesake: { drives: 1 },
  mcpServerNamesake: { mcpServers: 1 },
  publication: { publications: 1 },
  deletedTree: { deletions: 2 },
  deletedTreeByBearer: { deletions: 1 },
  refilledTree: { deletions: 1 },
  patternsTree: { deletions: 1 },
  wildcardsTree: { deletions: 1 },
  encodingsTree: { deletions: 1 },
  lettersTree: { deletions: 1 },
  punctuationTree: { deletions: 1 },
  dottedTree: { deletions: 1 },
  parallelTrees: { deletions: 12 },
} satisfies Record<string, Partial<EffectCounts>>;

export type SharedEffect = keyof typeof sharedEffects;

/** The needs and effects of a check. */
export interface Demands {
  needs: readonly NeedName[];
  effects: Effects;
}

/** All counts together. */
export function sumOf(all: readonly Partial<EffectCounts>[]): EffectCounts {
  const total = { drives: 0, mcpServers: 0, otherDrives: 0, otherMcpServers: 0, publications: 0, deletions: 0 };
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) total[name as keyof EffectCounts] += count;
  }
  return total;
}
