import { say } from '../../lib/sentence.ts';
import { declaredFiles, readableFile, readFile, sendPath } from '../probing/files.ts';
import { malformedId, unknownLike } from '../probing/fixtures.ts';
import { readList } from '../probing/lists.ts';
import { requireOtherOrganization } from '../probing/organizations.ts';
import { readPage } from '../probing/paging.ts';
import { oncePerRun } from '../run/once.ts';
import { Inconclusive, orNone } from '../run/signals.ts';
import { type AuthHeaderName, type Credentials, noKey, validKey } from '../target/credentials.ts';
import { idOf, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { isAccepted, outOfRange, type Seen, unrulyMove } from './observer.ts';

/** Pages requested with a word as the limit, and with two limits, whatever the result. */
export const sendOddLimits = oncePerRun(async (session) => {
  requireSuccess(await readPage(session, { limit: 2, offset: 0 }), 'listDrives.is-served');
  await session.call('listDrives', { query: 'limit=many&offset=0' });
  await session.call('listDrives', { query: 'limit=1&limit=2&offset=0' });
});

/** The status of the error response to a query for the list of drives that the target refuses. */
export const refusedQuery = oncePerRun(async (session): Promise<number> => {
  for (const query of ['limit=0', 'limit=many&offset=0'] as const) {
    const known = query === 'limit=0' ? (await outOfRange(session))[query] : undefined;
    const reply = known ?? (await session.call('listDrives', { query }));
    if (!isAccepted(reply)) return reply.status;
  }
  throw new Inconclusive('DATA', say`No query was refused.`);
});

export async function sendUnknownParameters(session: Session): Promise<void> {
  const query = { [session.newName()]: 'x' };
  await session.call('listAgents', { query });
  await session.call('listDrives', { query: { ...query, limit: 2, offset: 0 } });
}

/** A request without a key: it is certainly refused. */
export const refusedForKey = oncePerRun((session) => session.call('listAgents', { credentials: noKey }));

/** A move of an unknown file to a path that breaks the rule, and moves that are wrong in one way only. */
export async function seeJudgedFirst(session: Session): Promise<Seen> {
  const { file, reply: invalid } = await unrulyMove(session);
  const stranger = { driveId: file.driveId, id: unknownLike(session, file.id) };
  const unknown = await sendPath(session, stranger, `/${session.newName()}`);
  const both = await sendPath(session, stranger, session.newName());
  if ([invalid, unknown, both].some(isAccepted) || invalid.status === unknown.status) return undefined;
  if (both.status === invalid.status) return 'input';
  return both.status === unknown.status ? 'resource' : { other: say`status ${both.status} for both faults` };
}

/** Sends the scheme in lower case, if the target accepts the usual spelling. */
export async function seeBearerSpelling(session: Session): Promise<Seen> {
  const { apiKey } = session.settings;
  const usual = await session.call('listAgents', { credentials: validKey(apiKey, 'bearer') });
  requireSuccess(usual, 'listAgents.bearer-key');
  if ((await refusedForKey(session)).isSuccess) throw new Inconclusive('PREREQUISITE', say`The target needs no key.`);
  const credentials: Credentials = { headers: { authorization: `bearer ${apiKey}` }, isValid: false };
  const lower = await session.call('listAgents', { credentials });
  if (lower.isSuccess) return 'anyCase';
  return lower.status === 401 ? 'exact' : undefined;
}

/** Sends requests as pages of two origins would: one of this machine, and one unknown to any server. */
export async function seeCors(session: Session): Promise<Seen> {
  const allows = async (origin: string) => {
    const usual = validKey(session.settings.apiKey, 'header');
    const reply = await session.call('listAgents', {
      credentials: { ...usual, headers: { ...usual.headers, origin } },
    });
    requireSuccess(reply, 'listAgents.is-served');
    const allowed = reply.headers['access-control-allow-origin'];
    return allowed === '*' || allowed === origin;
  };
  if (await allows(`https://${session.newName().toLowerCase()}.example`)) return 'any';
  return (await allows('http://localhost:5173')) ? 'local' : 'none';
}

export async function seeBothAuthHeaders(session: Session): Promise<Seen> {
  for (const authHeader of ['header', 'bearer'] as const) {
    const alone = await session.call('listAgents', { credentials: validKey(session.settings.apiKey, authHeader) });
    if (!alone.isSuccess) throw new Inconclusive('PREREQUISITE', say`The target reads only one of the two headers.`);
  }
  if ((await refusedForKey(session)).isSuccess) throw new Inconclusive('PREREQUISITE', say`The target needs no key.`);
  const byHeader = await askWithBoth(session, 'header');
  const byBearer = await askWithBoth(session, 'bearer');
  if (byHeader.isSuccess && byBearer.isSuccess) return { other: say`either valid key is enough` };
  const refusals = [byHeader, byBearer].filter(({ isSuccess }) => !isSuccess);
  const odd = refusals.find(({ status }) => status !== 401);
  if (odd !== undefined) return isAccepted(odd) ? undefined : { other: say`status ${odd.status}` };
  if (refusals.length === 2) return 'refused';
  return byHeader.isSuccess ? 'apiKeyWins' : 'bearerWins';
}

/** Sends the first key in one header, and an unknown key in the other. */
function askWithBoth(session: Session, valid: AuthHeaderName): Promise<Reply> {
  const key = (authHeader: AuthHeaderName) =>
    authHeader === valid ? session.settings.apiKey : `nobody-${session.runId}`;
  const credentials: Credentials = {
    headers: { ...validKey(key('header'), 'header').headers, ...validKey(key('bearer'), 'bearer').headers },
    isValid: false,
  };
  return session.call('listAgents', { credentials });
}

/** A known drive, and an id like those of files, or of drives if no file is known. */
const knownIds = oncePerRun(async (session): Promise<{ driveId: string; id: string }> => {
  const [file] = declaredFiles(session);
  if (file !== undefined) {
    requireSuccess(await readFile(session, file), 'getDriveFile.is-served');
    return file;
  }
  const [first] = (await readList(session, 'listDrives')).items;
  const driveId = idOf(first);
  if (driveId === undefined) throw new Inconclusive('DATA', say`There is no drive to search.`);
  return { driveId, id: driveId };
});

/** The statuses for an unknown file in a known drive, and for an unknown drive. */
const unknownStatuses = oncePerRun(async (session): Promise<{ file: number; drive: number }> => {
  const { driveId, id } = await knownIds(session);
  const file = await readFile(session, { driveId, id: unknownLike(session, id) });
  const drive = await readFile(session, { driveId: unknownLike(session, driveId), id });
  if (!isAccepted(file) && !isAccepted(drive)) return { file: file.status, drive: drive.status };
  throw new Inconclusive('PREREQUISITE', say`A resource that does not exist was shown.`);
});

export async function seeNotFound(session: Session): Promise<Seen> {
  return (await unknownStatuses(session)).file;
}

export async function seeUnknownDrive(session: Session): Promise<Seen> {
  return (await unknownStatuses(session)).drive;
}

const plainRefusals = [400, 422];

// If malformed and unknown ids get the same status, they cannot be distinguished, unless only unknown resources get it.
export async function seeMalformedIds(session: Session): Promise<Seen> {
  const { file } = await unknownStatuses(session);
  const { driveId } = await knownIds(session);
  const reply = await readFile(session, { driveId, id: malformedId(session) });
  if (isAccepted(reply)) return undefined;
  const invalid = [await orNone(refusedQuery(session)), ...plainRefusals];
  if (reply.status === file) return invalid.includes(file) ? undefined : 'likeUnknown';
  return invalid.includes(reply.status)
    ? 'refused'
    : { other: say`status ${reply.status}, and ${file} for an unknown file` };
}

export async function seeForeign(session: Session): Promise<Seen> {
  const file = readableFile(session);
  requireSuccess(await readFile(session, file), 'getDriveFile.is-served');
  await requireOtherOrganization(session);
  const { drive } = await unknownStatuses(session);
  const reply = await readFile(session, file, { credentials: session.other });
  if (isAccepted(reply)) return undefined;
  if (reply.status === drive) return drive === 403 ? undefined : 'likeUnknown';
  return reply.status === 403 ? 'forbidden' : { other: say`status ${reply.status}, and ${drive} for an unknown drive` };
}

// The whole list is read first: default limit and total of a page only show by comparison.
export const readPages = oncePerRun(async (session): Promise<void> => {
  await readList(session, 'listDrives');
  await readPage(session, {});
  await readPage(session, { limit: 1 });
});

// A list whose order changes with each reading has no order.
export async function readListsTwice(session: Session): Promise<void> {
  for (const operation of ['listAgents', 'listDrives', 'listMcpServers'] as const) {
    await orNone(readList(session, operation));
    await orNone(readList(session, operation));
  }
}
