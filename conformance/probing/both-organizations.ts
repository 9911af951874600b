import { say } from '../../lib/sentence.ts';
import { inParallel } from '../in-parallel.ts';
import { oncePerRun } from '../once.ts';
import type { Session } from '../session.ts';
import { type AuthHeaderName, type Credentials, noKey, otherAuthHeader, validKey } from '../target/credentials.ts';
import { refusedTogether, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import {
  type CreateOperation,
  type Creation,
  newBody,
  requireCreation,
  sendCreation,
  sharedCreation,
} from './creations.ts';
import type { ListOperation } from './lists.ts';
import { requireOtherOrganization } from './organizations.ts';

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
