// How the suite sends each operation: validly, without a valid key, and with bad input.
import { own, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Demands, Effects, Phase } from '../checks/check.ts';
import { unmet } from '../run/needs.ts';
import { inParallel, oncePerRun } from '../run/once.ts';
import { Inconclusive } from '../run/signals.ts';
import {
  type AuthHeaderName,
  type Credentials,
  extended,
  foreignScheme,
  headerOf,
  inOtherCase,
  invalidKey,
  keysNear,
  mixed,
  shortened,
  type WrongKey,
  withOtherStart,
} from '../target/credentials.ts';
import { items, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { CallInput, CallOptions, Session } from '../target/session.ts';
import { attemptSharedCreation, type CreateOperation, sendCreation, sendNewCreation } from './creations.ts';
import {
  firstMove,
  initialReadings,
  movableFile,
  newPath,
  readableFile,
  readFile,
  sendMove,
  sendMoveWithRetry,
} from './files.ts';
import { firstPublication, mcpServerIds, sendPublication } from './fixtures.ts';
import { readList, walkDrives } from './lists.ts';
import { sendDeletion } from './tree-deletions.ts';
import { guardTree, usualDeletedTree } from './trees.ts';

/** How the suite uses one operation. Needs and effects are those of a valid request. */
interface OperationUse extends Demands {
  /** The phase in which valid requests are sent. */
  phase: Phase;
  /** Phase, needs and effects of requests that must be refused for their key, if different. */
  refused?: Partial<Demands> & { phase?: Phase };
  /** Effects of a further valid request with the key in one auth header, if different. */
  byAuthHeader?: Partial<Record<AuthHeaderName, Effects>>;
  /** Sends one valid request, and records what it leaves behind. */
  send(session: Session, options: CallOptions): Promise<Reply>;
  /** The input for resources that do not exist, so that even a broken target does nothing; absent for creations. */
  harmless?(session: Session): CallInput;
  /** The input for one resource that does not exist; for reads of a resource whose error status is open. */
  unknown?(session: Session): CallInput;
  /** Sends as many valid requests as are needed to judge the operation. */
  sample(session: Session): Promise<unknown>;
  /** What the sample does, as one sentence. */
  does: string;
  /** The fields by which a resource of the caller is recognised when another organization reads its id. */
  recognisedBy?: readonly string[];
}

/** How the suite uses each operation. */
export const operationUses: Readonly<Record<OperationId, OperationUse>> = {
  listAgents: simpleList('listAgents', 'Lists the agents six times.'),
  listDrives: simpleList('listDrives', 'Lists the drives six times, and walks through the pages.', async (session) => {
    await repeat(() => session.call('listDrives'));
    await readList(session, 'listDrives').catch(() => undefined);
    await walkDrives(session, { limit: 2, pages: 10 }).catch(() => undefined);
  }),
  listMcpServers: simpleList('listMcpServers', 'Lists the MCP servers six times.'),
  getDriveFile: {
    phase: 'read',
    needs: ['file'],
    effects: {},
    does: 'Reads every declared file, and one of them six more times.',
    recognisedBy: ['path', 'size', 'modifiedAt'],
    unknown: (session) => ({ path: { driveId: readableFile(session).driveId, fileId: session.unknownId() } }),
    send: (session, options) => readFile(session, readableFile(session), options),
    sample: async (session) => {
      readableFile(session);
      await initialReadings(session);
      await repeat(() => readFile(session, readableFile(session)));
    },
  },
  listMcpServerTools: {
    phase: 'read',
    needs: [],
    effects: { perhaps: ['firstMcpServer'] },
    does: 'Lists the tools of every MCP server, and those of one six more times.',
    send: async (session, options) => listTools(session, (await mcpServerIds(session))[0] ?? '', options),
    sample: async (session) => {
      const [first = '', ...others] = await mcpServerIds(session);
      await listTools(session, first);
      await repeat(() => listTools(session, first));
      await inParallel(others, (other) => listTools(session, other));
    },
  },
  createDrive: {
    ...creation('createDrive', { shared: ['firstDrive', 'secondDrive'] }, { drives: 1 }),
    does: 'Creates two drives.',
  },
  createMcpServer: {
    ...creation('createMcpServer', { shared: ['firstMcpServer', 'secondMcpServer'] }, { mcpServers: 1 }),
    does: 'Registers two MCP servers.',
  },
  publishAgentRevision: {
    phase: 'publish',
    needs: ['writes', 'agent'],
    effects: { shared: ['publication'] },
    // A publication is visible only once, so requests that must not publish come before it.
    refused: { phase: 'list', needs: [], effects: {} },
    does: 'Publishes the declared revision.',
    send: sendPublication,
    harmless: (session) => ({ path: { agentId: session.unknownId() }, json: { revisionId: session.unknownId() } }),
    sample: firstPublication,
  },
  updateDriveFile: {
    phase: 'move',
    needs: ['writes', 'movableFile'],
    effects: { moves: true },
    refused: { needs: [], effects: {} },
    does: 'Moves a file within its directory.',
    send: async (session, options) => {
      const file = await movableFile(session);
      const send = options.credentials?.isValid === false ? sendMove : sendMoveWithRetry;
      return send(session, file, newPath(session, file), options);
    },
    harmless: (session) => ({
      path: { driveId: session.unknownId(), fileId: session.unknownId() },
      json: { path: `/${session.newName()}` },
    }),
    sample: async (session) => {
      const { file } = await firstMove(session);
      await sendMoveWithRetry(session, file, newPath(session, file));
    },
  },
  deleteDriveTree: {
    phase: 'delete',
    needs: ['writes', 'deletions', 'treeParameter', 'disposableFiles'],
    effects: { shared: ['deletedTree'] },
    refused: { needs: [] },
    byAuthHeader: { bearer: { shared: ['deletedTreeByBearer'] } },
    does: 'Deletes a tree of disposable files.',
    send: async (session, options) => {
      const { driveId, path } = await guardTree(session);
      return sendDeletion(session, driveId, path, options);
    },
    harmless: (session) => ({
      path: { driveId: session.unknownId() },
      query: { [session.settings.treePathParameter ?? 'path']: `/${session.newName()}` },
    }),
    sample: usualDeletedTree,
  },
};

function simpleList(
  operation: OperationId,
  does: string,
  sample: OperationUse['sample'] = (session) => repeat(() => session.call(operation)),
): OperationUse {
  return {
    phase: 'read',
    needs: [],
    effects: {},
    does,
    send: (session, options) => session.call(operation, options),
    sample,
  };
}

function creation(operation: CreateOperation, effects: Effects, one: Effects): Omit<OperationUse, 'does'> {
  return {
    phase: 'create',
    needs: ['writes'],
    effects,
    refused: { effects: {} },
    byAuthHeader: { header: one, bearer: one },
    send: async (session, options) => (await sendNewCreation(session, operation, options)).reply,
    sample: async (session) => {
      for (const which of ['first', 'second'] as const) await attemptSharedCreation(session, operation, which);
    },
  };
}

const repetitions = 6;

// A safe request is repeated to catch intermittent faults.
async function repeat(send: () => Promise<Reply>): Promise<void> {
  for (let count = 0; count < repetitions; count++) await send();
}

function listTools(session: Session, mcpServerId: string, options: CallOptions = {}): Promise<Reply> {
  return session.call('listMcpServerTools', { path: { mcpServerId }, ...options });
}

/** Sends one valid request of an operation. A tree deletion is aimed at the guard tree. */
export function sendValid(session: Session, operation: OperationId, options: CallOptions): Promise<Reply> {
  return operationUses[operation].send(session, options);
}

/** The reply to a request with credentials under test, and whether a broken target could have acted on the request. */
interface Probe {
  reply: Reply;
  /** False if the request named only nonexistent resources. */
  couldAct: boolean;
}

/** Sends a request that is valid except for its credentials, and harmless if the run may not change what it names. */
export async function probe(session: Session, operation: OperationId, options: CallOptions): Promise<Probe> {
  const { needs, harmless } = operationUses[operation];
  const isRead = session.operations.get(operation)?.isRead === true;
  if (isRead || unmet(needs, session.settings).length === 0) {
    return { reply: await sendValid(session, operation, options), couldAct: true };
  }
  if (harmless === undefined)
    throw new Inconclusive('WRITES', say`A creation might succeed, and this run may only read.`);
  return { reply: await session.call(operation, { ...harmless(session), ...options }), couldAct: false };
}

/** The replies to valid requests of an operation, as many as are needed to judge it. They are sent once per run. */
export const repliesTo = oncePerRun(async (session, operation: OperationId): Promise<Reply[]> => {
  const { replies, error } = await session.collect(() => operationUses[operation].sample(session));
  if (error !== undefined) {
    const hung = session
      .repliesOf(operation)
      .filter(({ request, failure }) => request.isAuthenticated && failure === 'timeout');
    if (hung.length === 0) throw error;
    return hung;
  }
  const initial = operation === 'getDriveFile' ? (await initialReadings(session)).map(({ reply }) => reply) : [];
  return [...new Set([...initial, ...replies.filter(({ request }) => request.operation === operation)])];
});

/** Every successful reply of an operation to a valid caller so far, at least those of its sample. */
export async function successfulReplies(session: Session, operation: OperationId): Promise<Reply[]> {
  await repliesTo(session, operation);
  const successes = session.successesOf(operation);
  if (successes.length > 0) return successes;
  throw new Inconclusive('PREREQUISITE', say`No ${own(operation)} request succeeded.`, `${operation}.is-served`);
}

/** A key in each header in turn. */
export function inEachHeader(key: string, kind?: string): Credentials[] {
  return [invalidKey(key, 'header', kind), invalidKey(key, 'bearer', kind)];
}

/** A key that nobody has, about as long as the configured key. */
export function unknownKey({ runId, settings: { apiKey } }: Session): string {
  return `${runId}${'z'.repeat(apiKey.length)}`.slice(0, Math.max(12, apiKey.length));
}

const longLength = 160;

/** Unknown keys that a server may refuse for their form or scheme; all of them where the error status is stated. */
export function unknownKeys(session: Session, operation: OperationId): Credentials[] {
  const long = session.runId.padEnd(longLength, 'z');
  const looks = [invalidKey('q7', 'header'), invalidKey(long, 'bearer'), invalidKey('q7', 'bearer')];
  const all = [...looks, foreignScheme(unknownKey(session))];
  const some = operation === 'listMcpServerTools' ? all : [all[turnOf(session, operation) % all.length] as Credentials];
  return [...inEachHeader(unknownKey(session)), ...some];
}

/** An unknown bearer token; for some operations also an unknown key in both headers at the same time. */
export function unknownTokens(session: Session, operation: OperationId): Credentials[] {
  const token = invalidKey(unknownKey(session), 'bearer');
  const both = { ...token, headers: { ...token.headers, ...invalidKey(unknownKey(session), 'header').headers } };
  return turnOf(session, operation) % 3 === 0 ? [token, both] : [token];
}

const schemes = ['Basic', 'Token', 'ApiKey', 'Key'];

/** The valid key under a different scheme, and with a missing or misplaced scheme. */
export function otherSchemes(session: Session, operation: OperationId): Credentials[] {
  const { apiKey } = session.settings;
  const turn = turnOf(session, operation);
  const [authHeader, value]: [AuthHeaderName, string] =
    turn % 2 === 0 ? ['bearer', apiKey] : ['header', `Bearer ${apiKey}`];
  const kind = authHeader === 'bearer' ? 'the key without a scheme' : 'the key under the scheme Bearer, in X-API-Key';
  const misplaced = { headers: { [headerOf[authHeader]]: value }, isValid: false, kind };
  return [foreignScheme(apiKey, schemes[turn % schemes.length]), misplaced];
}

/** The key without its last character, in each header. */
export function shortenedKeys(session: Session): Credentials[] {
  return inBothHeaders(session, shortened, 'the key without its last character');
}

/** The key with one more character, in each header. */
export function extendedKeys(session: Session): Credentials[] {
  return inBothHeaders(session, extended, 'the key with one more character');
}

function inBothHeaders(session: Session, change: (key: string) => string, kind: string): Credentials[] {
  const wrong = nobodys(session, [{ value: change(session.settings.apiKey), kind }]);
  return wrong.flatMap(({ value }) => inEachHeader(value, kind));
}

/** The near keys that careless servers accept most often, in alternating headers. */
export function usualNearKeys(session: Session, operation: OperationId): Credentials[] {
  const { apiKey } = session.settings;
  const usual = nobodys(session, [
    { value: inOtherCase(apiKey), kind: 'the key in a different letter case' },
    { value: withOtherStart(apiKey), kind: 'the key with a different first character' },
    { value: '%', kind: '% as the key' },
  ]);
  return inTurns(usual, turnOf(session, operation));
}

const drawnAtOnce = 4;

/** Some near keys, starting at a place that the random seed sets; over all operations, each of them. */
export async function drawnNearKeys(session: Session, operation: OperationId): Promise<Credentials[]> {
  const { apiKey, otherApiKey = '', randomSeed } = session.settings;
  const owner = await ownerOfOwn(session);
  const halves = mixed(apiKey, otherApiKey).map((value) => ({ value, kind: 'one half of each of the two keys' }));
  const owners = owner === '' ? [] : [{ value: owner, kind: 'the organizationId as the key' }];
  const near = keysNear(apiKey);
  // Every few neighbours include each kind, in spite of the other keys inserted between them.
  const keys = nobodys(session, [...near.slice(0, 3), ...halves, ...near.slice(3, 6), ...owners, ...near.slice(6)]);
  const place = (randomSeed % keys.length) + turnOf(session, operation) * drawnAtOnce;
  const drawn = Array.from({ length: drawnAtOnce }, (_, index) => keys[(place + index) % keys.length] as WrongKey);
  return inTurns(drawn, place);
}

const ownerOfOwn = oncePerRun(async (session: Session): Promise<string> => {
  const reply = await session.call('listDrives', { query: { limit: 1, offset: 0 } }).catch(() => undefined);
  const [drive] = items(member(reply?.json, 'data'));
  return String(member(drive, 'organizationId') ?? '');
});

// A changed key may happen to be the other organization's key.
function nobodys({ settings: { apiKey, otherApiKey } }: Session, keys: readonly WrongKey[]): WrongKey[] {
  return keys.filter(({ value }) => value !== apiKey && value !== otherApiKey);
}

function inTurns(keys: readonly WrongKey[], start: number): Credentials[] {
  return keys.map(({ value, kind }, index) => {
    return invalidKey(value, (start + index) % 2 === 0 ? 'header' : 'bearer', kind);
  });
}

// The place of the operation in the contract.
function turnOf({ operations }: Session, operation: OperationId): number {
  return [...operations.keys()].indexOf(operation);
}

/** Invalid bodies: not JSON, or not an object. */
const badBodies = ['{', 'null'];

/** Query parameters sent twice: many programs turn them into arrays. */
const twice = 'limit=1&limit=2&offset=0&offset=1';

/**
 * Sends input that an operation must refuse (a key of odd characters, ids with a NUL, invalid bodies) and query
 * parameters sent twice. It names nothing that exists, and requests that could create or change something are sent only
 * if the run may write.
 */
export const sendBadInput = oncePerRun(async (session, operation: OperationId): Promise<void> => {
  const credentials = invalidKey(`'"%_\\;${session.runId}`, 'header');
  await probe(session, operation, { credentials }).catch(ignoreInconclusive);
  const { isRead = false, takesBody = false, parameters = [] } = session.operations.get(operation) ?? {};
  if (!isRead && !session.settings.allowWrites) return;
  const { harmless, unknown } = operationUses[operation];
  const ids = parameters.filter((one) => one.in === 'path').map(({ name }) => [name, `${session.unknownId()}\0`]);
  const input: CallInput = { ...(harmless ?? unknown)?.(session), path: Object.fromEntries(ids) };
  if (ids.length > 0) await session.call(operation, input);
  if (operation === 'listDrives') await session.call(operation, { query: twice });
  if (takesBody) for (const body of badBodies) await sendBody(session, operation, body);
});

/** Requests that are wrong whoever sends them: they name nothing that exists, or break a rule. */
export function wrongRequests(session: Session, operation: OperationId): CallInput[] {
  const { takesBody = false, parameters = [] } = session.operations.get(operation) ?? {};
  const ids = parameters.filter((one) => one.in === 'path').map(({ name }) => [name, session.unknownId()]);
  const path: Record<string, string> = Object.fromEntries(ids);
  const bodies: CallInput[] = takesBody ? wrongBodies : [];
  const inputs = [...bodies, ...(wrongInputs[operation]?.(session) ?? [])];
  if (inputs.length === 0) return ids.length === 0 ? [] : [{ path }];
  return inputs.map((input) => ({ path, ...input }));
}

const wrongBodies: CallInput[] = [
  { raw: { body: '{', contentType: 'application/json' } },
  { json: {} },
  { raw: { body: 'name=none', contentType: 'text/plain' } },
];

const wrongInputs: Partial<Record<OperationId, (session: Session) => CallInput[]>> = {
  listDrives: () => [{ query: 'limit=none' }, { query: { limit: 0, offset: -1 } }],
  updateDriveFile: () => [{ json: { path: '/../none' } }],
  deleteDriveTree: ({ settings }) => [{ query: { [settings.treePathParameter ?? 'path']: '/../none' } }, {}],
};

async function sendBody(session: Session, operation: OperationId, body: string): Promise<void> {
  const raw = { body, contentType: 'application/json' };
  const { harmless } = operationUses[operation];
  if (harmless !== undefined) await session.call(operation, { path: harmless(session).path ?? {}, raw });
  else await sendCreation(session, operation as CreateOperation, { name: '(none was sent)' }, { raw });
}

function ignoreInconclusive(error: unknown): void {
  if (!(error instanceof Inconclusive)) throw error;
}
