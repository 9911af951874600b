import { own, say } from '../../openapi/reading/sentence.ts';
import { oncePerRun } from '../once.ts';
import type { CallInput, Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { carrierIn, validKey } from '../target/credentials.ts';
import { idOf, inconclusive, member, poll, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { findById, isComplete, type Listing, type ListOperation, readList } from './lists.ts';
import { noId } from './receipt.ts';

/** The two operations that create something. */
export type CreateOperation = 'createDrive' | 'createMcpServer';

/** How the two kinds of creations differ. `effect` is their name in the effects of a check. */
export const creationKinds = {
  createDrive: { list: 'listDrives', kind: 'drive', noun: 'drive', effect: 'drives' },
  createMcpServer: { list: 'listMcpServers', kind: 'mcpServer', noun: 'MCP server', effect: 'mcpServers' },
} as const satisfies Record<CreateOperation, { list: ListOperation; [name: string]: string }>;

/** The body of a creation. */
export interface CreationBody {
  name: string;
  url?: string;
}

/** A creation that was sent, with any result. */
interface Attempt {
  sent: CreationBody;
  reply: Reply;
}

/** A creation that succeeded. */
export interface Creation extends Attempt {
  operation: CreateOperation;
  id: string;
}

const madeUp = 'https://mcp.example.com/';

/** The body of a creation with a name. The URL is one that nobody serves. */
export function creationBody(operation: CreateOperation, name: string): CreationBody {
  if (operation === 'createDrive') return { name };
  return { name, url: `${madeUp}${encodeURIComponent(name.replaceAll(' ', '-'))}` };
}

/** Sends a creation, accepts any result, and notes what it leaves behind. `input` may send the body in another way. */
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
    session.receipt.note({ kind, id, name: body.name, note: say`cannot be deleted through the API` });
  }
  return reply;
}

/** Sends one of the two creations of each kind that many checks look at. */
export const attemptSharedCreation = oncePerRun(
  async (session, operation: CreateOperation, _which: 'first' | 'second'): Promise<Attempt> => {
    const body = creationBody(operation, session.newName());
    const sent = body.url === undefined ? body : { ...body, url: session.learned.acceptedUrl ?? body.url };
    const reply = await sendCreation(session, operation, sent);
    return isMadeUp(sent) && mayBeAboutTheUrl(reply) ? withListedUrl(session, { sent, reply }) : { sent, reply };
  },
);

function isMadeUp({ url = '' }: CreationBody): boolean {
  return url.startsWith(madeUp);
}

function mayBeAboutTheUrl({ status }: Reply): boolean {
  return [400, 409, 422, 424].includes(status);
}

// A target may accept only URLs that it reaches (open point `mcpUrlRules`); the URLs that it lists are accepted.
async function withListedUrl(session: Session, refused: Attempt): Promise<Attempt> {
  const listing = await readList(session, 'listMcpServers').catch(() => undefined);
  const url = listing?.items.map((item) => member(item, 'url')).find((value) => typeof value === 'string');
  if (url === undefined) return refused;
  const sent = { name: session.newName(), url };
  const reply = await sendCreation(session, 'createMcpServer', sent);
  if (reply.isSuccess) session.learned.acceptedUrl = url;
  return { sent, reply };
}

/** Throws {@link Unverified} if no URL is known that the target accepts: which ones it accepts is open. */
export function requireAcceptedUrl({ sent, reply }: Attempt): void {
  if (reply.isSuccess || sent.url === undefined || !mayBeAboutTheUrl(reply)) return;
  if (!isMadeUp(sent) && reply.status !== 409) return;
  throw inconclusive(reply, 'HOST', say` The target may accept only URLs of servers that it reaches.`);
}

const storageStatuses = [402, 507];

/**
 * Throws {@link Unverified} if a creation may have been refused because there are too many: limits are not stated (section 8).
 * That is the case if an earlier creation succeeded, and one like it is refused now.
 */
export async function requireRoom(session: Session, operation: CreateOperation, refusal: Reply): Promise<void> {
  const { status } = refusal;
  const full = inconclusive(refusal, 'DATA', say` The target may limit their number.`);
  if (storageStatuses.includes(status)) throw full;
  const earlier = session.successesOf(operation).at(-1);
  if (earlier === undefined || status < 400 || status >= 500 || status === 401) return;
  const body = creationBody(operation, session.newName());
  const credentials = validKey(session.settings.apiKey, carrierIn(earlier.request.headers));
  const control = await sendCreation(session, operation, body, { credentials });
  if (!control.isSuccess) throw full;
}

/** One of the two creations of each kind that many checks look at. Throws {@link Unverified} if it did not succeed. */
export async function sharedCreation(
  session: Session,
  operation: CreateOperation,
  which: 'first' | 'second',
): Promise<Creation> {
  const { sent, reply } = await attemptSharedCreation(session, operation, which);
  return requireCreation(operation, sent, reply);
}

/** Both of the creations that many checks look at. */
export async function sharedCreations(session: Session, operation: CreateOperation): Promise<[Creation, Creation]> {
  return [await sharedCreation(session, operation, 'first'), await sharedCreation(session, operation, 'second')];
}

/** A creation that must have succeeded for the check to go on. Throws {@link Unverified} if it did not. */
export function requireCreation(operation: CreateOperation, sent: CreationBody, reply: Reply): Creation {
  requireSuccess(reply, `${operation}.is-served`);
  const id = idOf(reply.json);
  if (id !== undefined) return { operation, sent, reply, id };
  const name = own(operation);
  throw new Unverified('PREREQUISITE', say`The response to ${name} has no id. See ${name}.fields-present.`);
}

/** Reads the list until it shows all of these creations, or the time to settle is over. */
export async function awaitListed(
  session: Session,
  creations: readonly Creation[],
): Promise<{ listing: Listing; missing: Creation[] }> {
  const [first] = creations;
  if (first === undefined) throw new Error('nothing to wait for');
  const { list } = creationKinds[first.operation];
  const missingIn = (listing: Listing) => creations.filter(({ id }) => findById(listing, id) === undefined);
  // A list that is too long to be read to its end is not read again and again.
  const { seen, tookMs } = await poll(
    session.settings.settleMs,
    () => readList(session, list),
    (listing) => missingIn(listing).length === 0 || !isComplete(listing),
  );
  const missing = missingIn(seen);
  if (missing.length === 0) session.noteDelay('creation', tookMs);
  return { listing: seen, missing };
}
