import { type ListOperation, readList } from '../scene/lists.ts';
import { readFile } from '../scene/moves.ts';
import { requireOtherOrganization } from '../scene/organizations.ts';
import { knownFiles, readableFile } from '../scene/subjects.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { type CarrierName, type Credentials, noKey, validKey } from '../target/credentials.ts';
import { idOf, presume } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { agreed, ifSeen, isAccepted, type Observer, type Seen } from './observer.ts';
import { refusedQuery } from './out-of-range.ts';
import { refusedForKey } from './refusals.ts';
import { malformedId, unknownLike } from './unknown.ts';

/** What shows by readings alone that are wrong in one way, or in two. */
export const requestObservers: readonly Observer[] = [
  { openPoint: 'unknownQueryParameters', phase: 'read', see: seeUnknownParameters },
  { openPoint: 'judgedFirst', phase: 'read', see: seeJudgedFirst },
  { openPoint: 'bothCarriers', phase: 'read', see: seeBothCarriers },
  {
    openPoint: 'notFoundStatus',
    phase: 'read',
    see: async (session) => {
      const { file, drive } = await unknownStatuses(session);
      return agreed({ 'an unknown file': file, 'an unknown drive': drive });
    },
  },
  { openPoint: 'malformedIds', phase: 'read', see: seeMalformedIds },
  { openPoint: 'foreignResourceStatus', phase: 'read', effects: {}, see: seeForeign },
];

async function seeUnknownParameters(session: Session): Promise<Seen> {
  const query = { [session.newSegment()]: 'x' };
  return agreed({
    'GET /agents': await ifSeen(inWordsWith(session, 'listAgents', query)),
    'GET /drives': await ifSeen(inWordsWith(session, 'listDrives', query)),
  });
}

async function inWordsWith(session: Session, operation: ListOperation, query: Record<string, string>): Promise<string> {
  presume(await session.call(operation), `${operation}.is-served`);
  return isAccepted(await session.call(operation, { query })) ? 'ignored' : 'refused';
}

async function seeJudgedFirst(session: Session): Promise<Seen> {
  const { query, status } = await refusedQuery(session);
  const reply = await session.call('listDrives', { query, credentials: noKey });
  if (reply.status === 401) return 'key';
  if (isAccepted(reply)) return undefined;
  return reply.status === status ? 'input' : { other: `status ${reply.status}` };
}

async function seeBothCarriers(session: Session): Promise<Seen> {
  for (const carrier of ['header', 'bearer'] as const) {
    const alone = await session.call('listAgents', { credentials: validKey(session.settings.apiKey, carrier) });
    if (!alone.isSuccess) throw new Unverified('PREREQUISITE', 'Only one header counts at all.');
  }
  if ((await refusedForKey(session)).isSuccess) throw new Unverified('PREREQUISITE', 'No key is needed at all.');
  const byHeader = await askWithBoth(session, 'header');
  const byBearer = await askWithBoth(session, 'bearer');
  if (byHeader.isSuccess && byBearer.isSuccess) return { other: 'either valid key is enough' };
  const refusals = [byHeader, byBearer].filter(({ isSuccess }) => !isSuccess);
  const odd = refusals.find(({ status }) => status !== 401);
  if (odd !== undefined) return isAccepted(odd) ? undefined : { other: `status ${odd.status}` };
  if (refusals.length === 2) return 'refused';
  return byHeader.isSuccess ? 'apiKeyWins' : 'bearerWins';
}

/** Asks with the own key in one header, and a key that is nobody’s in the other. */
function askWithBoth(session: Session, valid: CarrierName): Promise<Reply> {
  const key = (carrier: CarrierName) => (carrier === valid ? session.settings.apiKey : `nobody-${session.runId}`);
  const credentials: Credentials = {
    headers: { ...validKey(key('header'), 'header').headers, ...validKey(key('bearer'), 'bearer').headers },
    isValid: false,
  };
  return session.call('listAgents', { credentials });
}

/** A drive that can be named, and an id like those of files, or of drives where no file is known. */
function knownIds(session: Session): Promise<{ driveId: string; id: string }> {
  return session.once('known ids', () => findIds(session));
}

async function findIds(session: Session): Promise<{ driveId: string; id: string }> {
  const [file] = knownFiles(session);
  if (file !== undefined) {
    presume(await readFile(session, file), 'getDriveFile.is-served');
    return file;
  }
  const [first] = (await readList(session, 'listDrives')).items;
  const driveId = idOf(first);
  if (driveId === undefined) throw new Unverified('DATA', 'There is no drive to look in.');
  return { driveId, id: driveId };
}

/** Which codes answer an unknown file of a known drive, and an unknown drive. */
function unknownStatuses(session: Session): Promise<{ file: number; drive: number }> {
  return session.once('unknown statuses', async () => {
    const { driveId, id } = await knownIds(session);
    const file = await readFile(session, { driveId, id: unknownLike(session, id) });
    const drive = await readFile(session, { driveId: unknownLike(session, driveId), id });
    if (!isAccepted(file) && !isAccepted(drive)) return { file: file.status, drive: drive.status };
    throw new Unverified('PREREQUISITE', 'What does not exist was shown.');
  });
}

const plainRefusals = [400, 422];

// Where both have one code, nothing tells them apart, unless that code stands for what is unknown only.
async function seeMalformedIds(session: Session): Promise<Seen> {
  const { file } = await unknownStatuses(session);
  const { driveId } = await knownIds(session);
  const reply = await readFile(session, { driveId, id: malformedId(session) });
  if (isAccepted(reply)) return undefined;
  const query = await ifSeen(refusedQuery(session));
  const invalid = [query?.status, ...plainRefusals];
  if (reply.status === file) return invalid.includes(file) ? undefined : 'likeUnknown';
  return invalid.includes(reply.status)
    ? 'refused'
    : { other: `status ${reply.status}, and ${file} for an unknown id` };
}

async function seeForeign(session: Session): Promise<Seen> {
  const file = readableFile(session);
  presume(await readFile(session, file), 'getDriveFile.is-served');
  await requireOtherOrganization(session);
  const { drive } = await unknownStatuses(session);
  const reply = await readFile(session, file, { credentials: session.other });
  if (isAccepted(reply)) return undefined;
  if (reply.status === drive) return drive === 403 ? undefined : 'likeUnknown';
  return reply.status === 403 ? 'forbidden' : { other: `status ${reply.status}, and ${drive} for an unknown drive` };
}
