import { joined, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { largestPage } from '../../openapi/reading/pages.ts';
import { listedIn } from '../probing/creations.ts';
import { declaredFiles } from '../probing/files.ts';
import {
  filledPages,
  findById,
  fingerprint,
  firstShared,
  inShort,
  type Listing,
  type ListOperation,
  namesOwner,
  ownerOf,
  ownersNamed,
  readList,
  repliesShowing,
  walkDrives,
} from '../probing/lists.ts';
import { requireDistinctIds, requireOtherOrganization } from '../probing/organizations.ts';
import { idsOf, requireNothingHidden } from '../probing/paging.ts';
import { listedByBoth, type NeedName } from '../run/needs.ts';
import { Inconclusive, type InconclusiveCode, Violated } from '../run/signals.ts';
import { type AuthHeaderName, type Credentials, otherAuthHeader, validKey } from '../target/credentials.ts';
import { idOf, judgesShape, member } from '../target/expectations.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

/** The items of the three lists, and their owners. */
export const listChecks: readonly Check[] = [
  showsDeclared('listAgents', 'known-agent', 'AGENT', 'agent', ({ settings }) => [settings.fixtures.agent?.id]),
  showsDeclared('listDrives', 'known-drive', 'FILES', 'file', (session) =>
    declaredFiles(session).map(({ driveId }) => driveId),
  ),
  showsDeclared('listMcpServers', 'known-server', 'MCP_SERVER', 'mcpServer', ({ settings }) => [
    settings.fixtures.mcpServer?.id,
  ]),
  ...(['listAgents', 'listDrives', 'listMcpServers'] as const).map((operation) =>
    checksOf(operation, 'list')(
      'hides-other-organization',
      'Reads the whole list with the keys of both organizations, and looks for items in both.',
      (session) => expectNothingShared(session, operation),
      { needs: ['otherKey', listedByBoth[operation]], effects: { perhaps: ['driveOfEachOrganization'] } },
    ),
  ),
  ...(['listDrives', 'listMcpServers'] as const).map((operation) =>
    checksOf(operation, 'list')(
      'items-name-one-organization',
      'Reads the whole list, and compares the owners of its items.',
      (session) => expectOneOwner(session, operation),
    ),
  ),
  ...(['listAgents', 'listDrives', 'listMcpServers'] as const).map((operation) =>
    checksOf(operation, 'list')(
      'same-items-by-either-auth-header',
      'Reads the whole list with the key in either header, and looks for items that only one of them shows.',
      (session) => expectSameItems(session, operation),
    ),
  ),
];

function showsDeclared(
  operation: ListOperation,
  rule: string,
  code: InconclusiveCode,
  need: NeedName,
  declaredIds: (session: Session) => (string | undefined)[],
): Check {
  const run = async (session: Session) => {
    const ids = [...new Set(declaredIds(session).filter((id) => id !== undefined))];
    if (ids.length === 0) throw new Inconclusive(code, say`The config declares nothing that the list must show.`);
    await expectListed(session, operation, ids, session.own, say`, which the config declares`);
  };
  const does = 'Reads the whole list, and looks for what the config declares.';
  return checksOf(operation, 'read')(rule, does, run, { needs: [need] });
}

async function expectListed(
  session: Session,
  operation: ListOperation,
  ids: readonly string[],
  credentials?: Credentials,
  origin = say``,
): Promise<void> {
  const missingIn = (listing: Listing) => ids.filter((id) => findById(listing, id) === undefined);
  const { seen } = await session.patience.settle(
    'listed',
    async () => {
      const listing = await readList(session, operation, credentials);
      // The missing item may be in the middle of a long list.
      const isEnough = listing.gap === undefined || missingIn(listing).length === 0;
      return isEnough ? listing : walkDrives(session, { limit: largestPage, ...(credentials && { credentials }) });
    },
    (listing) => missingIn(listing).length === 0,
  );
  const [id] = missingIn(seen);
  if (id === undefined) return;
  await requireNothingHidden(session, seen);
  if (seen.items.some((item) => idOf(item) === undefined)) {
    throw new Inconclusive('PREREQUISITE', say`The list has items without an id.`, ...judgesShape(operation));
  }
  const actual = say`${plural(seen.items.length, 'item')}, none with this id`;
  throw new Violated(say`the list shows ${id}${origin}`, actual, filledPages(seen));
}

async function expectNothingShared(session: Session, operation: ListOperation): Promise<void> {
  await requireOtherOrganization(session);
  const own = await readList(session, operation);
  const other = await readList(session, operation, session.other);
  if (own.items.length === 0 || other.items.length === 0) {
    throw new Inconclusive('DATA', say`One of the two organizations has nothing in this list.`);
  }
  await requireNothingShared(session, own, other);
  const { authHeader, worksInBoth } = session.learned;
  // In direct succession and with the same URL: a cache must distinguish the keys, in either header.
  for (const each of worksInBoth ? [authHeader, otherAuthHeader[authHeader]] : [authHeader]) {
    const { apiKey, otherApiKey = '' } = session.settings;
    const first = await readFirstPage(session, operation, validKey(apiKey, each));
    await requireNothingShared(session, first, await readFirstPage(session, operation, validKey(otherApiKey, each)));
  }
}

/** A list as one request shows it. */
async function readFirstPage(session: Session, operation: ListOperation, credentials: Credentials): Promise<Shown> {
  // Always in the same order.
  const query = operation === 'listDrives' ? { query: 'limit=100&offset=0' } : {};
  const reply = await session.call(operation, { credentials, ...query });
  return { items: listedIn(reply), replies: [reply] };
}

type Shown = Pick<Listing, 'items' | 'replies'>;

// Two organizations may use the same ids (`requireDistinctIds`), but hardly for resources with the same name and time.
async function requireNothingShared(session: Session, own: Shown, other: Shown): Promise<void> {
  const theirs = firstShared(own.items, other.items);
  if (theirs === undefined) return;
  const ours = own.items.find((item) => fingerprint(item) === fingerprint(theirs));
  if (member(theirs, 'organizationId') === undefined) await requireDistinctIds(session);
  const shown = [repliesShowing(other, theirs), repliesShowing(own, ours)];
  // The list with the foreign item comes last: it is the one to send again.
  const evidence = (isOfOwn(theirs, own, other) ? shown.toReversed() : shown).flat();
  const expected = say`no item of the other organization`;
  throw new Violated(expected, say`both lists show ${inShort(theirs)}`, evidence);
}

/** Whether something in both lists names the owner of what only the first one shows. */
function isOfOwn(shared: unknown, own: Shown, other: Shown): boolean {
  const theirs = new Set(other.items.map(fingerprint));
  return own.items.some((item) => ownerOf(item) === ownerOf(shared) && !theirs.has(fingerprint(item)));
}

async function expectOneOwner(session: Session, operation: ListOperation): Promise<void> {
  const listing: Listing = await readList(session, operation);
  const owners = ownersNamed(listing.items);
  if (listing.items.length === 0) throw new Inconclusive('DATA', say`The list is empty.`);
  if (owners.size === 0)
    throw new Inconclusive('PREREQUISITE', say`The list names no owner.`, ...judgesShape(operation));
  if (owners.size === 1) return;
  const named = listing.items.filter(namesOwner);
  const other = named.findLast((item) => ownerOf(item) !== ownerOf(named[0]));
  const actual = say`${owners.size}: ${joined(owners)}`;
  throw new Violated(say`one organizationId in the whole list`, actual, repliesShowing(listing, other));
}

async function expectSameItems(session: Session, operation: ListOperation): Promise<void> {
  const { authHeader, worksInBoth } = session.learned;
  if (!worksInBoth) {
    const judges = [`${operation}.header-key`, `${operation}.bearer-key`];
    throw new Inconclusive('PREREQUISITE', say`The key is not accepted in both headers.`, ...judges);
  }
  const by = (header: AuthHeaderName) => validKey(session.settings.apiKey, header);
  let count = 0;
  for (const header of [authHeader, otherAuthHeader[authHeader]]) {
    const idsShown = async () => idsOf((await readList(session, operation, by(header))).items);
    const ids = await idsShown();
    count += ids.length;
    try {
      await expectListed(session, operation, ids, by(otherAuthHeader[header]));
    } catch (error) {
      if (!(error instanceof Violated)) throw error;
      // Another client may have deleted it meanwhile.
      const now = new Set(await idsShown());
      if (ids.every((id) => now.has(id))) throw error;
      throw new Inconclusive('QUIET', say`The list changed meanwhile: another client seems to be writing.`);
    }
  }
  if (count === 0) throw new Inconclusive('DATA', say`The list is empty.`);
}
