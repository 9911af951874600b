import type { Check } from '../check.ts';
import type { NeedName } from '../plan/needs.ts';
import { requireWhole } from '../scene/creations.ts';
import { find, fingerprint, type Listing, type ListOperation, readList, showing } from '../scene/lists.ts';
import { ownerByCarrier, requireDistinctIds, requireOtherOrganization } from '../scene/organizations.ts';
import { knownFiles } from '../scene/subjects.ts';
import type { Session } from '../session.ts';
import { Unverified, type UnverifiedCode, Violated } from '../signals.ts';
import { idOf, member, poll } from '../target/expectations.ts';

/** What the three lists show, and whose. */
export const listChecks: readonly Check[] = [
  knownItem('listAgents', 'known-agent', 'AGENT', 'agent', ({ settings }) => idsOf(settings.fixtures.agent?.id)),
  knownItem('listDrives', 'known-drive', 'FILES', 'file', (session) =>
    knownFiles(session).map(({ driveId }) => driveId),
  ),
  knownItem('listMcpServers', 'known-server', 'MCP_SERVER', 'mcpServer', ({ settings }) =>
    idsOf(settings.fixtures.mcpServer?.id),
  ),
  hidesOther('listAgents'),
  hidesOther('listDrives'),
  hidesOther('listMcpServers'),
  oneOwner('listDrives'),
  oneOwner('listMcpServers'),
  {
    id: 'listDrives.same-organization-by-either-carrier',
    operation: 'listDrives',
    phase: 'list',
    does: 'Lists the drives with the key in either header, and compares the owners that they name.',
    run: expectSameOwner,
  },
];

function idsOf(id: string | undefined): string[] {
  return id === undefined ? [] : [id];
}

function knownItem(
  operation: ListOperation,
  rule: string,
  code: UnverifiedCode,
  need: NeedName,
  idsIn: (session: Session) => string[],
): Check {
  return {
    id: `${operation}.${rule}`,
    operation,
    phase: 'read',
    does: 'Reads the whole list, and looks for what the config names.',
    needs: [need],
    run: async (session) => {
      const ids = [...new Set(idsIn(session))];
      if (ids.length === 0) throw new Unverified(code, 'The config names nothing that the list has to show.');
      for (const id of ids) await expectListed(session, operation, id);
    },
  };
}

async function expectListed(session: Session, operation: ListOperation, id: string): Promise<void> {
  const { seen } = await poll(
    session.settings.settleMs,
    () => readList(session, operation),
    (listing) => find(listing, id) !== undefined,
  );
  if (find(seen, id) !== undefined) return;
  requireWhole(seen);
  if (seen.items.some((item) => idOf(item) === undefined)) {
    throw new Unverified('PREREQUISITE', `The list has items without an id. See ${operation}.fields-present.`);
  }
  throw new Violated(
    `the list shows ${id}`,
    `${seen.items.length} items, and none with this id`,
    seen.replies.slice(-2),
  );
}

function hidesOther(operation: ListOperation): Check {
  return {
    id: `${operation}.hides-other-organization`,
    operation,
    phase: 'list',
    does: 'Reads the whole list with the keys of both organizations, and looks for what both show.',
    needs: ['otherKey'],
    effects: { perhaps: ['driveOfEachOrganization'] },
    run: async (session) => {
      await requireOtherOrganization(session);
      const own = await readList(session, operation);
      const other = await readList(session, operation, session.other);
      if (own.items.length === 0 || other.items.length === 0) {
        throw new Unverified('DATA', 'One of the two organizations has nothing in this list.');
      }
      await expectNothingShared(session, own, other);
    },
  };
}

// Two organizations may use the same ids; but not for things of one name and one moment, unless that is seen elsewhere.
async function expectNothingShared(session: Session, own: Listing, other: Listing): Promise<void> {
  const foreign = new Set(other.items.map(fingerprint));
  const shared = own.items.find((item) => foreign.has(fingerprint(item)));
  if (shared === undefined) return;
  if (member(shared, 'organizationId') === undefined) await requireDistinctIds(session);
  const theirs = other.items.find((item) => fingerprint(item) === fingerprint(shared));
  const replies = [...showing(other, theirs), ...showing(own, shared)];
  throw new Violated('nothing that the other organization has', `both lists show ${fingerprint(shared)}`, replies);
}

function oneOwner(operation: ListOperation): Check {
  return {
    id: `${operation}.items-name-one-organization`,
    operation,
    phase: 'list',
    does: 'Reads the whole list, and compares the owners that its elements name.',
    run: async (session) => {
      const { items, replies } = await readList(session, operation);
      const owners = new Set(items.map(ownerIn));
      if (items.length === 0) throw new Unverified('DATA', 'The list is empty.');
      if (owners.size === 1) return;
      throw new Violated(
        'one organizationId in the whole list',
        `${owners.size}: ${[...owners].join(', ')}`,
        showing(
          { replies },
          items.findLast((item) => ownerIn(item) !== ownerIn(items[0])),
        ),
      );
    },
  };
}

function ownerIn(item: unknown): string {
  return JSON.stringify(member(item, 'organizationId')) ?? 'none';
}

async function expectSameOwner(session: Session): Promise<void> {
  const byHeader = await ownerByCarrier(session, 'header');
  const byBearer = await ownerByCarrier(session, 'bearer');
  if (byHeader.size === 0 || byBearer.size === 0) throw new Unverified('DATA', 'There are no drives to tell by.');
  if ([...byHeader].some((owner) => byBearer.has(owner))) return;
  const actual = `${[...byHeader].join(', ')} by X-API-Key, ${[...byBearer].join(', ')} by Authorization`;
  throw new Violated('the same organizationId by either header', actual, session.replies.slice(-1));
}
