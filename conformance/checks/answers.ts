import { asJson, jsonExcerpt, own, type Sentence, say } from '../../lib/sentence.ts';
import type { SchemaObject } from '../../openapi/contract/document.ts';
import { loadDocument, loadRequirements } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { type Check, checksOf } from '../check.ts';
import { circumstancesOf } from '../probing/circumstances.ts';
import { operationUses, probe, sendBadInput, successfulReplies } from '../probing/operations.ts';
import {
  placeIn,
  resourcesIn,
  type ShapeRule,
  type ShownResource,
  shapeRules,
  shapeViolations,
  shownAround,
} from '../probing/shapes.ts';
import { leftToModel } from '../rules/left-to-model.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { noKey } from '../target/credentials.ts';
import { expectRefusal, idOf, member, msBetween } from '../target/expectations.ts';
import { isServerError, type Reply } from '../target/reply.ts';

/** One fault, or the first of several that are counted. */
type Finding = Sentence | Counted;

interface Counted {
  first: Sentence;
  count: number;
}

interface Rule {
  does: string;
  expected: string;
  /** How a response breaks the rule, in words; empty if it does not. Only as many as needed are taken. */
  find?(session: Session, operation: OperationId, reply: Reply): Iterable<Finding>;
  /** The same for a rule about the body's value alone. Cached: many responses share a value. */
  findIn?(session: Session, operation: OperationId, json: unknown): Iterable<Finding>;
  /** The responses to judge, if not the successful ones. Requests that must be refused are enough for these. */
  repliesTo?(session: Session, operation: OperationId): Promise<Reply[]>;
}

/** The checks that judge every successful response of an operation, each item of each list, and every error response. */
export function answerChecks(): Check[] {
  const ids = new Set(loadRequirements().flatMap(({ checks = [] }) => checks));
  return operationsOf(loadDocument()).flatMap((operation) =>
    [...ids].flatMap((id) => {
      const [name, rule = ''] = id.split(/\.(.*)/s);
      if (name !== operation.operationId) return [];
      const does = judgedByModel[rule];
      if (does !== undefined) return [leftToModel(operation.operationId, rule, does)];
      const known = ruleOf(operation, rule);
      return known === undefined ? [] : [toCheck(operation.operationId, rule, known)];
    }),
  );
}

function toCheck(operation: OperationId, rule: string, { does, expected, find, findIn, repliesTo }: Rule): Check {
  const { phase: _, ...refused } = operationUses[operation].refused ?? {};
  const run: Check['run'] = async (session) => {
    const replies = await (repliesTo ?? successfulReplies)(session, operation);
    const found = count(
      replies,
      (reply) => find?.(session, operation, reply) ?? [],
      findIn && ((json) => findIn(session, operation, json)),
    );
    if (found === undefined) return;
    const { message, places, reply } = found;
    const number = places > mostCounted ? say`more than ${mostCounted}` : say`${places}`;
    const more = places === 1 ? say`` : say` (${number} places in ${replies.length} responses)`;
    throw new Violated(own(expected), say`${message}${more}`, [reply]);
  };
  return checksOf(operation, 'judge')(rule, does, run, { ...(repliesTo && refused), isAboutAnswers: true });
}

/** Faults are counted up to here: a target may send millions. */
const mostCounted = 1_000;

/** The first fault in some responses, and the number of faults. */
function count(
  replies: readonly Reply[],
  find: (reply: Reply) => Iterable<Finding>,
  findIn: ((json: unknown) => Iterable<Finding>) | undefined,
) {
  let first: { message: Sentence; reply: Reply } | undefined;
  let places = 0;
  const known = new Map<string | undefined, Counted | undefined>();
  for (const reply of replies) {
    if (findIn !== undefined && !known.has(reply.text)) known.set(reply.text, summed(findIn(reply.json)));
    for (const found of [summed(find(reply)), known.get(reply.text)]) {
      if (found === undefined) continue;
      first ??= { message: found.first, reply };
      places += found.count;
    }
    if (places > mostCounted) break;
  }
  return first && { ...first, places };
}

/** The first finding and the number of findings, up to the limit. */
function summed(findings: Iterable<Finding>): Counted | undefined {
  let sum: Counted | undefined;
  for (const finding of findings) {
    const found = 'first' in finding ? finding : { first: finding, count: 1 };
    sum = { first: sum?.first ?? found.first, count: (sum?.count ?? 0) + found.count };
    if (sum.count > mostCounted) break;
  }
  return sum;
}

// The text lists the fields of created resources (4.3, 4.8) and tools (4.10); for others only the tables do (section
// 2).
function ruleOf({ resource = '', isCreation }: Operation, rule: string): Rule | undefined {
  const isInTable = ['Agent', 'Drive', 'DriveFile', 'McpServer'].includes(resource) && !isCreation;
  if (rule === 'fields-present' && isInTable) return shouldPresence(resource);
  return otherRules[rule] ?? shapeRule(rule);
}

function shouldPresence(schema: string): Rule {
  const { 'x-should-have': names = [] } = (loadDocument().components?.schemas?.[schema] ?? {}) as SchemaObject;
  return {
    does: 'Checks every response and every item for the fields in the table.',
    expected: `every field in the table: ${names.join(', ')}`,
    findIn: (session, operation, json) =>
      inEach(resourcesIn(session, operation, json), (resource) =>
        absent(resource.value, names, () => placeIn(resource)),
      ),
  };
}

/** The findings in some parts, one after the other. */
function* inEach<Part>(parts: Iterable<Part>, find: (part: Part) => Sentence | undefined): Generator<Sentence> {
  for (const part of parts) {
    const found = find(part);
    if (found !== undefined) yield found;
  }
}

function absent(value: unknown, names: readonly string[], place: () => string): Sentence | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  if (missing.length === 0) return undefined;
  return say`${own(place())} has no ${own(missing.join(', '))}: ${jsonExcerpt(value, shownAround)}`;
}

function shapeRule(rule: string): Rule | undefined {
  const expected: string | undefined = shapeRules[rule as ShapeRule];
  if (expected === undefined) return undefined;
  return {
    does: `Checks every response and every item: ${expected}.`,
    expected,
    find: (session, operation, reply) =>
      shapeViolations(session, operation, reply)
        .filter((violation) => violation.rule === rule)
        .map(({ describe, count }) => ({ first: describe(), count })),
  };
}

/** What checks do whose judgement the model has. */
const judgedByModel: Readonly<Record<string, string>> = {
  'id-asked-for': 'Compares the id in every response with the requested one.',
  'pagination-fields-present': 'Checks the pagination object of every page for limit, offset and total.',
};

const otherRules: Record<string, Rule> = {
  'size-is-not-negative': {
    does: 'Checks the size in every response.',
    expected: 'a size of 0 or more',
    find: (_, __, { json }) => ifNegative('size', member(json, 'size')),
  },
  'modified-at-is-past': {
    does: 'Compares modifiedAt in every response with the Date header, or with the clock of the suite if there is none.',
    expected: 'a modifiedAt that is not more than a day ahead',
    find: (_, __, { json, headers }) => ifAhead(member(json, 'modifiedAt'), headers.date),
  },
  'name-is-no-path': {
    does: 'Compares name with path in every response.',
    expected: 'a name that is not the whole path',
    find: (_, __, { json }) => ifPath(member(json, 'name'), member(json, 'path')),
  },
  'document-count-is-not-negative': {
    does: 'Checks documentCount in every response.',
    expected: 'a documentCount of 0 or more',
    find: (_, __, { json }) => ifNegative('documentCount', member(json, 'documentCount')),
  },
  'job-id-is-not-empty': {
    does: 'Checks jobId in every response.',
    expected: 'a jobId that is not empty',
    find: (_, __, { json }) => (member(json, 'jobId') === '' ? [say`jobId is empty`] : []),
  },
  'body-is-json': {
    does: 'Parses the body of every successful response strictly.',
    expected: 'a body that is JSON in UTF-8, and nothing else',
    find: (_, __, reply) => notJson(reply),
  },
  'body-is-declared-json': {
    does: 'Checks the Content-Type of every successful response that has a body.',
    expected: 'a Content-Type of JSON, such as application/json',
    find: (_, __, { hasBody, headers }) => undeclared(hasBody, headers['content-type']),
  },
  'refusal-is-json': {
    does: 'Parses the body of every error response that has one.',
    expected: 'JSON, or no body',
    repliesTo: refusals,
    find: (_, __, { hasBody, isJson, isTooDeep, status }) =>
      hasBody && !isJson ? [say`the body of a ${status} is ${isTooDeep ? tooDeep : own('not JSON')}`] : [],
  },
  'created-not-after-updated': {
    does: 'Compares createdAt with updatedAt, in every response and every item.',
    expected: 'an updatedAt that is not before createdAt',
    findIn: (session, operation, json) => inEach(resourcesIn(session, operation, json), updatedBeforeCreated),
  },
  'ids-differ': {
    does: 'Looks for duplicate ids in every list.',
    expected: 'no id more than once in a list',
    findIn: (session, operation, json) => sharedIds(resourcesIn(session, operation, json)),
  },
};

const tooDeep = own('nested deeper than 1,000 levels, so hardly any client can read it');

// A missing body breaks a different rule, if an object or an array is stated.
function notJson({ hasBody, isJson, isTooDeep, text }: Reply): Sentence[] {
  if (!hasBody || isJson) return [];
  if (isTooDeep) return [say`the body is ${tooDeep}`];
  if (text === undefined) return [say`the body is not UTF-8`];
  return [say`the body is not JSON: ${jsonExcerpt(text, 60)}`];
}

function undeclared(hasBody: boolean, mediaType = ''): Sentence[] {
  const isDeclared = /^(application|text)\/([\w.-]+\+)?json\s*(;|$)/i.test(mediaType);
  if (!hasBody || isDeclared) return [];
  return [mediaType === '' ? say`there is no Content-Type` : say`Content-Type is ${mediaType}`];
}

function updatedBeforeCreated(resource: ShownResource): Sentence | undefined {
  const { value } = resource;
  const [createdAt, updatedAt] = ['createdAt', 'updatedAt'].map((name) => member(value, name));
  if (typeof createdAt !== 'string' || typeof updatedAt !== 'string') return undefined;
  const sinceMs = msBetween(createdAt, updatedAt);
  return sinceMs < 0 ? say`${own(placeIn(resource))} was updated at ${updatedAt}, before it was created` : undefined;
}

function sharedIds(resources: Iterable<{ value: unknown }>): Sentence[] {
  const ids = new Set<string>();
  for (const { value } of resources) {
    const id = idOf(value);
    if (id !== undefined && ids.has(id)) return [say`the id ${id} occurs more than once`];
    if (id !== undefined) ids.add(id);
  }
  return [];
}

/** Every error response of an operation so far: status 400 to 499. Sends a request without a key if there is none. */
async function refusals(session: Session, operation: OperationId): Promise<Reply[]> {
  const soFar = () => session.repliesOf(operation).filter(isClientError);
  if (soFar().length === 0) await probe(session, operation, { credentials: noKey });
  if (soFar().length > 0) return soFar();
  throw new Inconclusive('REFUSAL', say`No ${own(operation)} request was refused.`, `${operation}.no-key`);
}

/** Allowance for differences between clocks and time zones. */
const dayMs = 24 * 60 * 60 * 1_000;

function ifNegative(name: string, value: unknown): Sentence[] {
  return typeof value === 'number' && value < 0 ? [say`${own(name)} is ${asJson(value)}`] : [];
}

function ifAhead(modifiedAt: unknown, date: string | undefined): Sentence[] {
  const now = Number.isNaN(Date.parse(date ?? '')) ? new Date().toISOString() : new Date(date ?? '').toISOString();
  const aheadMs = typeof modifiedAt === 'string' ? msBetween(now, modifiedAt) : 0;
  return aheadMs > dayMs ? [say`modifiedAt is ${asJson(modifiedAt)}, at ${now}`] : [];
}

// The name of a file at the root has no slash either. A path that ends with a slash has no name.
function ifPath(name: unknown, path: unknown): Sentence[] {
  const isPath = typeof name === 'string' && name === path && /^\/.*[^/]$/s.test(name);
  return isPath ? [say`name is ${asJson(name)}`] : [];
}

/** Reads of resources that do not exist. The last id in the path names the resource: `fileId`, `unknown-file`. */
export const unknownChecks: readonly Check[] = operationsOf(loadDocument()).flatMap((operation) => {
  const { unknown } = operationUses[operation.operationId];
  return unknown === undefined ? [] : [unknownCheck(operation, unknown)];
});

function unknownCheck({ operationId, parameters }: Operation, unknown: InputOf): Check {
  const noun = (parameters.findLast((one) => one.in === 'path')?.name ?? '').replace(/Id$/, '');
  const run: Check['run'] = async (session) => {
    const reply = await session.call(operationId, unknown(session));
    expectRefusal(reply, say`a ${own(noun)} that does not exist was returned`);
  };
  return checksOf(operationId, 'read')(`unknown-${noun}`, `Reads a ${noun} that does not exist.`, run, { effects: {} });
}

type InputOf = NonNullable<(typeof operationUses)[keyof typeof operationUses]['unknown']>;

/** No request makes the server fail (7). Each check judges all replies of its operation, also to bad input. */
export const serverErrorChecks: readonly Check[] = operationsOf(loadDocument()).map(({ operationId }) => {
  const { phase: _, ...refused } = operationUses[operationId].refused ?? {};
  return checksOf(operationId, 'judge')(
    'no-server-error',
    'Sends a key of odd characters, ids with a NUL, invalid bodies and repeated parameters, and checks the status of every response of the run.',
    async (session) => {
      const replies = await repliesToBadInput(session, operationId);
      expectNoServerError(session, replies);
    },
    // The response for the tools of a made-up server is open, and may be a 500: observing causes some.
    { ...refused, isAboutAnswers: operationId !== 'listMcpServerTools' },
  );
});

function expectNoServerError(session: Session, replies: readonly Reply[]): void {
  const failed = replies.filter(isServerError);
  const [first] = failed;
  if (first === undefined) return;
  const more = failed.length === 1 ? say`` : say` (${failed.length} of ${replies.length} responses)`;
  const { failure, words, before } = circumstancesOf(session, failed) ?? { failure: first, words: say``, before: [] };
  const expected = say`no 5xx status except 502, 503, 504 and 507, whatever is sent`;
  throw new Violated(expected, say`status ${failure.status}${more}${words}`, [...before, failure]);
}

/** All replies of an operation so far, also to bad input. */
async function repliesToBadInput(session: Session, operation: OperationId): Promise<Reply[]> {
  await sendBadInput(session, operation);
  const replies = session.repliesOf(operation);
  if (replies.length > 0) return replies;
  session.requireWrites();
  throw new Inconclusive('PREREQUISITE', say`No ${own(operation)} request was sent.`);
}
