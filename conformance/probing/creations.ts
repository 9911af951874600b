// Creates drives and MCP servers, and says what the run has created so far.

import { decodeQuery } from '../../lib/query.ts';
import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { isSameUrl } from '../../openapi/model/values.ts';
import { isObject, parseJson } from '../../openapi/reading/messages.ts';
import { largestPage } from '../../openapi/reading/pages.ts';
import { isInputRefused } from '../../openapi/reading/statuses.ts';
import { oncePerRun } from '../run/once.ts';
import { Inconclusive } from '../run/signals.ts';
import { noId } from '../safety/receipt.ts';
import { authHeaderIn, carries, validKey } from '../target/credentials.ts';
import { idOf, inconclusive, items, judgesShape, member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { CallInput, CallOptions, Session } from '../target/session.ts';
import { findById, isComplete, type Listing, type ListOperation, readInFull, readList } from './lists.ts';
import { markIn, type NameShape, otherShapes, shapesLike, usualShape } from './names.ts';

/** The two operations that create something. */
export type CreateOperation = 'createDrive' | 'createMcpServer';

/** How the two kinds of creations differ. `listed` judges whether the list shows them; `effect` is their name in effects. */
export const creationKinds = {
  createDrive: {
    list: 'listDrives',
    listed: 'listDrives.created-drive',
    kind: 'drive',
    noun: 'drive',
    effect: 'drives',
    othersEffect: 'otherDrives',
    shared: 'firstDrive',
  },
  createMcpServer: {
    list: 'listMcpServers',
    listed: 'listMcpServers.created-server',
    kind: 'mcpServer',
    noun: 'MCP server',
    effect: 'mcpServers',
    othersEffect: 'otherMcpServers',
    shared: 'firstMcpServer',
  },
} as const satisfies Record<CreateOperation, { list: ListOperation; [name: string]: string }>;

/** The body of a creation. */
export interface CreationBody {
  name: string;
  url?: string;
}

/** A creation that was sent, whatever the result. */
interface Attempt {
  sent: CreationBody;
  reply: Reply;
  /** Whether names like those in the list were refused as well. */
  hasTriedListed?: boolean;
}

/** A creation that succeeded. */
export interface Creation extends Attempt {
  operation: CreateOperation;
  id: string;
}

const madeUp = 'https://mcp.example.com/';

/** The body of a creation with a name, and a URL that nobody serves. */
export function creationBody(operation: CreateOperation, name: string): CreationBody {
  if (operation === 'createDrive') return { name };
  return { name, url: `${madeUp}${encodeURIComponent(name.replaceAll(' ', '-'))}` };
}

/** The body of a creation with a new name and, if needed, a URL, in a form that the target accepts. */
export function newBody(session: Session, operation: CreateOperation): CreationBody {
  const { nameShapes, acceptedUrl } = session.learned;
  const body = creationBody(operation, session.newName(nameShapes[operation]));
  return body.url === undefined ? body : { ...body, url: acceptedUrl ?? body.url };
}

/** Sends a creation, accepts any result, and notes what it leaves behind. `input` may change how the body is sent. */
export async function sendCreation(
  session: Session,
  operation: CreateOperation,
  body: CreationBody,
  input: CallInput = {},
): Promise<Reply> {
  session.requireWrites();
  const { acceptedUrl } = session.learned;
  const json = body.url?.startsWith(madeUp) && acceptedUrl !== undefined ? { ...body, url: acceptedUrl } : body;
  const reply = await session.call(operation, { json, ...input });
  if (reply.isSuccess) {
    const { kind } = creationKinds[operation];
    const id = idOf(reply.json) ?? noId;
    session.receipt.note({ kind, id, name: body.name, note: leftoverNote(session, body.name) });
  }
  return reply;
}

/** What a creation leaves behind, in words. */
export function leftoverNote({ runId }: Session, name: string): Sentence {
  const mark = markIn(name, runId);
  if (mark === runId) return say`cannot be deleted through the API`;
  if (mark === undefined) return say`cannot be deleted through the API; named without the run id`;
  return say`cannot be deleted through the API; named with ${own(mark)} in place of the run id`;
}

/** Sends one of the two shared creations of each kind. */
export const attemptSharedCreation = oncePerRun(
  async (session, operation: CreateOperation, _which: 'first' | 'second'): Promise<Attempt> => {
    const sent = newBody(session, operation);
    const attempt = { sent, reply: await sendCreation(session, operation, sent) };
    return mayBeAboutTheInput(operation, attempt.reply) ? tryOthers(session, operation, attempt) : attempt;
  },
);

/**
 * Sends a creation with a new name. If it is refused, possibly for its name or URL, the shared creation finds out which
 * ones are accepted, and a similar one is sent.
 */
export async function sendNewCreation(
  session: Session,
  operation: CreateOperation,
  options: CallOptions = {},
): Promise<Attempt> {
  const send = async () => {
    const sent = newBody(session, operation);
    return { sent, reply: await sendCreation(session, operation, sent, options) };
  };
  const attempt = await send();
  if (options.credentials?.isValid === false || !mayBeAboutTheInput(operation, attempt.reply)) return attempt;
  const known = acceptedInput(session, operation);
  await attemptSharedCreation(session, operation, 'first');
  return acceptedInput(session, operation) === known ? attempt : send();
}

/** What is known so far about the names and URLs that the target accepts, as text to compare. */
export function acceptedInput({ learned }: Session, operation: CreateOperation): string {
  return JSON.stringify([learned.nameShapes[operation]?.id, learned.acceptedUrl]);
}

function isMadeUp({ url = '' }: CreationBody): boolean {
  return url.startsWith(madeUp);
}

// These are about payment, the path, the method or the media type.
const neverAboutTheInput = [402, 404, 405, 406, 411, 415];

// The target may have tried the URL and found nothing.
function mayBeAboutTheInput(operation: CreateOperation, reply: Reply): boolean {
  if (operation === 'createMcpServer' && reply.status === 404) return true;
  return isInputRefused(reply) && !neverAboutTheInput.includes(reply.status);
}

// Which names and URLs a target accepts is open (`nameRules`, `mcpUrlRules`); it accepted those in its list.
async function tryOthers(session: Session, operation: CreateOperation, refused: Attempt): Promise<Attempt> {
  const listed = await listedInput(session, operation);
  const hasTriedListed = listed.names.length > 0;
  let last = refused;
  for (const { shape, sent } of others(session, operation, refused.sent, listed)) {
    last = { sent, reply: await sendCreation(session, operation, sent), hasTriedListed };
    if (last.reply.isSuccess) return learn(session, operation, shape, last);
    if (!mayBeAboutTheInput(operation, last.reply)) return last;
  }
  return last;
}

/** The names that the list shows, without those of this run, and a URL. */
interface ListedInput {
  names: string[];
  url: string | undefined;
}

async function listedInput(session: Session, operation: CreateOperation): Promise<ListedInput> {
  const listing = await readList(session, creationKinds[operation].list).catch(() => undefined);
  const textsIn = (field: string) =>
    (listing?.items ?? []).map((item) => member(item, field)).filter((value) => typeof value === 'string');
  const names = textsIn('name').filter((name) => markIn(name, session.runId) === undefined);
  return { names, url: operation === 'createMcpServer' ? textsIn('url')[0] : undefined };
}

/** Bodies with a different URL, a different name, and both. */
function* others(session: Session, operation: CreateOperation, refused: CreationBody, listed: ListedInput) {
  const usual = session.learned.nameShapes[operation] ?? usualShape;
  // Once a creation has succeeded, its name was not the reason.
  const isNameKnown = session.successesOf(operation).length > 0;
  const shapes = isNameKnown ? [usual] : [usual, ...otherShapes, ...shapesLike(listed.names)];
  for (const shape of shapes) {
    const name = session.newName(shape);
    if (shape !== usual)
      yield { shape, sent: refused.url === undefined ? { name } : { name, url: urlFor(name, refused.url) } };
    if (listed.url !== undefined) yield { shape, sent: { name, url: listed.url } };
  }
}

// Made-up URLs are all different, since they may have to be.
function urlFor(name: string, url: string): string {
  return url.startsWith(madeUp) ? (creationBody('createMcpServer', name).url ?? url) : url;
}

function learn({ learned }: Session, operation: CreateOperation, shape: NameShape, accepted: Attempt): Attempt {
  if (shape !== usualShape) learned.nameShapes[operation] = shape;
  if (accepted.sent.url !== undefined && !isMadeUp(accepted.sent)) learned.acceptedUrl = accepted.sent.url;
  return accepted;
}

// The URL may be registered already, or not be allowed.
const perhapsListed = [403, 409, 451];

/** Throws {@link Inconclusive} if no name or URL that the target accepts is known: which ones it accepts is open. */
export function requireAcceptedInput(operation: CreateOperation, { sent, reply, hasTriedListed }: Attempt): void {
  if (reply.isSuccess || !mayBeAboutTheInput(operation, reply)) return;
  const isAboutUrl = sent.url !== undefined && (isMadeUp(sent) || perhapsListed.includes(reply.status));
  if (isAboutUrl)
    throw inconclusive(reply, 'HOST', say` The target may accept only URLs of servers that it can reach.`);
  if (hasTriedListed) return;
  throw inconclusive(reply, 'INPUT', say` Which names it accepts is open, and its list shows none.`);
}

const storageStatuses = [402, 507];

/**
 * Throws {@link Inconclusive} if a creation may have been refused because there are too many: limits are not stated
 * (section 8). It assumes so if an earlier creation succeeded, and a similar one is refused now.
 */
export async function requireRoom(session: Session, operation: CreateOperation, refusal: Reply): Promise<void> {
  const { status } = refusal;
  const full = inconclusive(refusal, 'INPUT', say` The target may limit their number.`);
  if (storageStatuses.includes(status)) throw full;
  const earlier = session.successesOf(operation).at(-1);
  if (earlier === undefined || status < 400 || status >= 500 || status === 401) return;
  const body = newBody(session, operation);
  const credentials = validKey(session.settings.apiKey, authHeaderIn(earlier.request.headers));
  const control = await sendCreation(session, operation, body, { credentials });
  if (!control.isSuccess) throw full;
}

/** One of the two shared creations of each kind. Throws {@link Inconclusive} if it did not succeed. */
export async function sharedCreation(
  session: Session,
  operation: CreateOperation,
  which: 'first' | 'second',
): Promise<Creation> {
  const { sent, reply } = await attemptSharedCreation(session, operation, which);
  return requireCreation(operation, sent, reply);
}

/** Both shared creations. */
export async function sharedCreations(session: Session, operation: CreateOperation): Promise<[Creation, Creation]> {
  return [await sharedCreation(session, operation, 'first'), await sharedCreation(session, operation, 'second')];
}

/**
 * Throws {@link Inconclusive} unless a creation succeeded. A refusal where others succeeded says nothing: how many
 * resources a target accepts is open.
 */
export function requireAccepted(operation: CreateOperation, reply: Reply): void {
  const mayBeFull = reply.status >= 400 && reply.status < 500 && ![401, 429].includes(reply.status);
  if (mayBeFull) throw inconclusive(reply, 'INPUT', say` The target may limit their number.`, `${operation}.is-served`);
  requireSuccess(reply, `${operation}.is-served`);
}

/** A creation that the check needs. Throws {@link Inconclusive} if it did not succeed. */
export function requireCreation(operation: CreateOperation, sent: CreationBody, reply: Reply): Creation {
  requireAccepted(operation, reply);
  const id = idOf(reply.json);
  if (id !== undefined) return { operation, sent, reply, id };
  throw new Inconclusive('PREREQUISITE', say`The response to ${own(operation)} has no id.`, ...judgesShape(operation));
}

/** Reads the list until it shows all of these creations, or the time to settle is up. */
export async function awaitListed(
  session: Session,
  creations: readonly Creation[],
): Promise<{ listing: Listing; missing: Creation[] }> {
  const [first] = creations;
  if (first === undefined) throw new Error('nothing to wait for');
  const { list } = creationKinds[first.operation];
  const missingIn = (listing: Listing) => creations.filter(({ id }) => findById(listing, id) === undefined);
  const look = async () => {
    const listing = await readList(session, list);
    return missingIn(listing).length === 0 ? listing : readInFull(session, listing);
  };
  // A list too long to be read to its end is not read again and again.
  const isEnough = (listing: Listing) => missingIn(listing).length === 0 || !isComplete(listing);
  const { seen, pausedMs } = await session.patience.settle('listed', look, isEnough);
  const missing = missingIn(seen);
  if (missing.length === 0) session.noteDelay('creation', pausedMs);
  return { listing: seen, missing };
}

/** The organizations that the run knows, by the key that acts for them. */
export type Whose = 'own' | 'other';

/** Whose key a request carried; undefined if it carried neither. */
export function whoSent({ settings }: Session, { request }: Reply): Whose | undefined {
  if (!request.isAuthenticated) return undefined;
  if (carries(request.headers, settings.apiKey)) return 'own';
  return settings.otherApiKey !== undefined && carries(request.headers, settings.otherApiKey) ? 'other' : undefined;
}

/** The successful replies so far of an operation to one organization's key. */
export function successesFor(session: Session, operation: OperationId, whose: Whose): Reply[] {
  return session.successesOf(operation).filter((reply) => whoSent(session, reply) === whose);
}

/** The items in a list response or a page of drives. */
export function listedIn({ request, json }: Reply): unknown[] {
  return items(request.operation === 'listDrives' ? member(json, 'data') : json);
}

/** An integer query parameter of a request, if sent once; undefined otherwise. */
export function sentInteger({ request }: Reply, name: string): number | undefined {
  const [, query = ''] = request.path.split(/\?(.*)/s);
  const values = decodeQuery(query).filter((pair) => pair.name === name);
  const [only] = values;
  return values.length === 1 && /^-?\d{1,9}$/.test(only?.value ?? '') ? Number(only?.value) : undefined;
}

/** The JSON object that a request carried. */
export function sentObject({ request }: Reply): Record<string, unknown> {
  const value = parseJson(request.body ?? '')?.value;
  return isObject(value) ? value : {};
}

/** A successful creation. */
export interface Created {
  operation: CreateOperation;
  whose: Whose;
  sent: Partial<Record<keyof CreationBody, unknown>>;
  reply: Reply;
}

/** Everything that the run created so far with a valid key. */
export function createdSoFar(session: Session, operation: CreateOperation): Created[] {
  return session.successesOf(operation).flatMap((reply) => {
    const whose = whoSent(session, reply);
    return whose === undefined ? [] : [{ operation, whose, sent: sentObject(reply), reply }];
  });
}

/** Whether a list has shown a key anything that the run created with it, which is a should (4.3, 4.4, 4.8, 4.9). */
export function hasShownCreations(session: Session, operation: CreateOperation, whose: Whose): boolean {
  const created = createdSoFar(session, operation).filter((one) => one.whose === whose);
  const ids = new Set(created.map(({ reply }) => idOf(reply.json)).filter((id) => id !== undefined));
  const replies = successesFor(session, creationKinds[operation].list, whose);
  return replies.some((reply) => listedIn(reply).some((item) => ids.has(idOf(item) ?? '')));
}

/**
 * Throws {@link Inconclusive} if no list has shown a key anything that the run created with it: then no single creation
 * can be called missing.
 */
export function requireShownCreations(session: Session, operation: CreateOperation, whose: Whose): void {
  if (hasShownCreations(session, operation, whose)) return;
  const { list, listed } = creationKinds[operation];
  throw new Inconclusive(
    'PREREQUISITE',
    say`The list shows nothing that the run created.`,
    listed,
    ...judgesShape(list),
  );
}

/** The operation that creates what a list shows. */
export function creationOf(list: ListOperation): CreateOperation | undefined {
  return (Object.keys(creationKinds) as CreateOperation[]).find((one) => creationKinds[one].list === list);
}

/** Whether one reply certainly shows the whole list. For drives: if some page held more items than this one. */
export function showsAll(session: Session, reply: Reply): boolean {
  if (!reply.isSuccess) return false;
  if (reply.request.operation !== 'listDrives') return true;
  const count = listedIn(reply).length;
  return (
    isFirstAndFull(reply) &&
    session.successesOf('listDrives').some((page) => isFirstAndFull(page) && listedIn(page).length > count)
  );
}

/** Whether a page starts at the first drive, and a hundred were requested. */
export function isFirstAndFull(reply: Reply): boolean {
  return sentInteger(reply, 'offset') === 0 && sentInteger(reply, 'limit') === largestPage;
}

/** A field that shows a different value from the one sent. */
interface Difference {
  expected: Sentence;
  actual: Sentence;
}

/** How a created resource, as shown, differs from what was sent; undefined if it does not. */
export function differenceFrom(sent: Created['sent'], shown: unknown): Difference | undefined {
  for (const name of ['name', 'url'] as const) {
    const [asked, value] = [sent[name], member(shown, name)];
    if (typeof asked !== 'string' || value === undefined || isKept(name, asked, value)) continue;
    return { expected: say`${own(name)}: ${asJson(asked)}`, actual: asJson(value) };
  }
  return undefined;
}

function isKept(name: 'name' | 'url', asked: string, value: unknown): boolean {
  return name === 'url' ? isSameUrl(String(value), asked) : value === asked || !isPlain(asked);
}

// Outer blanks may be removed (open point `nameRules`), and an empty name may count as missing (open point
// `requiredFields`); separate checks judge accents and emoji.
function isPlain(name: string): boolean {
  return (
    name !== '' &&
    name === name.trim() &&
    name.normalize('NFD') === name.normalize('NFC') &&
    !/\p{Extended_Pictographic}/u.test(name)
  );
}

/** A creation with the name of an earlier one, whatever the result. */
export const sameName = oncePerRun(async (session, operation: CreateOperation): Promise<Reply> => {
  const { sent } = await sharedCreation(session, operation, 'first');
  const reply = await sendCreation(session, operation, { ...newBody(session, operation), name: sent.name });
  if (reply.isSuccess) {
    await readList(session, creationKinds[operation].list).catch((error: unknown) => {
      if (!(error instanceof Inconclusive)) throw error;
    });
  }
  return reply;
});

/** A registration of the URL of an earlier MCP server under a new name, whatever the result. */
export async function sameUrl(session: Session): Promise<{ sent: CreationBody; reply: Reply }> {
  const { url = '' } = (await sharedCreation(session, 'createMcpServer', 'first')).sent;
  const sent = { ...newBody(session, 'createMcpServer'), url };
  return { sent, reply: await sendCreation(session, 'createMcpServer', sent) };
}
