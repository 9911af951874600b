import type { Check, Phase } from '../check.ts';
import { type Effects, usualDemands } from '../plan/demands.ts';
import {
  type CreateOperation,
  created,
  creationBody,
  creationKinds,
  sendCreation,
  toCreation,
} from '../scene/creations.ts';
import { readList, showing } from '../scene/lists.ts';
import { requireOtherOrganization } from '../scene/organizations.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { idOf, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { both, expectOnce, expectParallel, expectSame, isSameUrl, listed } from './listed-creations.ts';

/** One check of a kind of creation: `noun` and `item` stand for the kind. */
interface Row {
  /** The rule, on the operation that creates or on the one that lists. */
  on: 'create' | 'list';
  rule(item: string): string;
  phase: Phase;
  does(noun: string): string;
  /** How many it creates for itself alone, beside the first of those that all look at; else it looks at two of these. */
  own?: number;
  run(session: Session, operation: CreateOperation): Promise<unknown>;
}

const rows: readonly Row[] = [
  {
    on: 'create',
    rule: () => 'name-taken-over',
    phase: 'create',
    does: (noun) => `Compares the name of two new ${noun}s with what was sent.`,
    run: (session, operation) => expectTakenOver(session, operation, 'name'),
  },
  {
    on: 'create',
    rule: () => 'new-id-each-time',
    phase: 'create',
    does: (noun) => `Compares the ids of two new ${noun}s.`,
    run: expectDifferentIds,
  },
  {
    on: 'create',
    rule: () => 'created-at-is-recent',
    phase: 'create',
    does: (noun) => `Compares createdAt of two new ${noun}s with the Date header of the answer.`,
    run: expectRecent,
  },
  ...(['accents', 'emoji'] as const).map(
    (kind): Row => ({
      on: 'create',
      rule: () => `name-kept.${kind}`,
      phase: 'create',
      does: (noun) => `Creates a ${noun} with ${kind} in its name.`,
      own: 1,
      run: (session, operation) => expectNameKept(session, operation, kind),
    }),
  ),
  {
    on: 'create',
    rule: () => 'belongs-to-organization',
    phase: 'list',
    does: (noun) => `Compares the owner of two new ${noun}s with the owner of the others in the list.`,
    run: expectOwner,
  },
  {
    on: 'list',
    rule: (item) => `created-${item}`,
    phase: 'list',
    does: (noun) => `Reads the list until it shows two new ${noun}s.`,
    run: listed,
  },
  {
    on: 'list',
    rule: (item) => `created-${item}-once`,
    phase: 'list',
    does: (noun) => `Counts two new ${noun}s in the list.`,
    run: expectOnce,
  },
  {
    on: 'list',
    rule: (item) => `created-${item}-is-the-same`,
    phase: 'list',
    does: (noun) => `Compares two new ${noun}s in the list with the answers to their creation.`,
    run: expectSame,
  },
  {
    on: 'list',
    rule: () => 'parallel-creations',
    phase: 'list',
    does: (noun) => `Creates four ${noun}s at the same time, and looks for all of them.`,
    own: 4,
    run: expectParallel,
  },
];

/** What is created is what was sent, is listed once, and belongs to whoever sent it (4.3, 4.4, 4.8, 4.9). */
export function creationChecks(operation: CreateOperation): Check[] {
  const { list, noun } = creationKinds[operation];
  const isDrive = operation === 'createDrive';
  return rows.map(({ on, rule, phase, does, own, run }) => {
    const owner = on === 'create' ? operation : list;
    return {
      id: `${owner}.${rule(isDrive ? 'drive' : 'server')}`,
      operation: owner,
      phase,
      does: does(noun),
      needs: ['writes'],
      effects: effectsOf(operation, own),
      run: (session) => run(session, operation),
    };
  });
}

/** The URL that an MCP server answers with is the one that was sent, or its canonical spelling. */
export const urlCheck: Check = {
  id: 'createMcpServer.url-taken-over',
  operation: 'createMcpServer',
  phase: 'create',
  does: 'Compares the URL of two new MCP servers with what was sent.',
  run: (session) => expectTakenOver(session, 'createMcpServer', 'url'),
};

// The other organization may have to be told apart first.
function effectsOf(operation: CreateOperation, own?: number): Effects {
  const isDrive = operation === 'createDrive';
  const perhaps = ['driveOfEachOrganization'] as const;
  if (own === undefined) return { ...usualDemands[operation].effects, perhaps };
  return isDrive ? { drives: own, shared: ['firstDrive'] } : { mcpServers: own, shared: ['firstMcpServer'] };
}

async function expectTakenOver(session: Session, operation: CreateOperation, field: 'name' | 'url'): Promise<void> {
  for (const { sent, reply } of await both(session, operation)) {
    const value = member(reply.json, field);
    const isAbsent = value === undefined;
    if (isAbsent) throw new Unverified('PREREQUISITE', `The answer has no ${field}. See ${operation}.fields-present.`);
    const isKept = field === 'url' ? isSameUrl(value, sent.url) : value === sent.name;
    if (!isKept) throw new Violated(`${field}: ${JSON.stringify(sent[field])}`, JSON.stringify(value), [reply]);
  }
}

async function expectDifferentIds(session: Session, operation: CreateOperation): Promise<void> {
  const [first, second] = await both(session, operation);
  if (first === undefined || second === undefined || first.id !== second.id) return;
  throw new Violated('another id for each', `both have the id ${first.id}`, [first.reply, second.reply]);
}

const toleranceMs = 5 * 60_000;

async function expectRecent(session: Session, operation: CreateOperation): Promise<string | undefined> {
  for (const { reply } of await both(session, operation)) {
    const date = reply.headers.date ?? '';
    if (Number.isNaN(Date.parse(date))) return 'The answers have no Date header to compare with.';
    const createdAt = String(member(reply.json, 'createdAt'));
    const differenceMs = Math.abs(Date.parse(createdAt) - Date.parse(date));
    if (Number.isNaN(differenceMs))
      throw new Unverified('PREREQUISITE', `createdAt is ${createdAt}, which is no time.`);
    if (differenceMs > toleranceMs) {
      throw new Violated(`a createdAt within five minutes of ${date}, the time of the answer`, createdAt, [reply]);
    }
  }
  return undefined;
}

const unusual = { accents: 'Übersicht façade žluťoučký', emoji: 'rocket 🚀 family 👩‍👩‍👧' };

async function expectNameKept(
  session: Session,
  operation: CreateOperation,
  kind: keyof typeof unusual,
): Promise<unknown> {
  await created(session, operation, 'first');
  const body = creationBody(operation, `${session.newName()} ${unusual[kind]}`);
  const reply = await sendCreation(session, operation, body);
  if (reply.status >= 400 && reply.status < 500) return 'Refused, which is open (open point nameRules).';
  const name = member(toCreation(operation, body, reply).reply.json, 'name');
  if (name !== body.name) throw new Violated(`name: ${JSON.stringify(body.name)}`, JSON.stringify(name), [reply]);
  return undefined;
}

async function expectOwner(session: Session, operation: CreateOperation): Promise<void> {
  const creations = await both(session, operation);
  const owners = new Set(creations.map(({ reply }) => ownerIn(reply.json)));
  const { items } = await readList(session, creationKinds[operation].list);
  const known = new Set(items.filter((item) => !creations.some(({ id }) => id === idOf(item))).map(ownerIn));
  const [owner = ''] = owners;
  const replies = creations.map(({ reply }) => reply);
  if (owners.size > 1) throw new Violated('one organizationId for both', [...owners].join(', '), replies);
  if (known.size > 0 && !known.has(owner)) {
    throw new Violated(`the organizationId of the others in the list: ${[...known].join(', ')}`, owner, replies);
  }
  if (session.settings.otherApiKey !== undefined) await expectHiddenFromOther(session, operation, replies);
}

function ownerIn(value: unknown): string {
  return JSON.stringify(member(value, 'organizationId')) ?? 'none';
}

async function expectHiddenFromOther(
  session: Session,
  operation: CreateOperation,
  created: readonly Reply[],
): Promise<void> {
  await requireOtherOrganization(session);
  const { items, replies } = await readList(session, creationKinds[operation].list, session.other);
  const names = new Set(created.map(({ json }) => member(json, 'name')));
  const leaked = items.find((item) => names.has(member(item, 'name')));
  if (leaked !== undefined) {
    throw new Violated(
      'nothing of it in the list of the other organization',
      JSON.stringify(leaked),
      showing({ replies }, leaked),
    );
  }
}
