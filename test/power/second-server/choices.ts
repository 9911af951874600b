import { createHash, randomUUID } from 'node:crypto';

/** `plain` makes the common choice at each open place of the specification, `odd` an unusual one. */
export type Variant = 'odd' | 'plain';

export type IdKind = 'agent' | 'revision' | 'drive' | 'file' | 'mcpServer' | 'organization' | 'job';

/** Success codes of the operations for which the specification shows none. */
export interface SuccessCodes {
  readonly publish: number;
  readonly createDrive: number;
  readonly listDrives: number;
  readonly getFile: number;
  readonly updateFile: number;
  readonly deleteTree: number;
  readonly createMcpServer: number;
}

/** Status codes of the refusals for which the specification shows none. */
export interface RefusalCodes {
  readonly badJson: number;
  readonly badMediaType: number;
  readonly badBody: number;
  readonly badPath: number;
  readonly badPage: number;
  readonly missingTreePath: number;
  readonly unknownAgent: number;
  readonly unknownRevision: number;
  readonly unknownDrive: number;
  readonly unknownFile: number;
  readonly unknownTree: number;
  readonly republication: number;
  readonly pathTaken: number;
}

/** Everything the specification leaves to the server. */
export interface Choices {
  readonly variant: Variant;
  readonly prefix: string;
  readonly treePathParameter: string;
  readonly settleMs: number;
  readonly defaultLimit: number;
  readonly contentType: string;
  readonly newServerType: 'sse' | 'streamableHttp';
  readonly success: SuccessCodes;
  readonly refusal: RefusalCodes;
  makeId(kind: IdKind, count: number): string;
  timestamp(milliseconds: number): string;
  /** The order in which a list is answered; items come in order of creation. */
  order<T extends { readonly id: string }>(items: readonly T[]): T[];
  /** Key order and unknown extra fields of an answered object. */
  dress(fields: Record<string, unknown>): Record<string, unknown>;
  name(given: string): string;
  problem(status: number, message: string): unknown;
}

const ODD_IDS: Record<IdKind, (count: number) => string> = {
  agent: (count) => `ag:${count}~draft=v.1`,
  revision: (count) => `rev=${count}:~`,
  drive: (count) => `d.${count}~x:y=`,
  file: (count) => String(count),
  mcpServer: (count) => String(count),
  organization: (count) => `org~${count}`,
  job: (count) => String(count),
};

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

const ODD: Choices = {
  variant: 'odd',
  prefix: '/svc~2/v0.1',
  treePathParameter: 'Q.folder-1',
  settleMs: 700,
  defaultLimit: 7,
  contentType: 'application/json;charset=UTF-8',
  newServerType: 'sse',
  success: {
    publish: 202,
    createDrive: 202,
    listDrives: 203,
    getFile: 203,
    updateFile: 201,
    deleteTree: 201,
    createMcpServer: 200,
  },
  refusal: {
    badJson: 422,
    badMediaType: 415,
    badBody: 409,
    badPath: 403,
    badPage: 416,
    missingTreePath: 428,
    unknownAgent: 410,
    unknownRevision: 403,
    unknownDrive: 403,
    unknownFile: 410,
    unknownTree: 404,
    republication: 423,
    pathTaken: 409,
  },
  makeId: (kind, count) => ODD_IDS[kind](count),
  // Three digits more than a millisecond clock has, and the long way to write UTC.
  timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace('Z', '417+00:00'),
  order: (items) => items.toSorted((a, b) => (hashOf(a.id) < hashOf(b.id) ? -1 : 1)),
  dress: (fields) => Object.fromEntries([['x-extra', { since: 0 }], ...Object.entries(fields).reverse()]),
  name: (given) => given.trim(),
  problem: (status, message) => [{ trouble: message, weight: status / 100 }],
};

const PLAIN: Choices = {
  variant: 'plain',
  prefix: '/v0.1',
  treePathParameter: 'path',
  settleMs: 0,
  defaultLimit: 20,
  contentType: 'application/json',
  newServerType: 'streamableHttp',
  success: {
    publish: 200,
    createDrive: 201,
    listDrives: 200,
    getFile: 200,
    updateFile: 200,
    deleteTree: 200,
    createMcpServer: 201,
  },
  refusal: {
    badJson: 400,
    badMediaType: 415,
    badBody: 400,
    badPath: 400,
    badPage: 400,
    missingTreePath: 400,
    unknownAgent: 404,
    unknownRevision: 404,
    unknownDrive: 404,
    unknownFile: 404,
    unknownTree: 404,
    republication: 409,
    pathTaken: 409,
  },
  makeId: () => randomUUID(),
  timestamp: (milliseconds) => new Date(milliseconds).toISOString(),
  order: (items) => [...items],
  dress: (fields) => fields,
  name: (given) => given,
  problem: (status, message) => ({ error: { status, message } }),
};

/** The choices of a variant, with the delay of background work replaced where one is given. */
export function choicesOf(variant: Variant, settleMs: number | undefined): Choices {
  const choices = variant === 'odd' ? ODD : PLAIN;
  return settleMs === undefined ? choices : { ...choices, settleMs };
}
