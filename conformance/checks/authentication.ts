import { own, type Sentence, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { attemptSharedCreation, requireAcceptedInput, requireRoom } from '../probing/creations.ts';
import {
  delisted,
  firstPublication,
  isDelisted,
  isRefusedAsActive,
  requireReachable,
  sendPublication,
} from '../probing/fixtures.ts';
import {
  drawnNearKeys,
  extendedKeys,
  inEachHeader,
  operationUses,
  otherSchemes,
  probe,
  sendValid,
  shortenedKeys,
  unknownKey,
  unknownKeys,
  unknownTokens,
  usualNearKeys,
  wrongRequests,
} from '../probing/operations.ts';
import { deletedTree } from '../probing/trees.ts';
import { inParallel, oncePerRun } from '../run/once.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import {
  type AuthHeaderName,
  type Credentials,
  inSpelling,
  invalidKey,
  noKey,
  otherAuthHeader,
  validKey,
} from '../target/credentials.ts';
import {
  describeReply,
  expectRefusal,
  expectSuccess,
  inconclusive,
  isBusy,
  orAgain,
  requestLine,
  requireConclusive,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { CallInput, Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

/** The checks of keys that every operation has (section 5). */
export function authenticationChecks(operation: OperationId): Check[] {
  const { phase, refused, byAuthHeader } = operationUses[operation];
  const check = checksOf(operation, phase);
  // A deletion that is accepted leaves no tree for the next one.
  const isUsedUp = operation === 'deleteDriveTree';
  const withCredentials =
    (expectEach: ExpectEach) =>
    ([rule, does, credentials]: CredentialsCase) =>
      check(rule, does, async (session) => expectEach(session, operation, await credentials(session, operation)), {
        ...refused,
        isAboutKeys: !isUsedUp,
      });
  return [
    ...invalidCredentials.map(withCredentials(expectAllRefused)),
    ...refusalStatuses.map(withCredentials(expectAll401)),
    ...keyFirstChecks(operation),
    check(
      'no-key-after-valid-key',
      'Sends a request without a key over a connection that carried a valid one.',
      (session) => expectKeyForgotten(session, operation),
      refused,
    ),
    ...authHeaders.map(([name, does]) =>
      check(
        `${name}-key`,
        does,
        (session) => expectAuthHeader(session, operation, name),
        byAuthHeader?.[name] === undefined ? {} : { effects: byAuthHeader[name] },
      ),
    ),
  ];
}

type ExpectEach = (session: Session, operation: OperationId, all: readonly Credentials[]) => Promise<void>;

/** The rule, what the check does, and the credentials with which it sends one request each. */
type CredentialsCase = readonly [
  rule: string,
  does: string,
  credentials: (session: Session, operation: OperationId) => Credentials[] | Promise<Credentials[]>,
];

const invalidCredentials: readonly CredentialsCase[] = [
  ['no-key', 'Sends the request without a key.', () => [noKey]],
  ['empty-key', 'Sends the request with an empty key, once in each header.', () => inEachHeader('')],
  [
    'wrong-header-key',
    'Sends the request with an unknown key in X-API-Key.',
    (session) => [invalidKey(unknownKey(session), 'header')],
  ],
  ['wrong-bearer-key', 'Sends the request with an unknown key as a bearer token.', unknownTokens],
  [
    'near-key.shortened',
    'Sends the request with the key without its last character, once in each header.',
    shortenedKeys,
  ],
  ['near-key.extended', 'Sends the request with the key and one more character, once in each header.', extendedKeys],
  [
    'near-key.others',
    'Sends the request with keys that a careless lookup mistakes for the key: different case, different first character, a pattern.',
    usualNearKeys,
  ],
  [
    'near-key.by-turns',
    'Sends the request with four near-miss keys. A list of such keys is divided among the operations; the random seed decides which one gets which keys.',
    drawnNearKeys,
  ],
  [
    'wrong-scheme',
    'Sends the valid key under a scheme other than Bearer, and with the scheme missing or misplaced.',
    otherSchemes,
  ],
];

const refusalStatuses: readonly CredentialsCase[] = [
  ['no-key-is-401', 'Sends the request without a key, and checks the status.', () => [noKey]],
  [
    'wrong-key-is-401',
    'Sends the request with unknown keys of several lengths, in each header, and checks the status.',
    unknownKeys,
  ],
];

const authHeaders: readonly (readonly [AuthHeaderName, string])[] = [
  ['header', 'Sends a valid request with the key only in X-API-Key.'],
  ['bearer', 'Sends a valid request with the key only as a bearer token.'],
];

async function expectAllRefused(session: Session, operation: OperationId, all: readonly Credentials[]): Promise<void> {
  const send = async (credentials: Credentials) => ({
    credentials,
    ...(await probe(session, operation, { credentials })),
  });
  for (const { credentials, reply, couldAct } of await inParallel(all, send)) {
    expectRefusal(reply, say`the request was accepted`, refusalOf(credentials));
    requireMeaning(reply, couldAct);
  }
}

// It does not quote the response: findings that differ in nothing else have the same cause.
function refusalOf({ kind }: Credentials): Sentence | undefined {
  return kind === undefined ? undefined : say`any non-2xx status for ${own(kind)}`;
}

/** An error response is only conclusive if the request would have been accepted with a valid key. */
function requireMeaning(reply: Reply, couldAct: boolean): void {
  if (couldAct || reply.status === 401 || reply.status === 403) return;
  const reason = say`${requestLine(reply)} named nothing that exists, and was refused with status ${reply.status}.`;
  throw new Inconclusive('WRITES', reason);
}

async function expectKeyForgotten(session: Session, operation: OperationId): Promise<Sentence | undefined> {
  const first = await session.call('listAgents', { onKeptConnection: true });
  const control = first.isSuccess ? first : await session.call('listDrives', { onKeptConnection: true });
  // A server may close a connection between two requests.
  if (control.failure !== 'reset') requireSuccess(control, 'listDrives.is-served');
  const keyless = { credentials: noKey, onKeptConnection: true };
  const { reply, couldAct } =
    control.failure === 'reset' ? { reply: control, couldAct: false } : await probe(session, operation, keyless);
  if (reply.failure === 'reset') {
    const { reply: again } = await probe(session, operation, { credentials: noKey });
    expectRefusal(again, say`the request was accepted`);
    return say`The target does not keep connections open.`;
  }
  expectRefusal(reply, say`the request was accepted with the key of an earlier one`);
  requireMeaning(reply, couldAct);
  return undefined;
}

async function expectAll401(session: Session, operation: OperationId, all: readonly Credentials[]): Promise<void> {
  const send = async (credentials: Credentials) => ({
    credentials,
    ...(await probe(session, operation, { credentials })),
  });
  for (const { credentials, reply: first, couldAct } of await inParallel(all, send)) {
    const again = async () => (await send(credentials)).reply;
    const answered = (reply: Reply) => orAgain(session, reply, again);
    const reply = await outOfTheWay(session, await answered(first), async () => answered(await again()));
    if (reply.status === 401) continue;
    if (isBusy(reply)) throw inconclusive(reply);
    // A missing response is not a 401.
    requireMeaning(reply, couldAct || reply.isSuccess || reply.failure !== undefined);
    throw new Violated(say`status 401`, describeReply(reply), [reply]);
  }
}

const accepted = say`a 2xx status: either header alone is enough, and header names are case-insensitive`;

async function expectAuthHeader(
  session: Session,
  operation: OperationId,
  authHeader: AuthHeaderName,
): Promise<Sentence | undefined> {
  const turn = [...session.operations.keys()].indexOf(operation) + (authHeader === 'bearer' ? 1 : 0);
  const credentials = inSpelling(validKey(session.settings.apiKey, authHeader), turn);
  if (operation === 'publishAgentRevision') return expectPublishingAuthHeader(session, credentials);
  const reply =
    operation === 'deleteDriveTree'
      ? (await deletedTree(session, authHeader)).reply
      : await sendWith(session, operation, credentials);
  await expectSuccess(session, reply, accepted);
  if (listOperations.includes(operation)) await expectOtherKeyTaken(session, operation, authHeader);
  return undefined;
}

const listOperations: readonly OperationId[] = ['listAgents', 'listDrives', 'listMcpServers'];

// A key of a different shape. If neither header accepts it, it is not valid.
async function expectOtherKeyTaken(
  session: Session,
  operation: OperationId,
  authHeader: AuthHeaderName,
): Promise<void> {
  const { otherApiKey } = session.settings;
  if (otherApiKey === undefined) return;
  const callWith = (one: AuthHeaderName) => session.call(operation, { credentials: validKey(otherApiKey, one) });
  const reply = await callWith(authHeader);
  if (reply.isSuccess || !(await callWith(otherAuthHeader[authHeader])).isSuccess) return;
  await expectSuccess(session, reply, accepted);
}

// How many creations, which names and which URLs a target accepts is open.
async function sendWith(session: Session, operation: OperationId, credentials: Credentials): Promise<Reply> {
  const reply = await sendValid(session, operation, { credentials });
  if (operation === 'listMcpServerTools') {
    requireReachable(session, reply);
    if (await isDelisted(session, reply)) throw new Inconclusive('QUIET', say`${requestLine(reply)}: ${delisted}`);
  }
  if (reply.isSuccess || (operation !== 'createDrive' && operation !== 'createMcpServer')) return reply;
  requireAcceptedInput(operation, await attemptSharedCreation(session, operation, 'first'));
  await requireRoom(session, operation, reply);
  return reply;
}

// An error response that is not about the key shows that the key was accepted.
async function expectPublishingAuthHeader(session: Session, credentials: Credentials): Promise<Sentence | undefined> {
  await firstPublication(session);
  const reply = await sendPublication(session, { credentials });
  if (await isRefusedAsActive(session, reply)) {
    return say`Refused with status ${reply.status}: publishing the active revision again is open (open point republish).`;
  }
  await expectSuccess(session, reply, accepted);
  return undefined;
}

/** What else is wrong in the requests, besides the key. Lists without parameters have no input. */
const wrongOtherwise: Partial<Record<OperationId, string>> = {
  publishAgentRevision:
    'Publishes an agent that does not exist, with invalid bodies, without a key and with an unknown one.',
  createDrive: 'Sends invalid bodies, without a key and with an unknown one.',
  listDrives: 'Sends an invalid limit and offset, without a key and with an unknown one.',
  getDriveFile: 'Reads a file that does not exist, without a key and with an unknown one.',
  updateDriveFile:
    'Moves a file that does not exist, with invalid bodies and paths, without a key and with an unknown one.',
  deleteDriveTree:
    'Deletes trees of a drive that does not exist, with invalid paths, without a key and with an unknown one.',
  createMcpServer: 'Sends invalid bodies, without a key and with an unknown one.',
  listMcpServerTools: 'Lists the tools of an MCP server that does not exist, without a key and with an unknown one.',
};

/** Checks with requests that are wrong in two ways: their key and what they ask for. */
function keyFirstChecks(operation: OperationId): Check[] {
  const does = wrongOtherwise[operation];
  if (does === undefined) return [];
  const { phase, refused } = operationUses[operation];
  const more = { ...refused, effects: {}, isAboutKeys: true };
  const check = checksOf(operation, refused?.phase ?? phase);
  const letsNobodyIn = (session: Session) => expectNobodyIn(session, operation);
  const judgesKeyFirst = (session: Session) => expect401First(session, operation);
  // For the tools of MCP servers 401 is stated: that check is with the others of this operation.
  const isStated = operation === 'listMcpServerTools';
  return [
    check('wrong-input-is-not-let-through', does, letsNobodyIn, more),
    ...(isStated ? [] : [check('key-comes-first', `${does} Checks the status.`, judgesKeyFirst, more)]),
  ];
}

async function expectNobodyIn(session: Session, operation: OperationId): Promise<void> {
  const replies = await wrongReplies(session, operation);
  for (const reply of replies) if (reply.isSuccess) expectRefusal(reply, say`the request was accepted`);
  for (const reply of replies) requireConclusive(reply);
}

// The other error must not decide: a response that depends on it tells strangers what exists.
async function expect401First(session: Session, operation: OperationId): Promise<void> {
  for (const reply of await wrongReplies(session, operation)) {
    if (reply.status === 401) continue;
    requireConclusive(reply);
    throw new Violated(say`status 401, whatever else is wrong`, describeReply(reply), [reply]);
  }
}

/** The replies to requests without a valid key that also have another error. */
const wrongReplies = oncePerRun(async (session, operation: OperationId): Promise<Reply[]> => {
  // A broken target might create something.
  if (operation === 'createDrive' || operation === 'createMcpServer') session.requireWrites();
  // The unknown file must be in an existing drive, so this throws without one.
  operationUses[operation].unknown?.(session);
  const requests = wrongRequests(session, operation).flatMap((input, index) => {
    const wrong = invalidKey(unknownKey(session), index % 2 === 0 ? 'bearer' : 'header');
    return [noKey, wrong].map((credentials) => ({ ...input, credentials }));
  });
  const send = async (input: CallInput) => ({ input, first: await session.call(operation, input) });
  const replies: Reply[] = [];
  for (const { input, first } of await inParallel(requests, send)) {
    replies.push(await outOfTheWay(session, first, () => session.call(operation, input)));
  }
  return replies;
});

const inTheWay = [409, 423];

/** A target may accept one write at a time, and check that before the key: then the request is sent once more. */
async function outOfTheWay(session: Session, first: Reply, send: () => Promise<Reply>): Promise<Reply> {
  const isFree = ({ status }: Reply) => !inTheWay.includes(status);
  return isFree(first) ? first : (await session.patience.settle('ready', send, isFree)).seen;
}
