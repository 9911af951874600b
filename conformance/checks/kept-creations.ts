import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { isSameUrl } from '../../openapi/model/values.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { msBetween } from '../../openapi/reading/timestamps.ts';
import {
  awaitListed,
  type CreateOperation,
  type Creation,
  type CreationBody,
  createdSoFar,
  creationKinds,
  newBody,
  requireCreation,
  requireRoom,
  requireShownCreations,
  sameName,
  sameUrl,
  sendCreation,
  sendNewCreation,
  sharedCreation,
  sharedCreations,
} from '../probing/creations.ts';
import { filledPages, findById, isComplete, type Listing, readList, repliesShowing } from '../probing/lists.ts';
import { hardTexts, numberShape } from '../probing/names.ts';
import { requireOtherOrganization } from '../probing/organizations.ts';
import { requireNothingHidden, requireSameOrder } from '../probing/paging.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { poll } from '../target/clock.ts';
import {
  expectNoFailure,
  expectSuccess,
  idOf,
  judgesShape,
  member,
  refusedTogether,
  requireNoOtherClient,
  requireSuccess,
} from '../target/expectations.ts';
import { isServerError, type Reply } from '../target/reply.ts';
import type { Content } from '../target/request-parts.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

/** Reads the list until it shows both shared creations. Throws {@link Violated} after the time to settle. */
export async function expectListed(session: Session, operation: CreateOperation): Promise<Listing> {
  return untilShown(session, await sharedCreations(session, operation));
}

/**
 * Reads the list until it shows these creations. If it does not within the time to settle, throws {@link Violated}, or
 * {@link Inconclusive} if it does not show the others either.
 */
async function requireShown(session: Session, creations: readonly Creation[]): Promise<Listing> {
  return untilShown(session, creations, (operation) => requireShownCreations(session, operation, 'own'));
}

async function untilShown(
  session: Session,
  creations: readonly Creation[],
  requireOthers?: (operation: CreateOperation) => void,
): Promise<Listing> {
  const { listing, missing } = await awaitListed(session, creations);
  const [first] = missing;
  if (first === undefined) return listing;
  await requireNothingHidden(session, listing);
  requireKnownItems(first.operation, listing);
  requireOthers?.(first.operation);
  const expected = say`the list shows ${first.id} ${session.patience.lastLimit('listed')}`;
  const evidence = [first.reply, ...filledPages(listing)];
  throw new Violated(expected, say`${plural(listing.items.length, 'item')}, none with this id`, evidence);
}

// An item without an id may be the wanted one.
function requireKnownItems(operation: CreateOperation, { items }: Listing): void {
  if (items.every((item) => idOf(item) !== undefined)) return;
  throw new Inconclusive(
    'PREREQUISITE',
    say`The list has items without an id.`,
    ...judgesShape(creationKinds[operation].list),
  );
}

async function requireListed(session: Session, operation: CreateOperation): Promise<Listing> {
  return expectListed(session, operation).catch((error) => {
    if (!(error instanceof Violated)) throw error;
    const { listed } = creationKinds[operation];
    throw new Inconclusive('PREREQUISITE', say`The list does not show it: ${error.actual}.`, listed);
  });
}

/** Each shared creation occurs once in the list. */
export async function expectOnce(session: Session, operation: CreateOperation): Promise<void> {
  const { items, replies } = await requireListed(session, operation);
  for (const { id } of await sharedCreations(session, operation)) {
    const found = items.filter((item) => idOf(item) === id);
    const count = found.length;
    if (count < 2) continue;
    if (replies.length > 2) await requireRepeatable(session, id);
    const evidence = new Set(found.flatMap((item) => repliesShowing({ replies }, item)));
    throw new Violated(say`${id} once`, say`${count} times`, [...evidence]);
  }
}

// On several pages a drive may also occur twice because the list changed meanwhile or its order is not stable.
async function requireRepeatable(session: Session, id: string): Promise<void> {
  const again = await readList(session, 'listDrives');
  const count = again.items.filter((item) => idOf(item) === id).length;
  if (count < 2) throw new Inconclusive('QUIET', say`A drive was on two pages, but only once in a later reading.`);
  await requireSameOrder(session, again);
}

/** The list shows both shared creations with the values in the responses to their creation. */
export async function expectSame(session: Session, operation: CreateOperation): Promise<void> {
  const listing = await requireListed(session, operation);
  const ofServer = operation === 'createMcpServer' ? ['url', 'type'] : [];
  const compared = ['id', 'organizationId', 'name', 'createdAt', ...ofServer];
  for (const { id, reply } of await sharedCreations(session, operation)) {
    const item = findById(listing, id);
    const field = compared.find((name) => !isSameValue(name, member(item, name), member(reply.json, name)));
    if (field === undefined || member(reply.json, field) === undefined) continue;
    const expected = say`${own(field)}: ${asJson(member(reply.json, field))}`;
    throw new Violated(expected, asJson(member(item, field)), [reply, ...repliesShowing(listing, item)]);
  }
}

// The precision of a timestamp and the spelling of a URL are open.
function isSameValue(field: string, listed: unknown, answered: unknown): boolean {
  if (listed === answered) return true;
  if (field === 'url') {
    const [one, other] = [String(listed), String(answered)];
    // Behind a path, a slash makes a different URL, and here both texts are the target's.
    return isSameUrl(one, other) && endsInSlash(one) === endsInSlash(other);
  }
  return field === 'createdAt' && msBetween(String(answered), String(listed)) === 0;
}

function endsInSlash(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.endsWith('/');
}

/** No creation is lost if several are sent at the same time. */
export async function expectParallel(session: Session, operation: CreateOperation): Promise<void> {
  await sharedCreation(session, operation, 'first');
  const bodies = Array.from({ length: 4 }, () => newBody(session, operation));
  const attempts = await Promise.all(
    bodies.map(async (sent) => ({ sent, reply: await sendCreation(session, operation, sent) })),
  );
  const accepted = attempts.filter(({ reply }) => reply.isSuccess);
  if (accepted.length < 2) {
    const replies = attempts.map(({ reply }) => reply);
    throw refusedTogether(replies, say`Fewer than two of four concurrent creations were accepted.`);
  }
  const creations = accepted.map(({ sent, reply }) => requireCreation(operation, sent, reply));
  const { listing, missing } = await awaitListed(session, creations);
  const renamed = creations.find(({ id, sent }) => {
    const names = listing.items.filter((item) => idOf(item) === id).map((item) => member(item, 'name') ?? sent.name);
    return !names.includes(sent.name);
  });
  const lost = missing[0] ?? renamed;
  if (lost === undefined) return;
  if (missing.length > 0) await requireNothingHidden(session, listing);
  if (missing.length > 0) requireKnownItems(operation, listing);
  const actual =
    missing.length === 0
      ? say`${lost.id} is listed with another name`
      : say`${missing.length} of ${creations.length} are not in the list`;
  const evidence = [lost.reply, ...filledPages(listing)];
  throw new Violated(say`every accepted creation in the list, each with its name`, actual, evidence);
}

/** A name with unusual text appended is returned and listed as sent (4.3, 4.8). */
export async function expectNameKept(
  session: Session,
  operation: CreateOperation,
  unusual: string,
): Promise<Sentence | undefined> {
  await sharedCreation(session, operation, 'first');
  const { name: usual, ...rest } = newBody(session, operation);
  return expectKept(session, operation, { ...rest, name: `${usual} ${unusual}` }, 'name');
}

/** A name of digits stays a string with all its digits. */
export async function expectNumberKept(session: Session, operation: CreateOperation): Promise<Sentence | undefined> {
  await sharedCreation(session, operation, 'first');
  return expectKept(session, operation, { ...newBody(session, operation), name: session.newName(numberShape) }, 'name');
}

/** A URL is returned and listed as sent, or refused (4.8). */
export async function expectUrlKept(session: Session, url: string): Promise<Sentence | undefined> {
  await sharedCreation(session, 'createMcpServer', 'first');
  if (session.learned.acceptedUrl !== undefined)
    return say`Made-up URLs are refused, which the specification leaves open.`;
  return expectKept(session, 'createMcpServer', { ...newBody(session, 'createMcpServer'), url }, 'url');
}

async function expectKept(
  session: Session,
  operation: CreateOperation,
  body: CreationBody,
  field: 'name' | 'url',
): Promise<Sentence | undefined> {
  const reply = await sendCreation(session, operation, body);
  if (isClientError(reply)) return say`Refused, which the specification leaves open.`;
  if (field === 'url' && isServerError(reply))
    throw new Inconclusive('PREREQUISITE', say`The target fails on this URL.`, 'createMcpServer.no-server-error');
  if (!reply.isSuccess) await requireRoom(session, operation, reply);
  await expectSuccess(session, reply);
  const creation = requireCreation(operation, body, reply);
  const listing = await requireShown(session, [creation]);
  const listed = findById(listing, creation.id);
  const places = [
    { value: member(reply.json, field), shownIn: [reply] },
    // A list item should have the field, but need not.
    { value: member(listed, field) ?? body[field], shownIn: repliesShowing(listing, listed) },
  ];
  for (const { value, shownIn } of places) {
    const isKept = field === 'url' ? isSameUrl(String(value), String(body.url)) : value === body[field];
    if (!isKept) throw new Violated(say`${own(field)}: ${asJson(body[field])}`, asJson(value), shownIn);
  }
  return undefined;
}

/** A name is a string of any characters and length: refused or accepted, it must not make the server fail (4.3, 4.8). */
export async function expectOddNamesAnswered(session: Session, operation: CreateOperation): Promise<undefined> {
  await sharedCreation(session, operation, 'first');
  for (const text of Object.values(hardTexts)) {
    const { name, ...rest } = newBody(session, operation);
    await expectNoFailure(session, await sendCreation(session, operation, { ...rest, name: name + text }));
  }
}

/** Creations that most servers refuse, each for a different reason. An accepted one only adds a resource. */
function doubtful(session: Session, operation: CreateOperation): Content[] {
  const { name, ...rest } = newBody(session, operation);
  const bodies: Partial<Record<keyof CreationBody, unknown>>[] = [
    {},
    rest,
    ...['', null, 7, [name], { name }].map((value) => ({ ...rest, name: value })),
  ];
  if (operation === 'createMcpServer') {
    for (const url of ['', 'no url', 'ftp://mcp.example.com/', null, 7, [rest.url]]) bodies.push({ name, url });
    bodies.push({ name });
  }
  const whole = JSON.stringify({ name, ...rest });
  const raw = (body: string, contentType = 'application/json'): Content => ({ raw: { body, contentType } });
  return [...bodies.map((json): Content => ({ json })), raw(whole.slice(0, -1)), raw(whole, 'text/plain')];
}

/** A refused creation creates nothing, whatever is wrong with it. */
export async function expectRefusedCreateNothing(session: Session, operation: CreateOperation): Promise<undefined> {
  await sharedCreation(session, operation, 'first');
  const bodies = doubtful(session, operation);
  const made = await madeBy(session, operation, bodies);
  if (made === undefined) return;
  const { list, noun } = creationKinds[operation];
  await requireNoOtherClient('The list keeps growing', async () => idsIn(await readList(session, list)));
  for (const body of bodies) {
    const again = await madeBy(session, operation, [body]);
    if (again === undefined) continue;
    const expected = say`no new ${own(noun)}: the creation was refused with status ${again.refusals[0]?.status ?? 0}`;
    const actual = say`the list shows a new one: ${asJson(again.item)}`;
    throw new Violated(expected, actual, [...again.refusals, ...repliesShowing(again.listing, again.item)]);
  }
}

interface Made {
  refusals: Reply[];
  item: unknown;
  listing: Listing;
}

/** The new items in a list after some creations, except those of the successful ones. */
async function madeBy(
  session: Session,
  operation: CreateOperation,
  bodies: readonly Content[],
): Promise<Made | undefined> {
  const { list } = creationKinds[operation];
  const before = await readList(session, list);
  if (!isComplete(before)) await requireNothingHidden(session, before);
  const refusals: Reply[] = [];
  for (const body of bodies) {
    const reply = await sendCreation(session, operation, { name: '(sent in an unusual body)' }, body);
    if (isClientError(reply)) refusals.push(reply);
  }
  if (refusals.length === 0) return undefined;
  const known = new Set(idsIn(before));
  const { seen } = await poll(
    session.learned.delaysMs.creation * 1.5,
    () => readList(session, list),
    (listing) => newIn(session, operation, known, listing) !== undefined,
  );
  const item = newIn(session, operation, known, seen);
  return item === undefined ? undefined : { refusals, item, listing: seen };
}

function newIn(session: Session, operation: CreateOperation, known: ReadonlySet<string>, { items }: Listing): unknown {
  const made = new Set(createdSoFar(session, operation).map(({ reply }) => idOf(reply.json)));
  return items.find((item) => {
    const id = idOf(item);
    return id !== undefined && !known.has(id) && !made.has(id);
  });
}

function idsIn({ items }: Listing): string[] {
  return items.flatMap((item) => idOf(item) ?? []);
}

const namesake = { createDrive: 'driveNamesake', createMcpServer: 'mcpServerNamesake' } as const;

/** Creations with a taken name or URL: refused, or a second resource besides the first (4.3, 4.8). */
export const repeatedCreationChecks: readonly Check[] = [
  ...(['createDrive', 'createMcpServer'] as const).map((operation) => {
    const { list, noun } = creationKinds[operation];
    return checksOf(list, 'list')(
      'namesake-kept',
      `Creates a new ${noun} with the name of an earlier one, and looks for both in the list.`,
      (session) => expectBoth(session, operation),
      { needs: ['writes'], effects: { shared: [creationKinds[operation].shared, namesake[operation]] } },
    );
  }),
  ...(['createDrive', 'createMcpServer'] as const).map((operation) => {
    const { list, noun, effect, othersEffect } = creationKinds[operation];
    return checksOf(list, 'list')(
      'namesake-kept.other-organization',
      `Creates a new ${noun}, then the same one with the key of the other organization, and looks for the first in the list.`,
      (session) => expectKeptFromOther(session, operation),
      {
        needs: ['writes', 'otherKey'],
        effects: { [effect]: 1, [othersEffect]: 1, perhaps: ['driveOfEachOrganization'] },
      },
    );
  }),
  checksOf('listMcpServers', 'list')(
    'same-url-listed',
    'Registers the URL of an earlier MCP server under another name, and looks for the new one in the list.',
    expectSameUrlListed,
    { needs: ['writes'], effects: { mcpServers: 1, shared: ['firstMcpServer'] } },
  ),
];

const refused = say`Refused, which the specification leaves open.`;

async function expectBoth(session: Session, operation: CreateOperation): Promise<Sentence | undefined> {
  const earlier = await sharedCreation(session, operation, 'first');
  const reply = await sameName(session, operation);
  if (isClientError(reply)) return refused;
  requireSuccess(reply, `${operation}.is-served`);
  const later = requireCreation(operation, earlier.sent, reply);
  if (later.id === earlier.id) {
    const expected = say`a new one with its own id, or an error response: the name is taken`;
    const actual = say`the earlier one with this name, ${asJson(idOf(reply.json))}: nothing was created`;
    throw new Violated(expected, actual, [earlier.reply, reply]);
  }
  await requireShown(session, [earlier, later]);
  return undefined;
}

async function expectKeptFromOther(session: Session, operation: CreateOperation): Promise<Sentence | undefined> {
  await requireOtherOrganization(session);
  const { sent, reply } = await sendNewCreation(session, operation);
  const ours = requireCreation(operation, sent, reply);
  await requireShown(session, [ours]);
  const theirs = await sendCreation(session, operation, sent, { credentials: session.other });
  if (isClientError(theirs)) return refused;
  requireSuccess(theirs, `${operation}.is-served`);
  // Whether the list shows it as before, the model tells.
  await requireShown(session, [ours]);
  return undefined;
}

// A response with the earlier id means that nothing was registered.
async function expectSameUrlListed(session: Session): Promise<Sentence | undefined> {
  const earlier = await sharedCreation(session, 'createMcpServer', 'first');
  const { sent, reply } = await sameUrl(session);
  if (isClientError(reply)) return refused;
  requireSuccess(reply, 'createMcpServer.is-served');
  const later = requireCreation('createMcpServer', sent, reply);
  if (later.id === earlier.id)
    return say`The response shows the earlier MCP server, which the specification leaves open.`;
  await requireShown(session, [later]);
  return undefined;
}
