import type { CallInput, Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { validKey } from '../target/credentials.ts';
import { idOf, member, poll, presume, requestLine, whatCame } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { find, type Listing, type ListOperation, readList } from './lists.ts';
import { noId } from './receipt.ts';

/** The two operations that create something. */
export type CreateOperation = 'createDrive' | 'createMcpServer';

/** What tells the two kinds of creations apart. */
export const creationKinds = {
  createDrive: { list: 'listDrives', kind: 'drive', noun: 'drive' },
  createMcpServer: { list: 'listMcpServers', kind: 'mcpServer', noun: 'MCP server' },
} as const satisfies Record<CreateOperation, { list: ListOperation; kind: 'drive' | 'mcpServer'; noun: string }>;

/** Something that was created, and what was sent. */
export interface Creation {
  operation: CreateOperation;
  sent: { name: string; url?: string };
  reply: Reply;
  id: string;
}

const madeUp = 'https://mcp.example.com/';

/** The body of a creation with a name. The URL is one that nobody serves. */
export function creationBody(operation: CreateOperation, name: string): { name: string; url?: string } {
  if (operation === 'createDrive') return { name };
  return { name, url: `${madeUp}${encodeURIComponent(name.replaceAll(' ', '-'))}` };
}

/** Sends a creation, whatever comes of it, and notes what stays behind. `how` may send the body in another way. */
export async function sendCreation(
  session: Session,
  operation: CreateOperation,
  body: { name: string; url?: string },
  how: CallInput = {},
): Promise<Reply> {
  session.requireWrites();
  const isMadeUp = body.url?.startsWith(madeUp) === true && session.acceptedUrl !== undefined;
  const json = isMadeUp ? { ...body, url: session.acceptedUrl } : body;
  const reply = await session.call(operation, { json, ...how });
  if (reply.isSuccess) noteCreation(session, operation, reply, body.name);
  return reply;
}

function noteCreation(session: Session, operation: CreateOperation, reply: Reply, name: string): void {
  const { kind } = creationKinds[operation];
  const id = idOf(reply.json);
  // Two of them must not hide each other: each has a name of its own.
  session.receipt.note({
    kind,
    id: id ?? noId,
    name,
    note: 'the API has no operation that deletes it',
  });
}

/** Tries to create something that other checks look at; remembered by `name`, whatever came of it. */
export function attempted(session: Session, operation: CreateOperation, name: 'first' | 'second'): Promise<Attempt> {
  return session.once(`${operation} ${name}`, async () => {
    const body = creationBody(operation, session.newName());
    const sent = body.url === undefined ? body : { ...body, url: session.acceptedUrl ?? body.url };
    const reply = await sendCreation(session, operation, sent);
    const mayBeUrl = sent.url?.startsWith(madeUp) === true && [400, 409, 422, 424].includes(reply.status);
    return mayBeUrl ? withListedUrl(session, { sent, reply }) : { sent, reply };
  });
}

type Attempt = Pick<Creation, 'sent' | 'reply'>;

// A target may take the URLs alone that it reaches (open point `mcpUrlRules`): what it lists is one of these.
async function withListedUrl(session: Session, refused: Attempt): Promise<Attempt> {
  const listing = await readList(session, 'listMcpServers').catch(() => undefined);
  const url = listing?.items.map((item) => member(item, 'url')).find((value) => typeof value === 'string');
  if (url === undefined) return refused;
  const sent = { name: session.newName(), url };
  const reply = await sendCreation(session, 'createMcpServer', sent);
  if (reply.isSuccess) session.acceptedUrl = url;
  return { sent, reply };
}

/** Throws `Unverified` when no URL was found that the target takes: which it takes is open. */
export function requireUrl({ sent, reply }: Attempt): void {
  if (reply.isSuccess || sent.url === undefined || ![400, 409, 422, 424].includes(reply.status)) return;
  if (!sent.url.startsWith(madeUp) && reply.status !== 409) return;
  const reason = `${requestLine(reply)}: ${whatCame(reply)}. The target may take the URLs of servers that it reaches.`;
  throw new Unverified('HOST', reason);
}

const saidToBeFull = [402, 507];

/**
 * Throws `Unverified` when a creation was refused for what it would add: how many there may be is not shown (section 8).
 * That is told by a creation that succeeded before, and one like it that is refused as well.
 */
export async function requireRoom(session: Session, operation: CreateOperation, refusal: Reply): Promise<void> {
  const { status } = refusal;
  if (saidToBeFull.includes(status)) throw full(refusal);
  const earlier = session.successes(operation).at(-1);
  if (earlier === undefined || status < 400 || status >= 500 || status === 401) return;
  const carrier = 'X-API-Key' in earlier.sending.headers ? 'header' : 'bearer';
  const body = creationBody(operation, session.newName());
  const credentials = validKey(session.settings.apiKey, carrier);
  const control = await sendCreation(session, operation, body, { credentials });
  if (!control.isSuccess) throw full(refusal);
}

function full(refusal: Reply): Unverified {
  const reason = `${requestLine(refusal)}: ${whatCame(refusal)}. There may be a limit to how many the target takes.`;
  return new Unverified('DATA', reason);
}

/** Something that was created for other checks to look at. */
export async function created(
  session: Session,
  operation: CreateOperation,
  name: 'first' | 'second',
): Promise<Creation> {
  const { sent, reply } = await attempted(session, operation, name);
  return toCreation(operation, sent, reply);
}

/** A creation that must have succeeded to go on with. */
export function toCreation(operation: CreateOperation, sent: Creation['sent'], reply: Reply): Creation {
  presume(reply, `${operation}.is-served`);
  const id = idOf(reply.json);
  if (id === undefined) {
    throw new Unverified('PREREQUISITE', `The answer of ${operation} has no id. See ${operation}.fields-present.`);
  }
  return { operation, sent, reply, id };
}

/** Reads the list until it shows all of these, or the time to settle is over. */
export async function awaitListed(
  session: Session,
  creations: readonly Creation[],
): Promise<{ listing: Listing; missing: Creation[] }> {
  const [first] = creations;
  if (first === undefined) throw new Error('nothing to wait for');
  const list = creationKinds[first.operation].list;
  const missingIn = (listing: Listing) => creations.filter((creation) => !isListed(listing, creation));
  // A list that is longer than a walk goes is not walked again and again.
  const { seen, tookMs } = await poll(
    session.settings.settleMs,
    () => readList(session, list),
    (listing) => missingIn(listing).length === 0 || !isReadable(listing),
  );
  if (missingIn(seen).length === 0) session.lags.creationMs = Math.max(session.lags.creationMs, tookMs);
  return { listing: seen, missing: missingIn(seen) };
}

function isListed(listing: Listing, creation: Creation): boolean {
  return find(listing, creation.id) !== undefined;
}

function isReadable({ isWhole, isRepeating }: Listing): boolean {
  return isWhole || isRepeating;
}

/** Throws unless a list could be read to its end: then nothing can be said to be missing from it. */
export function requireWhole(listing: Listing): void {
  if (isReadable(listing)) return;
  throw new Unverified(
    'DATA',
    `The list is longer than a walk goes, or does not end; nothing can be said to be missing.`,
  );
}
