import { say } from '../../openapi/reading/sentence.ts';
import { readFile } from '../probing/file-moves.ts';
import { declaredFiles, readableFile } from '../probing/fixtures.ts';
import { readList } from '../probing/lists.ts';
import { requireOtherOrganization } from '../probing/organizations.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { type CarrierName, type Credentials, noKey, validKey } from '../target/credentials.ts';
import { idOf, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { agreed, ifSeen, isAccepted, type Observer, type Seen } from './observer.ts';
import { refusedQuery } from './out-of-range.ts';
import { refusedForKey } from './refusals.ts';
import { malformedId, unknownLike } from './unknown.ts';

/** What shows by readings alone that are wrong in one way, or in two. */
export const requestObservers: readonly Observer[] = [
  { openPoint: 'unknownQueryParameters', phase: 'read', ask: sendUnknownParameters },
  {
    openPoint: 'judgedFirst',
    phase: 'read',
    ask: async (session) =>
      session.call('listDrives', { query: (await refusedQuery(session)).query, credentials: noKey }),
  },
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

async function sendUnknownParameters(session: Session): Promise<void> {
  const query = { [session.newName()]: 'x' };
  await session.call('listAgents', { query });
  await session.call('listDrives', { query });
}

async function seeBothCarriers(session: Session): Promise<Seen> {
  for (const carrier of ['header', 'bearer'] as const) {
    const alone = await session.call('listAgents', { credentials: validKey(session.settings.apiKey, carrier) });
    if (!alone.isSuccess) throw new Unverified('PREREQUISITE', say`The target reads only one of the two headers.`);
  }
  if ((await refusedForKey(session)).isSuccess) throw new Unverified('PREREQUISITE', say`The target needs no key.`);
  const byHeader = await askWithBoth(session, 'header');
  const byBearer = await askWithBoth(session, 'bearer');
  if (byHeader.isSuccess && byBearer.isSuccess) return { other: say`either valid key is enough` };
  const refusals = [byHeader, byBearer].filter(({ isSuccess }) => !isSuccess);
  const odd = refusals.find(({ status }) => status !== 401);
  if (odd !== undefined) return isAccepted(odd) ? undefined : { other: say`status ${odd.status}` };
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
  const [file] = declaredFiles(session);
  if (file !== undefined) {
    requireSuccess(await readFile(session, file), 'getDriveFile.is-served');
    return file;
  }
  const [first] = (await readList(session, 'listDrives')).items;
  const driveId = idOf(first);
  if (driveId === undefined) throw new Unverified('DATA', say`There is no drive to look in.`);
  return { driveId, id: driveId };
}

/** Which codes answer an unknown file of a known drive, and an unknown drive. */
function unknownStatuses(session: Session): Promise<{ file: number; drive: number }> {
  return session.once('unknown statuses', async () => {
    const { driveId, id } = await knownIds(session);
    const file = await readFile(session, { driveId, id: unknownLike(session, id) });
    const drive = await readFile(session, { driveId: unknownLike(session, driveId), id });
    if (!isAccepted(file) && !isAccepted(drive)) return { file: file.status, drive: drive.status };
    throw new Unverified('PREREQUISITE', say`What does not exist was shown.`);
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
    : { other: say`status ${reply.status}, and ${file} for an unknown id` };
}

async function seeForeign(session: Session): Promise<Seen> {
  const file = readableFile(session);
  requireSuccess(await readFile(session, file), 'getDriveFile.is-served');
  await requireOtherOrganization(session);
  const { drive } = await unknownStatuses(session);
  const reply = await readFile(session, file, { credentials: session.other });
  if (isAccepted(reply)) return undefined;
  if (reply.status === drive) return drive === 403 ? undefined : 'likeUnknown';
  return reply.status === 403 ? 'forbidden' : { other: say`status ${reply.status}, and ${drive} for an unknown drive` };
}
