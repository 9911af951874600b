import type { OperationId } from '../../openapi/contract/operations.ts';
import type { NeedName } from './needs.ts';

/** What a check does to a sound target, beside reading. */
export interface Effects {
  /** What it creates for itself alone. */
  drives?: number;
  mcpServers?: number;
  /** How many disposable files it deletes for itself alone. */
  deletions?: number;
  /** What it does unless another check did it already. */
  shared?: readonly SharedEffect[];
  /** The same, and only where the target has nothing of the kind yet. */
  perhaps?: readonly SharedEffect[];
  /** Whether it moves a file, which is moved back. */
  moves?: boolean;
}

/** What is done once in a run, for all checks that look at it. */
export const sharedEffects = {
  firstDrive: { drives: 1, mcpServers: 0, otherDrives: 0, publications: 0, deletions: 0 },
  secondDrive: { drives: 1, mcpServers: 0, otherDrives: 0, publications: 0, deletions: 0 },
  firstMcpServer: { drives: 0, mcpServers: 1, otherDrives: 0, publications: 0, deletions: 0 },
  secondMcpServer: { drives: 0, mcpServers: 1, otherDrives: 0, publications: 0, deletions: 0 },
  driveOfEachOrganization: { drives: 1, mcpServers: 0, otherDrives: 1, publications: 0, deletions: 0 },
  publication: { drives: 0, mcpServers: 0, otherDrives: 0, publications: 1, deletions: 0 },
  deletedTree: { drives: 0, mcpServers: 0, otherDrives: 0, publications: 0, deletions: 2 },
  deletedTreeByBearer: { drives: 0, mcpServers: 0, otherDrives: 0, publications: 0, deletions: 1 },
} as const;

export type SharedEffect = keyof typeof sharedEffects;

/** What a check needs of the user, and what it does. */
export interface Demands {
  needs: readonly NeedName[];
  effects: Effects;
}

/** What a valid request of an operation takes. It holds for every check that does not say otherwise. */
export const usualDemands: Readonly<Record<OperationId, Demands>> = {
  listAgents: { needs: [], effects: {} },
  listDrives: { needs: [], effects: {} },
  listMcpServers: { needs: [], effects: {} },
  getDriveFile: { needs: ['file'], effects: {} },
  listMcpServerTools: { needs: [], effects: { perhaps: ['firstMcpServer'] } },
  createDrive: { needs: ['writes'], effects: { shared: ['firstDrive', 'secondDrive'] } },
  createMcpServer: { needs: ['writes'], effects: { shared: ['firstMcpServer', 'secondMcpServer'] } },
  publishAgentRevision: { needs: ['writes', 'agent'], effects: { shared: ['publication'] } },
  updateDriveFile: { needs: ['writes', 'movableFile'], effects: { moves: true } },
  deleteDriveTree: {
    needs: ['writes', 'deletions', 'treeParameter', 'disposableFiles'],
    effects: { shared: ['deletedTree'] },
  },
};

/**
 * What a request takes that a sound target refuses for its key. A run that may not write, or has nothing to try it on,
 * sends it for things that do not exist; but a creation needs nothing that exists.
 */
export function refusedDemands(operation: OperationId): Partial<Demands> {
  switch (operation) {
    case 'createDrive':
    case 'createMcpServer':
      return { effects: {} };
    case 'publishAgentRevision':
    case 'updateDriveFile':
      return { needs: [], effects: {} };
    case 'deleteDriveTree':
      return { needs: [] };
    default:
      return {};
  }
}
