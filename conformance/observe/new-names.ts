import { asJson, joined, own, type Sentence, say } from '../../openapi/reading/sentence.ts';
import {
  type CreateOperation,
  creationBody,
  creationKinds,
  sendCreation,
  sharedCreation,
} from '../probing/creations.ts';
import { readList } from '../probing/lists.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { idOf, items, member, poll } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { ifSeen, isAccepted, type Observer, ownReplies, type Seen } from './observer.ts';

/** Which names are taken, how often, and from when on the lists show them. */
export const nameObservers: readonly Observer[] = [
  { openPoint: 'duplicateNames', phase: 'create', effects: { drives: 1, mcpServers: 1 }, ask: sendDuplicates },
  { openPoint: 'readAfterWrite', phase: 'create', effects: { mcpServers: 1 }, see: seeReadAfterWrite },
  { openPoint: 'nameRules', phase: 'create', effects: { drives: 4 }, see: seeNameRules },
];

/** A creation with the name of an earlier one, whatever came of it. It is sent once in a run. */
export function sameName(session: Session, operation: CreateOperation): Promise<Reply> {
  return session.once(`same name ${operation}`, async () => {
    const { sent } = await sharedCreation(session, operation, 'first');
    const body = creationBody(operation, session.newName());
    const reply = await sendCreation(session, operation, { ...body, name: sent.name });
    if (reply.isSuccess) await ifSeen(readList(session, creationKinds[operation].list));
    return reply;
  });
}

async function sendDuplicates(session: Session): Promise<void> {
  await sameName(session, 'createDrive');
  await sameName(session, 'createMcpServer');
}

/** An MCP server that was created, and whether the list showed it that was read right after. */
interface Look {
  id: string;
  isShown: boolean;
}

// MCP servers are listed all at once: nothing that is missing can be on another page.
function looks(session: Session): Look[] {
  const own = new Set(ownReplies(session));
  return session.replies.flatMap((reply, index) => {
    const list = session.replies[index + 1];
    const id = idOf(reply.json);
    if (id === undefined || list === undefined || !own.has(reply) || !own.has(list)) return [];
    const isPair = reply.request.operation === 'createMcpServer' && list.request.operation === 'listMcpServers';
    return isPair && reply.isSuccess && list.isSuccess ? [{ id, isShown: isIn(list.json, id) }] : [];
  });
}

function isIn(list: unknown, id: string): boolean {
  return items(list).some((item) => idOf(item) === id);
}

// What never shows is no matter of time.
async function seeReadAfterWrite(session: Session): Promise<Seen> {
  session.requireWrites();
  if (looks(session).length === 0) await createAndLook(session);
  const all = looks(session);
  const { seen } = await poll(
    session.settings.settleMs,
    () => session.call('listMcpServers'),
    ({ json }) => all.every(({ id }) => isIn(json, id)),
  );
  const shown = all.filter(({ id }) => isIn(seen.json, id));
  if (shown.length === 0) return undefined;
  return shown.every(({ isShown }) => isShown) ? 'immediate' : 'lagging';
}

async function createAndLook(session: Session): Promise<void> {
  const body = creationBody('createMcpServer', session.newName());
  await sendCreation(session, 'createMcpServer', body);
  await readList(session, 'listMcpServers');
}

const longLength = 256;

/** How names at the edge are treated: refused, kept, or changed to what the text says. */
async function seeNameRules(session: Session): Promise<Seen> {
  await sharedCreation(session, 'createDrive', 'first');
  const long = session.newName().padEnd(longLength, 'x');
  const wide = ` ${session.newName()} `;
  const seen = {
    empty: await treatmentOf(session, ''),
    blank: await treatmentOf(session, blanks(session)),
    wide: await treatmentOf(session, wide),
    long: await treatmentOf(session, long),
  };
  const found = Object.entries(rules).find(([, expected]) => expected === String(joined(Object.values(seen), ',')));
  return found?.[0] ?? { other: inWords(seen) };
}

const rules = {
  nonEmpty: 'refused,kept,kept,kept',
  anyString: 'kept,kept,kept,kept',
  bounded: 'refused,kept,kept,refused',
  trimmed: 'refused,refused,trimmed,kept',
};

function inWords(seen: Readonly<Record<string, Sentence>>): Sentence {
  return joined(Object.entries(seen).map(([name, treatment]) => say`${own(name)}: ${treatment}`));
}

// Names may have to differ: another run sends another number of blanks.
function blanks(session: Session): string {
  return ' '.repeat(1 + (Number.parseInt(session.runId.slice(-4), 16) % 200));
}

async function treatmentOf(session: Session, name: string): Promise<Sentence> {
  const reply = await sendCreation(session, 'createDrive', { name });
  if (!isAccepted(reply)) {
    await requireOtherThanTaken(session, reply);
    return say`refused`;
  }
  const kept = member(reply.json, 'name');
  if (kept === undefined) throw new Unverified('PREREQUISITE', say`The response shows no name.`);
  if (kept === name) return say`kept`;
  return kept === name.trim() ? say`trimmed` : say`changed to ${asJson(kept)}`;
}

// An empty name may be taken, from an earlier run.
async function requireOtherThanTaken(session: Session, refusal: Reply): Promise<void> {
  const taken = await sameName(session, 'createDrive');
  if (taken.isSuccess || taken.status !== refusal.status) return;
  if (taken.status === 409) throw new Unverified('DATA', say`The name may be taken.`);
}
