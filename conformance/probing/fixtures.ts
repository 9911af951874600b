/*
 * What checks need that must exist: an agent to publish, MCP servers, and ids that nothing has. To add a fixture:
 * `../config.schema.json`, `../run/settings.ts`, `../run/signals.ts`, `../run/needs.ts`, `../run/doctor.ts`, and here.
 */
import { randomInt } from 'node:crypto';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { oncePerRun } from '../run/once.ts';
import { Inconclusive } from '../run/signals.ts';
import { idOf, inconclusive, items, member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { CallOptions, Session } from '../target/session.ts';
import { listedIn, sharedCreation, successesFor } from './creations.ts';
import { findById, readList } from './lists.ts';

/** The agent and the revision that may be published. */
export function publishableAgent(session: Session): { id: string; revisionId: string } {
  const { agent } = session.settings.fixtures;
  if (agent !== undefined) return agent;
  throw new Inconclusive('AGENT', say`No agent is declared with a revision that may be published.`);
}

/**
 * The ids of MCP servers whose tools may be listed: the declared one, then those in the list. The first is one that the
 * target can reach, if there is one. Creates an MCP server if there is none and the run may write.
 */
export const mcpServerIds = oncePerRun(async (session: Session): Promise<string[]> => {
  const declared = session.settings.fixtures.mcpServer?.id;
  const listing = await readList(session, 'listMcpServers').catch(() => undefined);
  const isForeign = foreignIn(session);
  const listed = (listing?.items ?? []).filter((item) => !isForeign(item)).flatMap((item) => idOf(item) ?? []);
  const ids = [...new Set([...(declared === undefined ? [] : [declared]), ...listed])];
  if (ids.length > 0) return reachableFirst(session, ids.slice(0, mostServers));
  if (session.settings.allowWrites) return [(await sharedCreation(session, 'createMcpServer', 'first')).id];
  throw new Inconclusive('MCP_SERVER', say`The list has no MCP server, and none is declared.`);
});

/**
 * Whether a list item names an owner other than the most frequent one. It does not belong there, as the list checks
 * report, so the response for its id says nothing about other operations.
 */
function foreignIn(session: Session): (item: unknown) => boolean {
  const times = new Map<unknown, number>();
  for (const owner of listedOwners(session)) times.set(owner, (times.get(owner) ?? 0) + 1);
  const mostOften = times.values().reduce((most, count) => Math.max(most, count), 0);
  return (item) => {
    const owner = member(item, 'organizationId');
    return owner !== undefined && (times.get(owner) ?? 0) < mostOften;
  };
}

function listedOwners(session: Session): unknown[] {
  const replies = (['listDrives', 'listMcpServers'] as const).flatMap((list) =>
    successesFor(session, list, 'own').slice(0, 1),
  );
  return replies.flatMap(listedIn).flatMap((item) => member(item, 'organizationId') ?? []);
}

const mostServers = 20;
const mostTries = 3;

// The response for an MCP server that the target cannot reach is open: such a server says nothing about the operation.
async function reachableFirst(session: Session, ids: readonly string[]): Promise<string[]> {
  for (const id of ids.slice(0, mostTries)) {
    const reply = await session.ask('listMcpServerTools', { path: { mcpServerId: id } });
    if (!isUnreachable(reply)) return [id, ...ids.filter((other) => other !== id)];
  }
  return [...ids];
}

/** The error responses to a request for tools that are about the key, or say that there is no such MCP server (4.10). */
const aboutOthers = [401, 404, 410];

/** Whether listing the tools may have failed because of the MCP server rather than the target: with which status is open. */
export function isUnreachable({ status, failure }: Reply): boolean {
  return failure === 'timeout' || (status >= 400 && !aboutOthers.includes(status));
}

/** Throws {@link Inconclusive} if the tools of an undeclared MCP server could not be listed. */
export function requireReachable(session: Session, reply: Reply): void {
  if (session.settings.fixtures.mcpServer !== undefined || !isUnreachable(reply)) return;
  throw inconclusive(reply, 'MCP_SERVER', say` The target may be unable to reach that MCP server.`);
}

/** Whether an MCP server that is not found is in the list but belongs to another organization. */
export async function isOfOther(session: Session, { status, request }: Reply): Promise<boolean> {
  if (status !== 404 && status !== 410) return false;
  const id = decodeURIComponent(request.path.split('/')[2] ?? '');
  const ofOwn = successesFor(session, 'listMcpServers', 'own').flatMap(listedIn);
  const item = findById({ items: ofOwn }, id);
  if (item === undefined) return false;
  if (foreignIn(session)(item)) return true;
  if (session.settings.otherApiKey === undefined) return false;
  const ofOther = await session.call('listMcpServers', { credentials: session.other });
  return findById({ items: listedIn(ofOther) }, id) !== undefined;
}

export const delisted = own('The MCP server is no longer listed: another client seems to be writing.');

/** Whether the tools of an MCP server could not be listed because it was removed after the list showed it. */
export async function isDelisted(session: Session, { status, request }: Reply): Promise<boolean> {
  if (status !== 404 && status !== 410) return false;
  const id = decodeURIComponent(request.path.split('/')[2] ?? '');
  const isIn = (reply: Reply) => findById({ items: items(reply.json) }, id) !== undefined;
  if (!session.successesOf('listMcpServers').some(isIn)) return false;
  return findById(await readList(session, 'listMcpServers'), id) === undefined;
}

const fewestDrawn = 8;

export function isUuid(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
}

export function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}

/** An id that nothing has, in the form of a known one if that form has enough random characters. */
export function unknownLike(session: Session, known: string): string {
  // Of the same version, in the same case.
  if (isUuid(known)) return known.slice(0, -12) + drawnLike(known.slice(-12));
  // A number is far away: other organizations may have the next ones.
  if (isNumber(known)) return `1${drawnLike('0'.repeat(Math.max(9, known.length) - 1))}`;
  const { kind, rest } = partsOf(known);
  if (rest.length < fewestDrawn) return session.unknownId();
  // The start may be a time, or have some other meaning.
  const kept = rest.length < longRest ? '' : rest.slice(0, -fewestDrawn);
  return kind + kept + drawnLike(rest.slice(kept.length));
}

const longRest = 12;

function partsOf(id: string): { kind: string; rest: string } {
  const [, kind = '', rest = ''] = /^(.*[_-])?([0-9A-Za-z]*)$/.exec(id) ?? [];
  return { kind, rest };
}

/** Whether an id like this one certainly has the form of ids on the target, not of words or encoded text. */
export function hasPlainForm(known: string): boolean {
  if (isUuid(known) || isNumber(known)) return true;
  const { kind, rest } = partsOf(known);
  const isLong = /^([0-9a-z]{14,}|[0-9A-F]{32}|[0-9A-HJKMNP-TV-Z]{26})$/.test(rest);
  // Words may end with a short number.
  const isRandom = isLong && /\d\D+\d|\d{4}/.test(rest);
  return isRandom && /^([A-Za-z]+[_-])?$/.test(kind);
}

/** Ids that nothing has, in one form of the ids on the target. */
export interface UnknownForm {
  ids: string[];
  /** Whether they certainly have that form, so that the response to one says what an unknown id gets. */
  isWellFormed: boolean;
}

/** Unknown ids in each form that the known ones have: a target may have ids of several. `taken`: others that exist. */
export function unknownForms(session: Session, known: readonly string[], taken: ReadonlySet<string>): UnknownForm[] {
  const oneOfEach = [...Map.groupBy(known, formOf).values()].flatMap(([first]) => first ?? []);
  return oneOfEach.slice(0, mostForms).map((id) => {
    const counted = countedParts(id);
    const isPlain = hasPlainForm(id);
    if (isPlain || counted === undefined) return { ids: [unknownLike(session, id)], isWellFormed: isPlain };
    return { ids: nextCounted(counted, new Set([...known, ...taken])), isWellFormed: true };
  });
}

const mostForms = 6;

function formOf(id: string): string {
  if (isUuid(id)) return `UUID of version ${id.charAt(14)}`;
  if (isNumber(id)) return 'number';
  const counted = hasPlainForm(id) ? undefined : countedParts(id);
  return `${counted?.start ?? partsOf(id).kind} ${counted === undefined ? id.length : 'and a number'}`;
}

/** The parts of an id that ends with a count, such as `m-a1` or `server12`; not of an encoded text. */
function countedParts(id: string): { start: string; count: string } | undefined {
  const [, start, count] = /^((?:[A-Za-z]+[-_.:])+[A-Za-z]{0,3}|[A-Za-z]{3,})(\d{1,9})$/.exec(id) ?? [];
  return start === undefined || count === undefined ? undefined : { start, count };
}

// An id near the known ones may be another organization's, and one far away may be too long.
function nextCounted({ start, count }: { start: string; count: string }, taken: ReadonlySet<string>): string[] {
  const limit = 10 ** count.length;
  const first = randomInt(limit);
  const places = Array.from({ length: Math.min(limit, mostPlaces) }, (_, place) => (first + place) % limit);
  const near = places.map((place) => `${start}${String(place).padStart(count.length, '0')}`);
  const far = `${start}${randomInt(9 * 10 ** 6, 10 ** 7)}`;
  return [...near.filter((id) => !taken.has(id) && isLikeCount(id, start, count)).slice(0, 2), far];
}

const mostPlaces = 1_000;

// Numbers start with zero only if the known one does.
function isLikeCount(id: string, start: string, count: string): boolean {
  return count.startsWith('0') || id.charAt(start.length) !== '0';
}

/** Ids that a target must not confuse with its own: of a different resource, in capitals, cut, suffixed, patterns. */
export function strangeIds(session: Session, known: string, ofOtherKind: string | undefined): string[] {
  const capitals = known.toUpperCase();
  // Numbers and words may be ids of several resources; hexadecimal digits have no case.
  const isOther = ofOtherKind !== undefined && ofOtherKind !== known && hasPlainForm(ofOtherKind) && !isNumber(known);
  const isCuttable = hasPlainForm(known) && !isNumber(known);
  const hasCase = !/^[0-9a-fA-F-]*$/.test(known) && capitals !== known && hasPlainForm(known);
  return [
    ...(isOther ? [ofOtherKind] : []),
    ...(hasCase ? [capitals] : []),
    ...(isCuttable ? [known.slice(0, -1), `${known}a`] : []),
    unknownLike(session, known),
    '%',
    `${session.newName()}/../"none" `.padEnd(longLength, 'z'),
  ];
}

/** Ids like a known one: without its last character, and with one more. What other forms of ids allow is open. */
export function nearIds(known: string): string[] {
  return hasPlainForm(known) ? [known.slice(0, -1), `${known}x`].filter((near) => near !== '') : [];
}

const longLength = 200;

// Digits stay digits; letters become hexadecimal digits that are letters.
function drawnLike(text: string): string {
  const drawn = [...text].map((character) => {
    if (/\d/.test(character)) return String(randomInt(10));
    const letter = 'abcdef'.charAt(randomInt(6));
    return character === character.toUpperCase() ? letter.toUpperCase() : letter;
  });
  return drawn.join('');
}

/** An id that no resource is likely to have: with a blank and other characters that ids rarely hold. */
export function malformedId(session: Session): string {
  return `${session.newName()} ~ no id!`;
}

/** Publishes the declared revision, accepts any result, and records that it may be active. */
export async function sendPublication(session: Session, options: CallOptions = {}): Promise<Reply> {
  session.requireWrites();
  const { id, revisionId } = publishableAgent(session);
  const input = { path: { agentId: id }, json: { revisionId }, ...options };
  const reply = await session.call('publishAgentRevision', input);
  const mayHaveSucceeded = reply.failure !== undefined || reply.status >= 500;
  const isNoted = session.receipt.find('publication', id) !== undefined;
  if (reply.isSuccess || (mayHaveSucceeded && !isNoted)) {
    const verb = own(reply.isSuccess ? 'is' : 'may be');
    session.receipt.note({ kind: 'publication', id, note: say`its declared revision ${verb} active now` });
  }
  return reply;
}

/**
 * Whether a publication may have been refused because the revision is active: whether it may be published again is open
 * (open point `republish`).
 */
export function mayBeActive(reply: Reply): boolean {
  return isClientError(reply) && ![401, 405, 429].includes(reply.status);
}

/** Whether a publication after the first was refused because the revision is active, not because of its key. */
export async function isRefusedAsActive(session: Session, again: Reply): Promise<boolean> {
  if (!mayBeActive(again) || ![403, 404].includes(again.status)) return mayBeActive(again);
  // These may be about the key or the agent: then the key that published the revision does not get them.
  const { reply } = await firstPublication(session);
  return reply.isSuccess && (await sendPublication(session)).status === again.status;
}

/** The publication of a run, and what the list of agents showed before it. */
interface Publication {
  before: unknown[];
  /** What the list showed to the other organization. Throws {@link Inconclusive} if it could not be read. */
  othersBefore(): unknown[];
  wasPublished: unknown;
  reply: Reply;
}

/** Publishes the declared revision, once per run. */
export const firstPublication = oncePerRun(async (session: Session): Promise<Publication> => {
  session.requireWrites();
  const { id } = publishableAgent(session);
  const { items: before } = await readList(session, 'listAgents');
  const othersBefore = await othersAgents(session);
  const reply = await sendPublication(session);
  return { before, othersBefore, wasPublished: member(findById({ items: before }, id), 'isPublished'), reply };
});

// Whether the other organization's list can be read concerns only the check that compares it.
async function othersAgents(session: Session): Promise<() => unknown[]> {
  if (session.settings.otherApiKey === undefined) return () => [];
  const fail = (error: unknown) => () => {
    throw error;
  };
  return readList(session, 'listAgents', session.other).then(
    ({ items }) =>
      () =>
        items,
    fail,
  );
}

/** What the lists of both organizations show once the run's publication is visible, or the time to settle is up. */
export const agentsAfterwards = oncePerRun(
  async (session: Session): Promise<{ own: unknown[]; others(): unknown[] }> => {
    await successfulPublication(session);
    await awaitPublished(session);
    const { items: own } = await readList(session, 'listAgents');
    return { own, others: await othersAgents(session) };
  },
);

/** The publication of the run. Throws `Inconclusive` if it did not succeed. */
export async function successfulPublication(session: Session): Promise<Publication> {
  const publication = await firstPublication(session);
  requireSuccess(publication.reply, 'publishAgentRevision.is-served');
  return publication;
}

/** Reads the agent until the list shows it as published, or the time to settle is up. */
export function awaitPublished(session: Session): Promise<{ seen: unknown; isThere: boolean }> {
  const { id } = publishableAgent(session);
  return session.patience.settle(
    'published',
    async () => findById(await readList(session, 'listAgents'), id),
    (agent) => member(agent, 'isPublished') === true,
  );
}

/** The last list of agents that a valid caller got, as evidence. */
export function lastAgents(session: Session): Reply[] {
  return session.successesOf('listAgents').slice(-1);
}

/** How many tools a successful response shows; undefined if it is not an object with tools (4.10). */
export function countTools({ json }: Pick<Reply, 'json'>): number | undefined {
  const tools = member(json, 'tools');
  return Array.isArray(tools) ? tools.length : undefined;
}

/** The tools in a successful response in words, to follow its status. */
export function toolsShownIn(reply: Pick<Reply, 'json'>): Sentence {
  const count = countTools(reply);
  return count === undefined ? say`; ${notAnObjectWithTools}` : say`, with ${own(plural(count, 'tool'))}`;
}

export const notAnObjectWithTools = own('its response is not an object with tools');
