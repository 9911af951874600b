import { isDeepStrictEqual } from 'node:util';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { member } from '../../openapi/reading/messages.ts';
import type { Settings } from '../run/settings.ts';
import { Inconclusive, type InconclusiveCode, Violated } from '../run/signals.ts';
import { poll } from './clock.ts';
import {
  answeredByGateway,
  insufficientStorage,
  isServerError,
  type Reply,
  type SentRequest,
  troubleIn,
} from './reply.ts';
import type { Session } from './session.ts';

export { items, member } from '../../openapi/reading/messages.ts';

/** The outcome of a request in words: its status, or why no response came. */
export function describeReply(reply: Reply): Sentence {
  if (reply.failure !== undefined) return own(reply.exchange.failure?.message ?? 'no response');
  return say`status ${reply.status}`;
}

/** The method and URL of a request. */
export function requestLine({ exchange }: Reply): Sentence {
  return say`${own(exchange.request.method)} ${own(exchange.request.url)}`;
}

/** An {@link Inconclusive} for a reply from which nothing can be concluded. `remark` begins with a space. */
export function inconclusive(
  reply: Reply,
  code: InconclusiveCode = 'TARGET',
  remark = say``,
  ...see: readonly string[]
): Inconclusive {
  const error = new Inconclusive(code, say`${requestLine(reply)}: ${describeReply(reply)}.${remark}`, ...see);
  error.obstacle = troubleIn(reply);
  return error;
}

/**
 * An {@link Inconclusive} for parallel requests of which too few were accepted: how many resources a target accepts is
 * open, but it must respond.
 */
export function refusedTogether(replies: readonly Reply[], reason: Sentence): Inconclusive {
  const trouble = replies.map(troubleIn).find((one) => one !== undefined);
  const error = new Inconclusive(trouble === undefined ? 'INPUT' : 'TARGET', reason);
  error.obstacle = trouble;
  return error;
}

/** Whether the target is too busy or broken to be judged by this reply. */
export function isBusy({ status }: Reply): boolean {
  return status === 429 || answeredByGateway.includes(status);
}

/** The reply. Throws {@link Inconclusive} if there was no response, which is not an error response. */
export function requireAnswered(reply: Reply): Reply {
  if (reply.failure === undefined) return reply;
  throw inconclusive(reply);
}

/** Throws {@link Inconclusive} if no response came, or the target was busy. */
export function requireConclusive(reply: Reply): void {
  if (reply.failure !== undefined || isBusy(reply)) throw inconclusive(reply);
}

/** Throws {@link Inconclusive} unless a request that the check needs succeeded. `checks` judge that request. */
export function requireSuccess(reply: Reply, ...checks: readonly string[]): void {
  if (reply.isSuccess) return;
  throw isBusy(reply) ? inconclusive(reply) : inconclusive(reply, 'PREREQUISITE', say``, ...checks);
}

/** Throws unless a valid request succeeded: {@link Violated} if it was refused, failed or hung while others succeed. */
export async function expectSuccess(session: Session, reply: Reply, expected = say`a 2xx status`): Promise<void> {
  if (reply.isSuccess) return;
  if (blamesMcpServer(reply)) throw inconclusive(reply, 'MCP_SERVER');
  if (isBusy(reply) || reply.failure === 'tooLarge') throw inconclusive(reply);
  if (reply.failure !== undefined || reply.status === insufficientStorage) await requireControl(session, reply);
  throw new Violated(expected, say`${describeReply(reply)}${remarkOnConfig(session, reply)}`, [reply]);
}

const aboutTheRequest = [400, 404, 409, 410, 422];

/** Which setting a refused request used: if that is wrong, the target is right. */
function remarkOnConfig({ settings }: Session, { status, request }: Reply): Sentence {
  const used = aboutTheRequest.includes(status) ? settingUsed(settings, request) : undefined;
  return used === undefined ? say`` : say`; the request uses ${used} of the config, which may be wrong`;
}

function settingUsed(settings: Settings, { operation, path }: SentRequest): Sentence | undefined {
  const { treePathParameter, fixtures } = settings;
  if (operation === 'deleteDriveTree') return say`openPoints.treePathParameter: ${treePathParameter ?? ''}`;
  const { agent, mcpServer, files = [], disposableFiles = [] } = fixtures;
  const declared: [place: string, id: string | undefined][] = [
    ['fixtures.agent', agent?.id],
    ['fixtures.mcpServer', mcpServer?.id],
    ...files.map(({ id }): [string, string] => ['fixtures.files', id]),
    ...disposableFiles.map(({ id }): [string, string] => ['fixtures.disposableFiles', id]),
  ];
  const segments = path.split(/[/?]/);
  const [place] = declared.find(([, id]) => id !== undefined && segments.includes(encodeURIComponent(id))) ?? [];
  return place === undefined ? undefined : own(place);
}

/** Throws {@link Violated} if a valid request made the target fail. A 4xx status is as good as a success. */
export async function expectNoFailure(session: Session, reply: Reply): Promise<void> {
  const hasFailed = reply.failure !== undefined || isServerError(reply);
  if (hasFailed) await expectSuccess(session, reply, say`a 2xx or 4xx status: the request is valid`);
}

/** Whether the target reports that the MCP server does not respond: open point `unreachableTools`. */
function blamesMcpServer({ request, status }: Reply): boolean {
  return request.operation === 'listMcpServerTools' && status === 424;
}

/** Throws {@link Inconclusive} unless another request still succeeds. If it does, the connection is not to blame. */
async function requireControl(session: Session, failed: Reply): Promise<void> {
  const candidates: OperationId[] = ['listAgents', 'listDrives'];
  for (const operation of candidates.filter((candidate) => candidate !== failed.request.operation)) {
    if ((await session.call(operation)).isSuccess) return;
  }
  throw inconclusive(failed, 'TARGET', say` The valid control request does not succeed either.`);
}

const mostTries = 3;

/**
 * The reply to a request, sent again with `send` if there was no response: a connection may break by chance. Throws
 * {@link Inconclusive} unless a different request succeeds each time: only then this request alone gets no response.
 */
export async function orAgain(session: Session, first: Reply, send: () => Promise<Reply>): Promise<Reply> {
  let reply = first;
  for (let tries = 1; reply.failure !== undefined; tries++) {
    await requireControl(session, reply);
    if (tries === mostTries) break;
    reply = await send();
  }
  return reply;
}

/** Throws unless a request that must not be honoured was refused. `what` says what a success means. */
export function expectRefusal(reply: Reply, what: Sentence, expected = say`any non-2xx status`): void {
  if (reply.isSuccess) throw new Violated(expected, say`status ${reply.status}: ${what}`, [reply]);
  requireConclusive(reply);
}

/** The checks, for an {@link Inconclusive}, that fail if a response lacks something: `rule`, or one for all of it. */
export function judgesShape(operation: OperationId, rule = 'fields-present'): string[] {
  const rules = [rule, 'fields-present', 'no-null-fields', 'body-is-json'];
  const shapes = ['answer-is-object', 'answer-is-array', 'answer-is-page'];
  return [...new Set([...rules, ...shapes])].map((each) => `${operation}.${each}`);
}

/** Whether two JSON objects have the same values at some members. */
export function areSame(one: unknown, other: unknown, names: readonly string[]): boolean {
  return names.every((name) => isDeepStrictEqual(member(one, name), member(other, name)));
}

/** The id of a JSON object as text; undefined if it has none. */
export function idOf(value: unknown): string | undefined {
  const id = member(value, 'id');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

// It only waits if something looks like a fault, so it can be long enough to catch a client that acts now and then.
export const quietMs = 1_000;

/** Throws {@link Inconclusive} if something changes while the run does nothing: another client is at work. */
export async function requireNoOtherClient(symptom: string, look: () => Promise<unknown>): Promise<void> {
  const first = await look();
  const { isThere } = await poll(quietMs, look, (now) => !isDeepStrictEqual(now, first));
  if (isThere) throw new Inconclusive('QUIET', say`${own(symptom)}: another client seems to be writing.`);
}
