import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Check, Phase } from '../check.ts';
import { type Demands, refusedDemands } from '../plan/demands.ts';
import { attempted, requireRoom, requireUrl } from '../scene/creations.ts';
import { act, probe } from '../scene/probes.ts';
import { published, sendPublication } from '../scene/publications.ts';
import { requireReachable } from '../scene/subjects.ts';
import { deletedTree } from '../scene/tree-scenarios.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import {
  type CarrierName,
  type Credentials,
  extended,
  foreignScheme,
  invalidKey,
  noKey,
  shortened,
  validKey,
} from '../target/credentials.ts';
import { expectRefusal, expectSuccess, isBusy, presume, requestLine, whatCame } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** The checks on keys that every operation has (section 5). */
export function authenticationChecks(operation: OperationId): Check[] {
  return [...refusalChecks(operation), ...statusChecks(operation), ...carrierChecks(operation)];
}

/** The key that is nobody's: as long as the own one, and made of the same alphabet. */
function wrongKey(session: Session): string {
  return `${session.runId}${session.settings.apiKey.replaceAll(/./g, 'z')}`.slice(
    0,
    Math.max(12, session.settings.apiKey.length),
  );
}

interface Wrong {
  rule: string;
  does: string;
  credentials(session: Session): Credentials[];
}

const wrongs: readonly Wrong[] = [
  { rule: 'no-key', does: 'Sends the request without a key.', credentials: () => [noKey] },
  {
    rule: 'empty-key',
    does: 'Sends the request with an empty key, once in each header.',
    credentials: () => [
      { headers: { 'X-API-Key': '' }, isValid: false },
      { headers: { Authorization: 'Bearer ' }, isValid: false },
    ],
  },
  {
    rule: 'wrong-header-key',
    does: 'Sends the request with a key that is nobody’s, in X-API-Key.',
    credentials: (session) => [invalidKey(wrongKey(session), 'header')],
  },
  {
    rule: 'wrong-bearer-key',
    does: 'Sends the request with a key that is nobody’s, as a bearer token.',
    credentials: (session) => [invalidKey(wrongKey(session), 'bearer')],
  },
  {
    rule: 'near-key.shortened',
    does: 'Sends the request with the key without its last character, once in each header.',
    credentials: (session) => near(shortened(session.settings.apiKey)),
  },
  {
    rule: 'near-key.extended',
    does: 'Sends the request with the key and one character more, once in each header.',
    credentials: (session) => near(extended(session.settings.apiKey)),
  },
  {
    rule: 'wrong-scheme',
    does: 'Sends the valid key under another scheme than Bearer.',
    credentials: (session) => [foreignScheme(session.settings.apiKey)],
  },
];

function near(key: string): Credentials[] {
  return [invalidKey(key, 'header'), invalidKey(key, 'bearer')];
}

function refusalChecks(operation: OperationId): Check[] {
  const checks = wrongs.map(({ rule, does, credentials }) => ({
    ...unauthenticated(operation, rule, does),
    run: (session: Session) => expectAllRefused(session, operation, credentials(session)),
  }));
  const afterValidKey: Check = {
    ...unauthenticated(
      operation,
      'no-key-after-valid-key',
      'Sends a request without a key over a connection that carried a valid one.',
    ),
    run: (session) => expectKeyForgotten(session, operation),
  };
  return [...checks, afterValidKey];
}

// Publishing can be seen once only: what must not publish is tried before.
function unauthenticated(operation: OperationId, rule: string, does: string): Omit<Check, 'run'> {
  return { id: `${operation}.${rule}`, operation, phase: phaseOf(operation), does, ...refusedDemands(operation) };
}

function phaseOf(operation: OperationId): Phase {
  const phases: Partial<Record<OperationId, Phase>> = {
    createDrive: 'create',
    createMcpServer: 'create',
    publishAgentRevision: 'list',
    updateDriveFile: 'move',
    deleteDriveTree: 'delete',
  };
  return phases[operation] ?? 'read';
}

async function expectAllRefused(
  session: Session,
  operation: OperationId,
  all: readonly Credentials[],
): Promise<undefined> {
  for (const credentials of all) {
    const { reply, couldAct } = await probe(session, operation, { credentials });
    expectRefusal(reply, 'the request was let through');
    requirePower(reply, couldAct);
  }
}

/** A refusal tells something only when the request was worth refusing for its key alone. */
function requirePower(reply: Reply, couldAct: boolean): void {
  if (couldAct || reply.status === 401 || reply.status === 403) return;
  const reason = `${requestLine(reply)} named nothing that exists, and was refused with status ${reply.status}.`;
  throw new Unverified('WRITES', reason);
}

async function expectKeyForgotten(session: Session, operation: OperationId): Promise<string | undefined> {
  const first = await session.call('listAgents', { onKeptConnection: true });
  const control = first.isSuccess ? first : await session.call('listDrives', { onKeptConnection: true });
  presume(control, 'listAgents.is-served');
  const { reply, couldAct } = await probe(session, operation, { credentials: noKey, onKeptConnection: true });
  if (reply.failure === 'reset') return 'The target keeps no connection open.';
  expectRefusal(reply, 'the request was let through with the key of an earlier one');
  requirePower(reply, couldAct);
  return undefined;
}

function statusChecks(operation: OperationId): Check[] {
  const cases = [
    { rule: 'no-key-is-401', does: 'Sends the request without a key and looks at the status.', all: () => [noKey] },
    {
      rule: 'wrong-key-is-401',
      does: 'Sends the request with a key that is nobody’s, once in each header, and looks at the status.',
      all: (session: Session) => near(wrongKey(session)),
    },
  ];
  return cases.map(({ rule, does, all }) => ({
    ...unauthenticated(operation, rule, does),
    run: (session) => expectAll401(session, operation, all(session)),
  }));
}

async function expectAll401(session: Session, operation: OperationId, all: readonly Credentials[]): Promise<undefined> {
  for (const credentials of all) {
    const { reply, couldAct } = await probe(session, operation, { credentials });
    if (reply.status === 401) continue;
    if (reply.failure !== undefined || isBusy(reply)) {
      throw new Unverified('TARGET', `${requestLine(reply)}: ${whatCame(reply)}.`);
    }
    requirePower(reply, couldAct || reply.isSuccess);
    throw new Violated('status 401', whatCame(reply), [reply]);
  }
}

function carrierChecks(operation: OperationId): Check[] {
  const carriers: { carrier: CarrierName; does: string }[] = [
    { carrier: 'header', does: 'Sends a valid request with the key in X-API-Key alone.' },
    { carrier: 'bearer', does: 'Sends a valid request with the key as a bearer token alone.' },
  ];
  return carriers.map(({ carrier, does }) => ({
    id: `${operation}.${carrier}-key`,
    operation,
    phase: operation === 'publishAgentRevision' ? 'publish' : phaseOf(operation),
    does,
    ...carrierDemands(operation, carrier),
    run: (session) => expectCarrier(session, operation, carrier),
  }));
}

function carrierDemands(operation: OperationId, carrier: CarrierName): Partial<Demands> {
  if (operation === 'createDrive') return { effects: { drives: 1 } };
  if (operation === 'createMcpServer') return { effects: { mcpServers: 1 } };
  const isOtherTree = operation === 'deleteDriveTree' && carrier === 'bearer';
  return isOtherTree ? { effects: { shared: ['deletedTreeByBearer'] } } : {};
}

async function expectCarrier(
  session: Session,
  operation: OperationId,
  carrier: CarrierName,
): Promise<string | undefined> {
  const expected = 'a status from 200 to 299: either header alone is enough';
  const credentials = validKey(session.settings.apiKey, carrier);
  if (operation === 'deleteDriveTree') {
    await expectSuccess(session, (await deletedTree(session, carrier)).reply, expected);
    return undefined;
  }
  if (operation === 'publishAgentRevision') return expectPublishingCarrier(session, credentials);
  await expectSuccess(session, await sendBy(session, operation, credentials), expected);
  return undefined;
}

// How many there may be, and which URLs are taken, is open.
async function sendBy(session: Session, operation: OperationId, credentials: Credentials): Promise<Reply> {
  const reply = await act(session, operation, { credentials });
  if (operation === 'listMcpServerTools') requireReachable(session, reply);
  if (reply.isSuccess || (operation !== 'createDrive' && operation !== 'createMcpServer')) return reply;
  const knew = session.acceptedUrl;
  if (operation === 'createMcpServer') requireUrl(await attempted(session, operation, 'first'));
  if (session.acceptedUrl !== knew) return act(session, operation, { credentials });
  await requireRoom(session, operation, reply);
  return reply;
}

// Whether the same revision may be published again is open: any refusal but one for the key shows that the key counted.
async function expectPublishingCarrier(session: Session, credentials: Credentials): Promise<string | undefined> {
  await published(session);
  const reply = await sendPublication(session, { credentials });
  if (reply.status >= 400 && reply.status < 500 && ![401, 403, 404, 429].includes(reply.status)) {
    return `Refused with status ${reply.status}: publishing the active revision again is open (open point republish).`;
  }
  await expectSuccess(session, reply, 'a status from 200 to 299: either header alone is enough');
}
