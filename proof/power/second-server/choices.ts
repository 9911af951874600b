import { createHash, randomUUID } from 'node:crypto';

/** `plain` makes the common choice at each open place of the specification, `odd` an unusual one. */
export type Variant = 'odd' | 'plain';

/** Everything the specification leaves to the server. */
export type Choices = typeof ODD;

const ODD_IDS = {
  agent: (count: number) => `ag:${count}~draft=v.1`,
  revision: (count: number) => `rev=${count}:~`,
  drive: (count: number) => `d.${count}~x:y=`,
  file: String,
  mcpServer: String,
  organization: (count: number) => `org~${count}`,
  job: String,
};

export type IdKind = keyof typeof ODD_IDS;

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

const ODD = {
  variant: 'odd' as Variant,
  prefix: '/svc~2/v0.1',
  treePathParameter: 'Q.folder-1',
  settleMs: 700,
  'pagingDefaults.limit': 7,
  contentType: 'application/json;charset=UTF-8',
  newServerType: 'sse' as 'sse' | 'streamableHttp',
  /** Success codes of the operations for which the specification shows none. */
  success: {
    publish: 202,
    createDrive: 202,
    listDrives: 203,
    getFile: 203,
    updateFile: 201,
    deleteTree: 201,
    createMcpServer: 200,
  },
  /** Status codes of the refusals for which the specification shows none. */
  refusal: {
    badJson: 422,
    badMediaType: 415,
    badBody: 409,
    badPath: 403,
    badPage: 416,
    'treePath.notSent': 428,
    unknownAgent: 410,
    unknownRevision: 403,
    unknownDrive: 403,
    unknownFile: 410,
    unknownTree: 404,
    republication: 423,
    pathTaken: 409,
  },
  makeId: (kind: IdKind, count: number): string => ODD_IDS[kind](count),
  // Three digits more than a millisecond clock has, and the long way to write UTC.
  timestamp: (milliseconds: number) => new Date(milliseconds).toISOString().replace('Z', '417+00:00'),
  /** The order in which a list is answered; items come in order of creation. */
  order: <T extends { readonly id: string }>(items: readonly T[]): T[] =>
    items.toSorted((a, b) => (hashOf(a.id) < hashOf(b.id) ? -1 : 1)),
  /** Key order and unknown extra fields of an answered object. */
  dress: (fields: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries([['x-extra', { since: 0 }], ...Object.entries(fields).reverse()]),
  name: (given: string) => given.trim(),
  problem: (status: number, message: string): unknown => [{ trouble: message, weight: status / 100 }],
};

const PLAIN: Choices = {
  variant: 'plain',
  prefix: '/v0.1',
  treePathParameter: 'path',
  settleMs: 0,
  'pagingDefaults.limit': 20,
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
    'treePath.notSent': 400,
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
