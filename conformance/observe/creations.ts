// Observers that create drives and MCP servers, or publish.
import { asJson, joined, own, type Sentence, say } from '../../lib/sentence.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import {
  attemptSharedCreation,
  type CreateOperation,
  type CreationBody,
  createdSoFar,
  creationKinds,
  listedIn,
  newBody,
  sameName,
  sendCreation,
  sharedCreation,
  showsAll,
  successesFor,
} from '../probing/creations.ts';
import { awaitPublished, publishableAgent, successfulPublication, unknownLike } from '../probing/fixtures.ts';
import { findById, readList } from '../probing/lists.ts';
import { oncePerRun } from '../run/once.ts';
import { Inconclusive, orNone } from '../run/signals.ts';
import { idOf, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { isAccepted, keptOrTouched, moveOf, type Seen } from './observer.ts';

const operations = ['createDrive', 'createMcpServer'] as const;

/** Creates a drive and an MCP server, as far as the target accepts them. */
export async function createBoth(session: Session): Promise<void> {
  for (const operation of operations)
    for (const name of ['first', 'second'] as const) await orNone(attemptSharedCreation(session, operation, name));
}

export async function sendDuplicates(session: Session): Promise<void> {
  for (const operation of operations) await sameName(session, operation);
}

/** A list requested after the response to a creation, and whether it shows the resource. */
interface Look {
  operation: CreateOperation;
  id: string;
  isShown: boolean;
}

// All lists after a creation, not just the next one: a list cached for seconds may be fresh by chance.
function looks(session: Session): Look[] {
  return operations.flatMap((operation) => {
    const lists = successesFor(session, creationKinds[operation].list, 'own').filter((reply) =>
      showsAll(session, reply),
    );
    return createdSoFar(session, operation)
      .filter(({ whose }) => whose === 'own')
      .flatMap(({ reply }) => {
        const id = idOf(reply.json);
        const later = lists.filter(({ sentAtMs }) => sentAtMs >= reply.receivedAtMs);
        return id === undefined ? [] : later.map((list) => ({ operation, id, isShown: isIn(list, id) }));
      });
  });
}

function isIn(list: Reply, id: string): boolean {
  return findById({ items: listedIn(list) }, id) !== undefined;
}

// If a resource never appears, that is not about timing.
export async function seeReadAfterWrite(session: Session): Promise<Seen> {
  session.requireWrites();
  if (!looks(session).some(({ operation }) => operation === 'createMcpServer')) {
    await sendCreation(session, 'createMcpServer', newBody(session, 'createMcpServer'));
    await readList(session, 'listMcpServers');
  }
  const all = looks(session);
  const shown = new Set<string>();
  for (const operation of operations) {
    const ids = new Set(all.filter((one) => one.operation === operation).map(({ id }) => id));
    const { list } = creationKinds[operation];
    const { seen } = await session.patience.settle(
      'listed',
      () => readList(session, list),
      ({ items }) => [...ids].every((id) => findById({ items }, id) !== undefined),
    );
    for (const id of ids) if (findById(seen, id) !== undefined) shown.add(id);
  }
  const judged = all.filter(({ id }) => shown.has(id));
  if (judged.length === 0) return undefined;
  return judged.every(({ isShown }) => isShown) ? 'immediate' : 'lagging';
}

const longLength = 256;

/** How borderline names are treated: refused, kept, or changed in an expected way. */
export async function seeNameRules(session: Session): Promise<Seen> {
  await sharedCreation(session, 'createDrive', 'first');
  const long = session.newName().padEnd(longLength, 'x');
  const wide = ` ${session.newName()} `;
  const treatment = async (name: string) => {
    // If names must differ, a name that a check used before would be refused for that.
    const before = createdSoFar(session, 'createDrive').find(({ sent }) => sent.name === name);
    const reply = before?.reply ?? (await sendCreation(session, 'createDrive', { name }));
    if (!isAccepted(reply)) await requireOtherThanTaken(session, reply);
    return treatmentOf(reply, 'name', name, { trimmed: name.trim() });
  };
  return matching(nameRules, {
    empty: await treatment(''),
    blank: await treatment(blanks(session)),
    wide: await treatment(wide),
    long: await treatment(long),
  });
}

const nameRules = {
  nonEmpty: 'refused,kept,kept,kept',
  anyString: 'kept,kept,kept,kept',
  bounded: 'refused,kept,kept,refused',
  trimmed: 'refused,refused,trimmed,kept',
} satisfies Record<Profile['nameRules'], string>;

// Names may have to differ: each run sends a different number of blanks.
function blanks(session: Session): string {
  return ' '.repeat(1 + (Number.parseInt(session.runId.slice(-4), 16) % 200));
}

// An empty name may be taken since an earlier run.
async function requireOtherThanTaken(session: Session, refusal: Reply): Promise<void> {
  const taken = await sameName(session, 'createDrive');
  if (taken.isSuccess || taken.status !== refusal.status) return;
  if (taken.status === 409) throw new Inconclusive('DATA', say`The name may be taken.`);
}

const urls = ['HTTPS://MCP.Example.com', 'ftp://mcp.example.com/', 'no url'];

export async function seeUrlRules(session: Session): Promise<Seen> {
  await sharedCreation(session, 'createMcpServer', 'first');
  const seen: Record<string, Sentence> = {};
  for (const url of urls) {
    const reply = await sendCreation(session, 'createMcpServer', { ...newBody(session, 'createMcpServer'), url });
    seen[url] = treatmentOf(reply, 'url', url, URL.canParse(url) ? { canonical: new URL(url).href } : {});
  }
  return matching(urlRules, seen);
}

const urlRules = {
  httpUrl: 'kept,refused,refused',
  canonicalHttpUrl: 'canonical,refused,refused',
  anyString: 'kept,kept,kept',
} satisfies Record<Profile['mcpUrlRules'], string>;

/** How a creation treated a value: refused, kept, changed to one of the `usual` values, or to something else. */
function treatmentOf(
  reply: Reply,
  field: keyof CreationBody,
  sent: string,
  usual: Readonly<Record<string, string>>,
): Sentence {
  if (!isAccepted(reply)) return say`refused`;
  const kept = member(reply.json, field);
  if (kept === undefined) throw new Inconclusive('PREREQUISITE', say`The response shows no ${own(field)}.`);
  if (kept === sent) return say`kept`;
  const [word] = Object.entries(usual).find(([, value]) => value === kept) ?? [];
  return word === undefined ? say`changed to ${asJson(kept)}` : own(word);
}

/** The choice that matches the treatments seen. */
function matching(rules: Readonly<Record<string, string>>, seen: Readonly<Record<string, Sentence>>): Seen {
  const all = String(joined(Object.values(seen), ','));
  const found = Object.entries(rules).find(([, expected]) => expected === all);
  const inWords = Object.entries(seen).map(([sent, treatment]) => say`${own(sent)}: ${treatment}`);
  return found?.[0] ?? { other: joined(inWords) };
}

// A lagging list may show the new server later than the response to its creation.
export async function seeToolsOfNewServer(session: Session): Promise<Seen> {
  const { id } = await sharedCreation(session, 'createMcpServer', 'first');
  const { seen } = await session.patience.settle(
    'listed',
    () => session.call('listMcpServerTools', { path: { mcpServerId: id } }),
    ({ status }) => status !== 404,
  );
  if (seen.failure !== undefined || seen.status === 401 || seen.status === 429) return undefined;
  if (!seen.isSuccess) return { other: say`status ${seen.status}` };
  const tools = member(seen.json, 'tools');
  if (!Array.isArray(tools)) return undefined;
  return tools.length === 0 ? 'none' : 'plausible';
}

export async function sendWrongType(session: Session): Promise<void> {
  await sharedCreation(session, 'createDrive', 'first');
  const name = Number.parseInt(session.runId.slice(session.runId.indexOf('-') + 1), 16);
  await sendCreation(session, 'createDrive', { name: String(name) }, { json: { name } });
}

export async function sendMalformedJson(session: Session): Promise<void> {
  await sharedCreation(session, 'createDrive', 'first');
  const body = newBody(session, 'createDrive');
  await sendCreation(session, 'createDrive', body, { raw: { body: '{', contentType: 'application/json' } });
}

const unnamed = { name: '(none was sent)' };

/** Sends a list where an object is expected. */
export async function sendNoObject(session: Session): Promise<void> {
  await sharedCreation(session, 'createDrive', 'first');
  await sendCreation(session, 'createDrive', unnamed, { json: [] });
}

export async function sendEmptyDrive(session: Session): Promise<void> {
  await sharedCreation(session, 'createDrive', 'first');
  await sendCreation(session, 'createDrive', unnamed, { json: {} });
}

export async function sendEmptyMove(session: Session): Promise<void> {
  await moveOf(session, ({ path }) => path, { json: {} });
}

/** Registers an MCP server without any field, and one without a name. */
export async function sendPartialServers(session: Session): Promise<void> {
  await sharedCreation(session, 'createMcpServer', 'first');
  await sendCreation(session, 'createMcpServer', unnamed, { json: {} });
  const { url } = newBody(session, 'createMcpServer');
  await sendCreation(session, 'createMcpServer', unnamed, { json: { url } });
}

export async function seeUnknownRevision(session: Session): Promise<Seen> {
  session.requireWrites();
  await successfulPublication(session);
  const { id, revisionId } = publishableAgent(session);
  const json = { revisionId: unknownLike(session, revisionId) };
  const reply = await session.call('publishAgentRevision', { path: { agentId: id }, json });
  return isAccepted(reply) ? undefined : reply.status;
}

/** A publication by an agent that does not exist, and the same without a revision. */
const ofUnknownAgent = oncePerRun(async (session) => {
  session.requireWrites();
  await successfulPublication(session);
  const { id, revisionId } = publishableAgent(session);
  const path = { agentId: unknownLike(session, id) };
  const whole = await session.call('publishAgentRevision', { path, json: { revisionId } });
  const empty = await session.call('publishAgentRevision', { path, json: {} });
  return { whole, empty };
});

export async function seeUnknownAgent(session: Session): Promise<Seen> {
  const { whole } = await ofUnknownAgent(session);
  return isAccepted(whole) ? undefined : whole.status;
}

// An existing agent might publish a revision that nobody named. The body may also be judged for an unknown agent.
export async function seeRequiredRevision(session: Session): Promise<Seen> {
  const { whole, empty } = await ofUnknownAgent(session);
  if (isAccepted(whole) || isAccepted(empty)) return undefined;
  return empty.status === whole.status ? undefined : 'all';
}

/** The agent before its publication, and as soon as the list shows it as published. */
const shownPublication = oncePerRun(async (session: Session): Promise<{ before: unknown; after: unknown }> => {
  const { id } = publishableAgent(session);
  const { before } = await successfulPublication(session);
  const { seen: after } = await awaitPublished(session);
  return { before: findById({ items: before }, id), after };
});

export async function seeUpdatedAt(session: Session): Promise<Seen> {
  const { before, after } = await shownPublication(session);
  return keptOrTouched(member(before, 'updatedAt'), member(after, 'updatedAt'));
}

// Whether the revision is the newest is unknown, so only a flag that changes from false to true identifies a choice.
export async function seeFlags(session: Session): Promise<Seen> {
  const { before, after } = await shownPublication(session);
  return member(before, 'hasChanges') === false && member(after, 'hasChanges') === true ? 'derived' : undefined;
}
