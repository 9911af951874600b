import { randomBytes } from 'node:crypto';
import type { FailureKind } from './failure.ts';
import type { OperationName } from './http.ts';

export type IdKind = 'org' | 'agt' | 'rev' | 'drv' | 'fil' | 'mcp' | 'job' | 'row';

/** What a deployment decides once, before any data exists. */
export interface Settings {
  newId: (kind: IdKind) => string;
  now: () => Date;
  timestamp: (date: Date) => string;
  treePathParameter: string;
  /** Exported in the facts: how long an effect may take to show. */
  settleMs: number;
  'pagingDefaults.limit': number;
  maximumLimit: number;
  successStatus: Record<OperationName, number>;
  failureStatus: Record<FailureKind, number>;
  failureBody: (kind: FailureKind, message: string, status: number) => unknown;
}

export function defaultSettings(): Settings {
  return {
    newId: (kind) => `${kind}_${randomBytes(9).toString('hex')}`,
    now: () => new Date(),
    timestamp: (date) => date.toISOString(),
    treePathParameter: 'path',
    settleMs: 0,
    'pagingDefaults.limit': 20,
    maximumLimit: 100,
    successStatus: {
      listAgents: 200,
      publishRevision: 200,
      createDrive: 201,
      listDrives: 200,
      getFile: 200,
      updateFile: 200,
      deleteTree: 200,
      createMcpServer: 201,
      listMcpServers: 200,
      listTools: 200,
    },
    failureStatus: {
      unauthenticated: 401,
      'unknown-route': 404,
      'not-found': 404,
      invalid: 400,
      conflict: 409,
      internal: 500,
    },
    failureBody: (kind, message) => ({ error: { code: kind, message } }),
  };
}
