// The two organizations: whether they are two, and what each is shown.
import { asJson, say } from '../../lib/sentence.ts';
import { inParallel, oncePerRun } from '../run/once.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { type AuthHeaderName, type Credentials, noKey, otherAuthHeader, validKey } from '../target/credentials.ts';
import { idOf, inconclusive, member, refusedTogether, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import {
  type CreateOperation,
  type Creation,
  newBody,
  requireCreation,
  sendCreation,
  sendNewCreation,
  sharedCreation,
} from './creations.ts';
import { findById, type ListOperation, ownerOf, ownersNamed, readList } from './lists.ts';

type Whose = 'own' | 'other';

/** Throws {@link Inconclusive} unless `otherApiKey` is known to be the key of another organization. */
export const requireOtherOrganization = oncePerRun(async (session: Session): Promise<void> => {
  const first = await session.call('listAgents', { credentials: session.other });
  const reply = first.isSuccess ? first : await session.call('listDrives', { credentials: session.other });
  if (reply.status === 401 || reply.status === 403)
    throw new Inconclusive('OTHER_KEY', say`otherApiKey is not accepted: status ${reply.status}.`);
  if (!reply.isSuccess) throw inconclusive(reply);
  const own = await ownersShownTo(session, 'own');
  const other = await ownersShownTo(session, 'other');
  if (own.size > 0 && other.size > 0) return requireDifference(own, other);
  session.requireWrites();
  requireDifference(
    new Set([await ownerOfNewDrive(session, 'own')]),
    new Set([await ownerOfNewDrive(session, 'other')]),
  );
});

/** The owners of the drives and MCP servers that a caller sees, early in the run. */
export const ownersShownTo = oncePerRun(async (session: Session, whose: Whose): Promise<ReadonlySet<string>> => {
  const drives = await readList(session, 'listDrives', session[whose]);
  const servers = await readList(session, 'listMcpServers', session[whose]);
  return ownersNamed([...drives.items, ...servers.items]);
});

// An organization has one id. Equal sets with more owners are a leak, which other checks report.
function requireDifference(own: ReadonlySet<string>, other: ReadonlySet<string>): void {
  const isSame = own.size === 1 && other.size === 1 && [...own][0] === [...other][0];
  if (isSame) throw new Inconclusive('OTHER_KEY', say`otherApiKey is a key of the same organization.`);
}

async function ownerOfNewDrive(session: Session, whose: Whose): Promise<string> {
  const { sent, reply } = await sendNewCreation(session, 'createDrive', { credentials: session[whose] });
  return ownerOf(requireCreation('createDrive', sent, reply).reply.json);
}

/**
 * The violation that the list of one organization shows what the other one created. It says nothing about the creation
 * if that list shows everything.
 */
export function shownInOtherList(list: ListOperation, item: unknown, replies: readonly Reply[]): Violated {
  const expected = say`no trace of it in the list of the other organization`;
  const violation = new Violated(expected, say`the list of the other organization shows it: ${asJson(item)}`, replies);
  violation.see = ['', '.each-answer'].map((suffix) => `${list}.hides-other-organization${suffix}`);
  return violation;
}

/** Throws {@link Inconclusive} if the organizations have resources with the same ids, as if each counted separately. */
export async function requireDistinctIds(session: Session): Promise<void> {
  if (!(await shareIds(session))) return;
  throw new Inconclusive('SAME_IDS', say`The two organizations use the same ids for different resources.`);
}

const shareIds = oncePerRun(async (session: Session): Promise<boolean> => {
  for (const list of ['listDrives', 'listMcpServers'] as const) {
    const own = await readList(session, list);
    const { items } = await readList(session, list, session.other);
    const isShared = (theirs: unknown) => {
      const ours = findById(own, idOf(theirs) ?? '');
      return ours !== undefined && member(theirs, 'organizationId') !== member(ours, 'organizationId');
    };
    if (items.some(isShared)) return true;
  }
  return false;
});

/** The results of the two organizations. */
export interface OfBoth<Got> {
  own: Got[];
  other: Got[];
}

type Caller = readonly [whose: keyof OfBoth<unknown>, credentials: Credentials];

/** The two organizations alternately, in each header that works, and the first one again. */
function callersInTurn(session: Session): Caller[] {
  const { apiKey, otherApiKey = '' } = session.settings;
  const both = authHeadersOf(session).flatMap((authHeader): Caller[] => [
    ['own', validKey(apiKey, authHeader)],
    ['other', validKey(otherApiKey, authHeader)],
  ]);
  return [...both, ...both.slice(0, 1)];
}

function authHeadersOf({ learned: { authHeader, worksInBoth } }: Session): AuthHeaderName[] {
  return worksInBoth ? [authHeader, otherAuthHeader[authHeader]] : [authHeader];
}

/** Asks for a list with exactly the same URL each time: a cache must not take one caller for another. */
export function listAs(
  session: Session,
  operation: ListOperation,
  credentials: Credentials,
  more?: string,
): Promise<Reply> {
  const paging = operation === 'listDrives' ? 'limit=100&offset=0' : undefined;
  const query = [paging, more].filter((part) => part !== undefined).join('&');
  return session.call(operation, { credentials, ...(query === '' ? {} : { query }) });
}

/** The list of each organization, read in turn with the same URL. */
export const listsInTurn = oncePerRun(async (session, operation: ListOperation): Promise<OfBoth<Reply>> => {
  await requireOtherOrganization(session);
  const lists: OfBoth<Reply> = { own: [], other: [] };
  for (const [whose, credentials] of callersInTurn(session)) {
    lists[whose].push(await listOf(session, operation, credentials));
  }
  return lists;
});

/** The list of each organization, read in parallel, together with a request without a key. */
export async function listsAtOnce(
  session: Session,
  operation: ListOperation,
): Promise<OfBoth<Reply> & { keyless: Reply }> {
  await requireOtherOrganization(session);
  const callers = callersInTurn(session).slice(0, 4);
  // Waits for both even after one has failed: nobody would catch the other's error.
  const sent = {
    keyless: listAs(session, operation, noKey),
    replies: inParallel(callers, ([, credentials]) => listOf(session, operation, credentials)),
  };
  await Promise.allSettled(Object.values(sent));
  return { ...byOrganization(callers, await sent.replies), keyless: await sent.keyless };
}

async function listOf(session: Session, operation: ListOperation, credentials: Credentials): Promise<Reply> {
  const reply = await listAs(session, operation, credentials);
  requireSuccess(reply, `${operation}.is-served`, `${operation}.header-key`, `${operation}.bearer-key`);
  return reply;
}

/** What both organizations created in parallel. */
export const creationsAtOnce = oncePerRun(async (session, operation: CreateOperation): Promise<OfBoth<Creation>> => {
  session.requireWrites();
  await requireOtherOrganization(session);
  await sharedCreation(session, operation, 'first');
  const both = callersInTurn(session).slice(0, 4);
  const callers = both.length < 4 ? [...both.slice(0, 2), ...both.slice(0, 2)] : both;
  const attempts = await inParallel(callers, async ([, credentials]) => {
    const sent = newBody(session, operation);
    return { sent, reply: await sendCreation(session, operation, sent, { credentials }) };
  });
  const created = byOrganization(callers, attempts);
  const accepted = (all: typeof attempts) =>
    all.filter(({ reply }) => reply.isSuccess).map(({ sent, reply }) => requireCreation(operation, sent, reply));
  const [own, other] = [accepted(created.own), accepted(created.other)];
  if (own.length > 0 && other.length > 0) return { own, other };
  throw refusedTogether(
    attempts.map(({ reply }) => reply),
    say`One of the two organizations could create nothing at the same time as the other.`,
  );
});

function byOrganization<Got>(callers: readonly Caller[], got: readonly Got[]): OfBoth<Got> {
  const of = (whose: Caller[0]) => got.filter((_, index) => callers[index]?.[0] === whose);
  return { own: of('own'), other: of('other') };
}
