import { asJson, say } from '../../lib/sentence.ts';
import { oncePerRun } from '../once.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { idOf, inconclusive, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { requireCreation, sendNewCreation } from './creations.ts';
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
