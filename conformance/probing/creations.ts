import { own, type Sentence, say } from '../../lib/sentence.ts';
import { isInputRefused } from '../../openapi/reading/statuses.ts';
import { oncePerRun } from '../once.ts';
import type { CallInput, CallOptions, Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { authHeaderIn, validKey } from '../target/credentials.ts';
import { idOf, inconclusive, judgesShape, member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { findById, isComplete, type Listing, type ListOperation, readInFull, readList } from './lists.ts';
import { markIn, type NameShape, otherShapes, shapesLike, usualShape } from './names.ts';
import { noId } from './receipt.ts';

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
  },
  createMcpServer: {
    list: 'listMcpServers',
    listed: 'listMcpServers.created-server',
    kind: 'mcpServer',
    noun: 'MCP server',
    effect: 'mcpServers',
    othersEffect: 'otherMcpServers',
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

function leftoverNote({ runId }: Session, name: string): Sentence {
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
