import { decodePart, decodeQuery, type Pair } from '../../lib/query.ts';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { Schemas, type Validate } from '../../openapi/contract/schemas.ts';
import { isObject, parseJson } from '../../openapi/reading/messages.ts';
import { isInputRefused } from '../../openapi/reading/statuses.ts';
import { sentObject, whoSent } from '../probing/creations.ts';
import { isUsual } from '../probing/names.ts';
import { requestLine } from '../target/expectations.ts';
import { isServerError, type Reply, type SentRequest } from '../target/reply.ts';
import type { Session } from '../target/session.ts';

type Request = Pick<SentRequest, 'operation' | 'path' | 'headers' | 'body'>;
type Accepts = (request: Request) => boolean;

/**
 * Whether a request is valid by all that is stated: each field of the body that the text shows is there, with a value of
 * its type, and nothing else; each query parameter is one of the operation, sent once, within its bounds. Everything
 * else a server may refuse, so a 5xx for it is not a failure of a valid request.
 */
export function isValidRequest(request: Request): boolean {
  known ??= validators();
  return known.get(request.operation)?.(request) ?? false;
}

let known: ReadonlyMap<OperationId, Accepts> | undefined;

function validators(): ReadonlyMap<OperationId, Accepts> {
  const contract = loadDocument();
  const schemas = new Schemas(contract);
  return new Map(operationsOf(contract).map((operation) => [operation.operationId, acceptsFor(operation, schemas)]));
}

function acceptsFor(operation: Operation, schemas: Schemas): Accepts {
  const inQuery = operation.parameters.filter((one) => one.in === 'query');
  const parameters = new Map(inQuery.map(({ name, schema }) => [name, schemas.of(schema ?? {})]));
  const { requestBody } = operation.definition;
  const media = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  const validate = schemas.of(media?.schema ?? {});
  return ({ path, headers, body = '' }) => {
    const [ids = '', query = ''] = path.split(/\?(.*)/s);
    if (!isDecodable(ids) || !areValid(decodeQuery(query), parameters)) return false;
    if (!operation.takesBody) return true;
    // Other media types are open (section 0).
    return headers['Content-Type'] === 'application/json' && isComplete(body, operation.bodyFields, validate);
  };
}

// A server does not put control characters into ids.
function isDecodable(ids: string): boolean {
  const decoded = decodePart(ids);
  return decoded !== undefined && !/\p{Cc}/u.test(decoded);
}

function areValid(sent: readonly Pair[], parameters: ReadonlyMap<string, Validate>): boolean {
  if (new Set(sent.map(({ name }) => name)).size < sent.length) return false;
  return sent.every(({ name, value = '' }) => {
    const number = /^-?\d+$/.test(value) ? Number(value) : value;
    const validate = parameters.get(name);
    return validate !== undefined && [value, number].some((one) => validate(one).length === 0);
  });
}

function isComplete(body: string, fields: readonly string[], validate: Validate): boolean {
  const value = parseJson(body)?.value;
  if (!isObject(value) || validate(value).length > 0) return false;
  return Object.keys(value).sort().join() === fields.toSorted().join();
}

/** The circumstances of failures, if they say more than the requests. */
interface Circumstances {
  /** A failure that shows them. */
  failure: Reply;
  /** Follows the status. */
  words: Sentence;
  /** What was sent before, if relevant. */
  before: Reply[];
}

/**
 * Why requests may have failed although others like them succeeded: several were in progress at the same time, or a
 * refused or identical request came before. Undefined if there are no such requests.
 */
export function circumstancesOf(session: Session, failed: readonly Reply[]): Circumstances | undefined {
  const innocent = failed.filter((reply) => isInnocent(session, reply));
  return besideOthers(session, innocent) ?? afterRefusal(session, failed) ?? onRepetition(session, innocent);
}

/**
 * Whether all failed while other requests of the operation were in progress, and some succeeded without that. Not for
 * readings, which are always sent in parallel.
 */
function besideOthers(session: Session, innocent: readonly Reply[]): Circumstances | undefined {
  const [failure] = innocent;
  if (failure === undefined || failure.request.method === 'GET') return undefined;
  const isApart = (reply: Reply) => isAlone(session, reply);
  if (innocent.some(isApart) || !successesLike(session, failure).some(isApart)) return undefined;
  const { operation } = failure.request;
  const words = say` for requests that were sent at the same time as other ${own(operation)} requests; sent alone, such requests succeed`;
  return { failure, words, before: [] };
}

/** Whether most failures came after a refused request, and hit requests that give no reason for a failure. */
function afterRefusal(session: Session, failed: readonly Reply[]): Circumstances | undefined {
  const all = failed.map((failure) => ({ failure, ...seriesOf(session, failure) }));
  const innocent = all.filter(({ series }) => series.some((reply) => isInnocent(session, reply)));
  const found = innocent.filter(({ previous }) => previous?.request.isAuthenticated && isInputRefused(previous));
  const [first] = found;
  if (first?.previous === undefined || found.length * 2 <= innocent.length) return undefined;
  const { failure, previous } = first;
  const words = say`. The failures began after ${requestLine(previous)} was refused with status ${previous.status}: since then, requests that otherwise succeed have failed too`;
  return { failure, words, before: [previous] };
}

/** Whether each repeats a request that succeeded, but never since. Not for readings, which are always repeated. */
function onRepetition(session: Session, innocent: readonly Reply[]): Circumstances | undefined {
  const [failure] = innocent;
  if (failure === undefined || failure.request.method === 'GET') return undefined;
  const earlier = (reply: Reply) => {
    const successes = successesLike(session, reply).filter(({ request }) => request.body === reply.request.body);
    return successes.every(({ receivedAtMs }) => receivedAtMs <= reply.sentAtMs) ? successes.at(-1) : undefined;
  };
  const [first] = innocent.map(earlier);
  if (first === undefined || innocent.some((reply) => earlier(reply) === undefined)) return undefined;
  return { failure, words: say`. The same request succeeded once before, but never again`, before: [first] };
}

/** The series of failures that contains one, and the response before it. */
function seriesOf({ replies }: Session, failure: Reply): { series: Reply[]; previous: Reply | undefined } {
  const place = replies.indexOf(failure);
  const start = replies.slice(0, place).findLastIndex((reply) => !isServerError(reply));
  const length = replies.slice(place).findIndex((reply) => !isServerError(reply));
  const end = length === -1 ? replies.length : place + length;
  return { series: replies.slice(start + 1, end), previous: replies[start] };
}

/** Whether similar requests succeeded, so that this one gives no reason for a failure. */
export function isInnocent(session: Session, reply: Reply): boolean {
  return successesLike(session, reply).length > 0;
}

function isAlone(session: Session, reply: Reply): boolean {
  const { sentAtMs, receivedAtMs } = reply;
  const isBeside = (other: Reply) => other !== reply && other.sentAtMs < receivedAtMs && other.receivedAtMs > sentAtMs;
  return !session.repliesOf(reply.request.operation).some(isBeside);
}

function successesLike(session: Session, reply: Reply): Reply[] {
  const likeness = likenessOf(session, reply);
  if (likeness === undefined || meetsOther(session, reply) || hasSameName(session, reply)) return [];
  const alike = session.successesOf(reply.request.operation).filter((other) => likenessOf(session, other) === likeness);
  return mayBeDeleted(session, reply) ? alike.filter(({ sentAtMs }) => sentAtMs > reply.receivedAtMs) : alike;
}

/** Paths that no server has a reason to refuse. */
const plainPath = /^(\/[a-z0-9-]+){1,4}(\.[a-z0-9]+)?$/;

/**
 * Whether a move leads to a path to which another file was sent, or above or below it: that may be a reason to refuse
 * it (4.6 does not say). A server may ignore case and Unicode form.
 */
function meetsOther(session: Session, reply: Reply): boolean {
  const { request } = reply;
  if (request.operation !== 'updateDriveFile') return false;
  const placeOf = (body: Reply) => `${String(sentObject(body).path).normalize().toLowerCase()}/`;
  return session.repliesOf('updateDriveFile').some((other) => {
    if (other.request.path === request.path || driveOf(other) !== driveOf(reply)) return false;
    const [one, two] = [placeOf(reply), placeOf(other)];
    return one.startsWith(two) || two.startsWith(one);
  });
}

/** Whether a creation repeats a name, which may be a reason to refuse it (4.3 and 4.8 do not say). */
function hasSameName(session: Session, reply: Reply): boolean {
  const { name } = sentObject(reply);
  if (name === undefined) return false;
  return session.repliesOf(reply.request.operation).some((other) => other !== reply && sentObject(other).name === name);
}

/** Whether a request names a file in a drive in which the run deleted something, so that the file may be gone. */
function mayBeDeleted(session: Session, reply: Reply): boolean {
  if (!['getDriveFile', 'updateDriveFile'].includes(reply.request.operation)) return false;
  const deletions = session.repliesOf('deleteDriveTree');
  return deletions.some((one) => driveOf(one) === driveOf(reply) && one.sentAtMs < reply.receivedAtMs);
}

/** The part of the path that names the drive. */
function driveOf({ request }: Reply): string {
  return request.path.split('/', 3).join('/');
}

/** Whether nothing about a request is a reason to refuse it or to fail: it is valid, and has only what is usual. */
export function isPlain(session: Session, reply: Reply): boolean {
  return likenessOf(session, reply) !== undefined;
}

/** A text that is the same for valid requests that should be treated alike; undefined for all others. */
function likenessOf(session: Session, reply: Reply): string | undefined {
  const { request } = reply;
  if (!request.isAuthenticated || !isValidRequest(request)) return undefined;
  const { method, operation, path, body = '' } = request;
  // What one organization may access, another one may not.
  const isOfOne = path.split('/').length > 2;
  const target = isOfOne ? `${whoSent(session, reply)} ${path}` : path;
  if (method === 'GET') return target;
  if (operation === 'publishAgentRevision') return target + body;
  const sent = sentObject(reply);
  // A file may be moved to any plain path, and a revision may be published again.
  if (operation === 'updateDriveFile') return plainPath.test(String(sent.path)) ? target : undefined;
  const { name, url } = sent;
  return isUsual(name, session.runId) && (url === undefined || String(url).endsWith(`/${String(name)}`))
    ? operation
    : undefined;
}
