import { joined, own, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { asksForTaken } from '../../openapi/model/values.ts';
import { isObject } from '../../openapi/reading/messages.ts';
import {
  acceptedInput,
  awaitListed,
  type Created,
  type CreateOperation,
  createdSoFar,
  creationKinds,
  differenceFrom,
  listedIn,
  newBody,
  requireAccepted,
  requireCreation,
  sendCreation,
  sendNewCreation,
  sentObject,
  sharedCreation,
  sharedCreations,
} from '../probing/creations.ts';
import { fileToMove, firstMove, newPath, sendMoveWithRetry } from '../probing/files.ts';
import { ownerOf, ownersNamed, readList, repliesShowing } from '../probing/lists.ts';
import { hardTexts, oddTexts, oddUrls, unusualTexts } from '../probing/names.ts';
import { operationUses, successfulReplies } from '../probing/operations.ts';
import { requireOtherOrganization, shownInOtherList } from '../probing/organizations.ts';
import { leftToModel } from '../rules/left-to-model.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { circumstancesOf, isValidRequest } from '../safety/circumstances.ts';
import { type Credentials, withoutValidKey } from '../target/credentials.ts';
import {
  describeReply,
  expectRefusal,
  idOf,
  inconclusive,
  isBusy,
  judgesShape,
  member,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Content } from '../target/request-parts.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf, type Group, type Phase } from './check.ts';
import {
  expectListed,
  expectNameKept,
  expectNumberKept,
  expectOddNamesAnswered,
  expectOnce,
  expectParallel,
  expectRefusedCreateNothing,
  expectSame,
  expectUrlKept,
} from './kept-creations.ts';

/** One check for both kinds of creations. In `rule` and `does`, `{item}` and `{noun}` stand for the kind. */
interface Row {
  rule: string;
  phase: Phase;
  does: string;
  /** Whether the check belongs to the list operation; by default to the creation. */
  isOfList?: boolean;
  /** The group of the check. */
  together?: Group;
  /** How many it creates for itself besides the first shared one. Default: none, it uses the two shared ones. */
  own?: number;
  run(session: Session, operation: CreateOperation): ReturnType<Check['run']>;
  isJudgedByModel?: boolean;
}

const rows: readonly Row[] = [
  {
    rule: 'name-taken-over',
    phase: 'create',
    does: 'Compares the names of two new {noun}s with what was sent.',
    run: (session, operation) => requireField(session, operation, 'name'),
    isJudgedByModel: true,
  },
  {
    rule: 'new-id-each-time',
    phase: 'create',
    does: 'Compares the ids of two new {noun}s.',
    run: async (session, operation) => void (await sharedCreations(session, operation)),
    isJudgedByModel: true,
  },
  {
    rule: 'created-at-is-recent',
    phase: 'create',
    does: 'Compares createdAt of two new {noun}s with the Date header of the response.',
    run: (session, operation) => requireField(session, operation, 'createdAt'),
    isJudgedByModel: true,
  },
  {
    rule: 'name-kept.digits',
    phase: 'create',
    does: 'Creates a new {noun} whose name is a number with leading zeros.',
    together: 'creations',
    own: 1,
    run: expectNumberKept,
  },
  ...[...unusualTexts, ...oddTexts].map(
    ({ rule, does, text }): Row => ({
      rule: `name-kept.${rule}`,
      phase: 'create',
      does: `Creates a new {noun} with a name that contains ${does}.`,
      together: 'creations',
      own: 1,
      run: (session, operation) => expectNameKept(session, operation, text),
    }),
  ),
  {
    rule: 'odd-name-answered',
    phase: 'create',
    does: 'Creates {noun}s with names that contain a NUL, control characters, and up to 5,000 characters.',
    together: 'creations',
    own: Object.keys(hardTexts).length,
    run: expectOddNamesAnswered,
  },
  {
    rule: 'refused-creates-nothing',
    phase: 'list',
    does: 'Sends creations that are refused, and compares the list before and after.',
    own: 0,
    run: expectRefusedCreateNothing,
  },
  {
    rule: 'belongs-to-organization',
    phase: 'list',
    does: 'Compares the owner of two new {noun}s with the owner of the others in the list.',
    run: expectOwner,
  },
  {
    isOfList: true,
    rule: 'created-{item}',
    phase: 'list',
    does: 'Reads the list until it shows two new {noun}s.',
    run: async (session, operation) => void (await expectListed(session, operation)),
  },
  {
    isOfList: true,
    rule: 'created-{item}-once',
    phase: 'list',
    does: 'Counts two new {noun}s in the list.',
    run: expectOnce,
  },
  {
    isOfList: true,
    rule: 'created-{item}-is-the-same',
    phase: 'list',
    does: 'Compares two new {noun}s in the list with the responses to their creation.',
    run: expectSame,
  },
  {
    isOfList: true,
    rule: 'parallel-creations',
    phase: 'list',
    does: 'Creates four {noun}s at the same time, and looks for all of them in the list.',
    own: 4,
    run: expectParallel,
  },
];

/** A creation returns what was sent, is listed once, and belongs to the caller's organization (4.3, 4.4, 4.8, 4.9). */
export function creationChecks(operation: CreateOperation): Check[] {
  const { list, noun } = creationKinds[operation];
  const item = operation === 'createDrive' ? 'drive' : 'server';
  return rows.map(({ isOfList, rule, phase, does, own: count, together, run, isJudgedByModel = false }) =>
    checksOf(isOfList ? list : operation, phase, together)(
      rule.replace('{item}', item),
      does.replace('{noun}', noun),
      (session) => run(session, operation),
      { needs: ['writes'], effects: effectsOf(operation, count), isJudgedByModel },
    ),
  );
}

function effectsOf(operation: CreateOperation, count: number | undefined): NonNullable<Check['effects']> {
  // Distinguishing the other organization may need a drive of each.
  if (count === undefined) return { ...operationUses[operation].effects, perhaps: ['driveOfEachOrganization'] };
  const { effect, shared } = creationKinds[operation];
  return { [effect]: count, shared: [shared] };
}

const creatingServer = checksOf('createMcpServer', 'create');

/** An MCP server keeps the URL that was sent, or its canonical spelling. */
export const urlChecks: readonly Check[] = [
  creatingServer(
    'url-taken-over',
    'Compares the URLs of two new MCP servers with what was sent.',
    (session) => requireField(session, 'createMcpServer', 'url'),
    { isJudgedByModel: true },
  ),
  ...oddUrls.map(({ rule, does, url }) =>
    creatingServer(
      `url-kept.${rule}`,
      `Creates an MCP server with ${does} in its URL.`,
      (session) => expectUrlKept(session, url),
      { effects: effectsOf('createMcpServer', 1), together: 'creations' },
    ),
  ),
];

/** A creation without a valid key creates nothing (section 5). */
export function creationRefusalChecks(operation: CreateOperation): Check[] {
  const { noun, effect } = creationKinds[operation];
  return withoutValidKey.map(({ prefix, who, credentials }) =>
    checksOf(operation, 'create', 'creations')(
      `${prefix}-creates-nothing`,
      `Creates a new ${noun} ${who}, then a valid one, and reads the list until it shows the valid one.`,
      (session) => expectNothingCreated(session, operation, credentials(session.runId, 'header')),
      { effects: { [effect]: 1 } },
    ),
  );
}

// The valid creation comes second: once the list shows it, it would also show the earlier one.
async function expectNothingCreated(
  session: Session,
  operation: CreateOperation,
  credentials: Credentials,
): Promise<void> {
  const known = acceptedInput(session, operation);
  const refused = newBody(session, operation);
  await sendCreation(session, operation, refused, { credentials });
  const valid = await sendNewCreation(session, operation);
  // The name alone may have been the reason for the refusal.
  if (acceptedInput(session, operation) !== known) return expectNothingCreated(session, operation, credentials);
  const control = requireCreation(operation, valid.sent, valid.reply);
  const { missing } = await awaitListed(session, [control]);
  if (missing.length === 0) return;
  const { list, listed } = creationKinds[operation];
  const judges = [listed, ...judgesShape(list)];
  throw new Inconclusive('PREREQUISITE', say`The list does not show valid creations either.`, ...judges);
}

/** Both shared creations, whose responses show a field. */
async function requireField(session: Session, operation: CreateOperation, field: 'name' | 'url' | 'createdAt') {
  for (const { reply } of await sharedCreations(session, operation)) {
    if (typeof member(reply.json, field) === 'string') continue;
    throw new Inconclusive('PREREQUISITE', say`The response has no ${own(field)}.`, ...judgesShape(operation));
  }
}

async function expectOwner(session: Session, operation: CreateOperation): Promise<void> {
  const creations = await sharedCreations(session, operation);
  const owners = new Set(creations.map(({ reply }) => ownerOf(reply.json)));
  const { items } = await readList(session, creationKinds[operation].list);
  const known = ownersNamed(items.filter((item) => !creations.some(({ id }) => id === idOf(item))));
  const [owner = ''] = owners;
  const replies = creations.map(({ reply }) => reply);
  if (owners.size > 1) throw new Violated(say`one organizationId for both`, joined(owners), replies);
  if (known.size > 0 && !known.has(owner)) {
    throw new Violated(say`the organizationId of the others in the list: ${joined(known)}`, say`${owner}`, replies);
  }
  if (session.settings.otherApiKey !== undefined) await expectHiddenFromOther(session, operation, replies);
}

async function expectHiddenFromOther(
  session: Session,
  operation: CreateOperation,
  creations: readonly Reply[],
): Promise<void> {
  await requireOtherOrganization(session);
  const { list } = creationKinds[operation];
  const listing = await readList(session, list, session.other);
  const names = new Set(creations.map(({ json }) => member(json, 'name')));
  const leaked = listing.items.find((item) => names.has(member(item, 'name')));
  if (leaked !== undefined) throw shownInOtherList(list, leaked, repliesShowing(listing, leaked));
}

/** A valid body, and how to send it differently. Plain ones like it were accepted before. */
interface Sendable {
  body: Readonly<Record<string, unknown>>;
  send(content: Content): Promise<Reply>;
}

type BodyOperation = CreateOperation | 'updateDriveFile';

/** Bodies of the requests that can be repeated: their media type, and the types of their fields (4). */
export const bodyChecks: readonly Check[] = (['createDrive', 'createMcpServer', 'updateDriveFile'] as const).flatMap(
  (operation) => {
    const together = operation === 'updateDriveFile' ? 'moves' : 'creations';
    const check = checksOf(operation, operationUses[operation].phase, together);
    return [
      check(
        'charset-accepted',
        'Sends a valid body with the media type application/json; charset=utf-8.',
        (session) => expectCharsetAccepted(session, operation),
        effectsOfBody(operation),
      ),
      check(
        'wrong-types-refused',
        'Sends bodies whose fields are arrays or objects, and truncated JSON.',
        (session) => expectWrongTypesRefused(session, operation),
        operation === 'updateDriveFile' ? {} : { effects: { shared: [creationKinds[operation].shared] } },
      ),
    ];
  },
);

function effectsOfBody(operation: BodyOperation): Partial<Check> {
  if (operation === 'updateDriveFile') return {};
  return { effects: { [creationKinds[operation].effect]: 1, shared: [creationKinds[operation].shared] } };
}

async function sendableOf(session: Session, operation: BodyOperation): Promise<Sendable> {
  if (operation === 'updateDriveFile') {
    requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
    const file = await fileToMove(session);
    const path = newPath(session, file);
    return { body: { path }, send: (content) => sendMoveWithRetry(session, file, path, content) };
  }
  await sharedCreation(session, operation, 'first');
  const body = newBody(session, operation);
  return { body: { ...body }, send: (content) => sendCreation(session, operation, body, content) };
}

// The parameter states the obvious: JSON is UTF-8.
async function expectCharsetAccepted(session: Session, operation: BodyOperation): Promise<void> {
  const { body, send } = await sendableOf(session, operation);
  const reply = await send({ raw: { body: JSON.stringify(body), contentType: 'application/json; charset=utf-8' } });
  if (reply.isSuccess) return;
  if (isBusy(reply) || reply.failure !== undefined) throw inconclusive(reply);
  // If the reason were a different one, a plain request would be refused too.
  const twin = await plainTwin(session, operation);
  if (operation === 'updateDriveFile') requireSuccess(twin, 'updateDriveFile.is-served');
  else requireAccepted(operation, twin);
  throw new Violated(say`a 2xx status: the body is declared as application/json`, describeReply(reply), [reply]);
}

async function plainTwin(session: Session, operation: BodyOperation): Promise<Reply> {
  if (operation !== 'updateDriveFile') return sendCreation(session, operation, newBody(session, operation));
  const file = await fileToMove(session);
  return sendMoveWithRetry(session, file, newPath(session, file));
}

// A number or a boolean may be converted to text, which is open.
async function expectWrongTypesRefused(session: Session, operation: BodyOperation): Promise<void> {
  for (const wrong of [inArray, inObject]) {
    const { body, send } = await sendableOf(session, operation);
    const json = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, wrong(value)]));
    expectRefusal(await send({ json }), say`${own(fieldOf(operation))} was accepted: it is not a string`);
  }
  const { body, send } = await sendableOf(session, operation);
  const cut = JSON.stringify(body).slice(0, -1);
  expectRefusal(await send({ raw: { body: cut, contentType: 'application/json' } }), say`truncated JSON was accepted`);
}

const inArray = (value: unknown) => [value];
const inObject = (value: unknown) => ({ value });

function fieldOf(operation: OperationId): string {
  return operation === 'updateDriveFile' ? 'a path in an array or object' : 'a name in an array or object';
}

/** Every response to a creation in the run, whatever its purpose (4.3, 4.8). */
export function createdAnswerChecks(operation: CreateOperation): Check[] {
  const { noun } = creationKinds[operation];
  const check = checksOf(operation, 'judge');
  return [
    check('each-answer-repeats-the-request', 'Compares every response with what was sent.', (session) =>
      expectRepeated(session, operation),
    ),
    leftToModel(
      operation,
      'each-owner',
      `Compares the owner of every new ${noun} with the owner that the lists showed before.`,
    ),
    check('each-one-succeeds', 'Counts the ordinary creations that failed.', (session) =>
      expectNoFailures(session, operation),
    ),
  ];
}

async function expectRepeated(session: Session, operation: CreateOperation): Promise<void> {
  await successfulReplies(session, operation);
  const created = createdSoFar(session, operation);
  for (const { sent, reply } of created) {
    const difference = differenceFrom(sent, reply.json);
    if (difference !== undefined && !isEarlier(session, operation, sent, reply))
      throw new Violated(difference.expected, difference.actual, [reply]);
  }
}

// What to do about a name or a URL that is taken is open, also to return the earlier resource, of this run or before it.
function isEarlier(session: Session, operation: CreateOperation, sent: Created['sent'], reply: Reply): boolean {
  const isBefore = (other: Reply) => other.receivedAtMs <= reply.sentAtMs;
  const created = session.successesOf(operation).filter(isBefore);
  const listed = session.successesOf(creationKinds[operation].list).filter(isBefore);
  return [...created.map(({ json }) => json), ...listed.flatMap(listedIn)].some(
    (item) => isObject(item) && idOf(item) === idOf(reply.json) && asksForTaken(sent, item),
  );
}

/** Statuses of a server or gateway that failed. Not 503, which may be a rate limit. */
const failures = [500, 502, 504];

/** No name of the suite that is not meant to be long has more characters, and no URL. */
const longestUsual = 100;

// If a gateway fails for a moment, other requests fail as well.
async function expectNoFailures(session: Session, operation: CreateOperation): Promise<void> {
  await successfulReplies(session, operation);
  const valid = session
    .repliesOf(operation)
    .filter(({ request }) => request.isAuthenticated && isValidRequest(request));
  const accepted = new Set(valid.filter(({ isSuccess }) => isSuccess).map(oddityOf));
  const plain = valid.filter((reply) => accepted.has(oddityOf(reply)));
  const failed = plain.filter(isFailed);
  const others = session.replies.filter(({ request }) => request.operation !== operation);
  const isElsewhere = others.filter(isFailed).length > others.length / 50;
  if (failed.length < 2 || failed.length < plain.length / 10 || isElsewhere) return;
  const statuses = new Set(failed.map(({ status }) => String(status)));
  const { words, before } = circumstancesOf(session, failed) ?? { words: say``, before: [] };
  const actual = say`${failed.length} of ${plain.length} failed: status ${joined(statuses)}${words}`;
  const expected = say`no creation fails where others like it succeed, with status ${joined(failures.map(String))}`;
  throw new Violated(expected, actual, [...before, ...failed.slice(-1)]);
}

/** What is odd about a creation, the same for all that are odd in the same way; some servers fail on it. */
function oddityOf(reply: Reply): string {
  const { name, url } = sentObject(reply);
  const oddityIn = (text = '') => `${text.replaceAll(/\w/g, '')} ${text.length > longestUsual}`;
  return [name, url].map((text) => oddityIn(text === undefined ? undefined : String(text))).join(' ');
}

function isFailed({ status }: Reply): boolean {
  return failures.includes(status);
}
