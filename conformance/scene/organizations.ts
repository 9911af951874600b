import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { type CarrierName, validKey } from '../target/credentials.ts';
import { idOf, member } from '../target/expectations.ts';
import { creationBody, sendCreation, toCreation } from './creations.ts';
import { find, readList } from './lists.ts';

/** The ids of the organizations that the drives and MCP servers shown to a caller name as their owner. */
async function ownersShownTo(session: Session, whose: 'own' | 'other'): Promise<Set<string>> {
  const drives = await readList(session, 'listDrives', session[whose]);
  const servers = await readList(session, 'listMcpServers', session[whose]);
  const owners = [drives, servers].flatMap(({ items }) => items.map((item) => member(item, 'organizationId')));
  return new Set(owners.flatMap((owner) => (owner === undefined ? [] : [JSON.stringify(owner)])));
}

/** Throws unless `otherApiKey` is established to be the key of another organization. */
export function requireOtherOrganization(session: Session): Promise<void> {
  return session.once('the other organization', async () => {
    await presumeKeyWorks(session);
    const own = await ownersShownTo(session, 'own');
    const other = await ownersShownTo(session, 'other');
    if (own.size > 0 && other.size > 0) return requireDifference(own, other);
    session.requireWrites();
    await createForBoth(session);
  });
}

async function presumeKeyWorks(session: Session): Promise<void> {
  const reply = await session.call('listAgents', { credentials: session.other });
  const second = reply.isSuccess ? reply : await session.call('listDrives', { credentials: session.other });
  if (second.isSuccess) return;
  throw new Unverified('OTHER_KEY', `otherApiKey is not accepted: status ${second.status}.`);
}

/** Throws `Unverified` when the two organizations have things of their own under the same ids, as where each counts for itself. */
export async function requireDistinctIds(session: Session): Promise<void> {
  if (!(await shareIds(session))) return;
  throw new Unverified('OTHER_KEY', 'The two organizations use the same ids, each for things of its own.');
}

function shareIds(session: Session): Promise<boolean> {
  return session.once('shared ids', async () => {
    for (const list of ['listDrives', 'listMcpServers'] as const) {
      const own = await readList(session, list);
      const other = await readList(session, list, session.other);
      if (other.items.some((theirs) => isNamesake(theirs, find(own, idOf(theirs) ?? '')))) return true;
    }
    return false;
  });
}

function isNamesake(theirs: unknown, ours: unknown): boolean {
  return ours !== undefined && member(theirs, 'organizationId') !== member(ours, 'organizationId');
}

// One organization has one id: two sets that are equal and larger are a leak, which other checks report.
function requireDifference(own: Set<string>, other: Set<string>): void {
  const isSame = own.size === 1 && other.size === 1 && [...own][0] === [...other][0];
  if (isSame) throw new Unverified('OTHER_KEY', 'otherApiKey is a key of the same organization.');
}

async function createForBoth(session: Session): Promise<void> {
  const own = await createFor(session, 'own');
  const other = await createFor(session, 'other');
  requireDifference(new Set([own]), new Set([other]));
}

async function createFor(session: Session, whose: 'own' | 'other'): Promise<string> {
  const sent = creationBody('createDrive', session.newName());
  const reply = await sendCreation(session, 'createDrive', sent, { credentials: session[whose] });
  return JSON.stringify(member(toCreation('createDrive', sent, reply).reply.json, 'organizationId'));
}

/** The id of the organization of the own key, as the drives in its list and its new drives name it. */
export async function ownerByCarrier(session: Session, carrier: CarrierName): Promise<Set<string>> {
  const credentials = validKey(session.settings.apiKey, carrier);
  const { items } = await readList(session, 'listDrives', credentials);
  return new Set(items.map((item) => JSON.stringify(member(item, 'organizationId'))));
}
