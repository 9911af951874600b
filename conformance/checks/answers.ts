import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { loadDocument, loadRequirements } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { expectedBy } from '../../openapi/model/shapes.ts';
import { listIn } from '../../openapi/reading/messages.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { msBetween } from '../../openapi/reading/timestamps.ts';
import { operationUses, probe, sendBadInput, successfulReplies } from '../probing/operations.ts';
import { leftToModel } from '../rules/left-to-model.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { circumstancesOf } from '../safety/circumstances.ts';
import { noKey } from '../target/credentials.ts';
import { expectRefusal, idOf, member } from '../target/expectations.ts';
import { isServerError, type Reply, tooDeep } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

interface Rule {
  does: string;
  expected: string;
  /** How a response breaks the rule, in words; empty if it does not. */
  find(reply: Reply, operation: Operation): readonly Sentence[];
  /** The responses to judge, if not the successful ones. Requests that must be refused are enough for these. */
  repliesTo?(session: Session, operation: OperationId): Promise<Reply[]>;
}

/** The checks that judge every successful response of an operation, each item of each list, and every error response. */
export function answerChecks(): Check[] {
  const requirementOf = new Map(
    loadRequirements().flatMap(({ id, checks = [] }) => checks.map((check) => [check, id])),
  );
  return operationsOf(loadDocument()).flatMap(({ operationId }) =>
    [...requirementOf].flatMap(([id, requirement]) => {
      const [name, rule = ''] = id.split(/\.(.*)/s);
      if (name !== operationId) return [];
      const known = otherRules[rule];
      if (known !== undefined) return [toCheck(operationId, rule, known)];
      const does = judgedByModel[rule] ?? ofShape(rule, requirement);
      return does === undefined ? [] : [leftToModel(operationId, rule, does)];
    }),
  );
}

/** The last parts of the ids of checks on how a response fits the schema of its operation (4.1 to 4.10, 2). */
const shapeChecks = [
  ...['answer-is-object', 'answer-is-array', 'answer-is-page', 'tools-is-array', 'tools-present', 'fields-present'],
  ...['no-null-fields', 'ids-are-strings', 'timestamps-are-date-times', 'timestamps-are-utc', 'kind-values'],
  ...['status-values', 'type-values', 'file-path-starts-with-slash', 'flags-are-booleans', 'pagination-field-types'],
  'field-types',
];

function ofShape(rule: string, requirement: string): string | undefined {
  return shapeChecks.includes(rule) ? `Checks every response and every item: ${expectedBy(requirement)}.` : undefined;
}

function toCheck(operation: OperationId, rule: string, { does, expected, find, repliesTo }: Rule): Check {
  const { phase: _, ...refused } = operationUses[operation].refused ?? {};
  const run: Check['run'] = async (session) => {
    const replies = await (repliesTo ?? successfulReplies)(session, operation);
    const of = session.operations.get(operation) as Operation;
    const wrong = replies.flatMap((reply) => find(reply, of).map((message) => ({ message, reply })));
    const [first] = wrong;
    if (first === undefined) return;
    const more =
      wrong.length === 1 ? say`` : say` (${wrong.length} places in ${own(plural(replies.length, 'response'))})`;
    throw new Violated(own(expected), say`${first.message}${more}`, [first.reply]);
  };
  return checksOf(operation, 'judge')(rule, does, run, { ...(repliesTo && refused), isAboutAnswers: true });
}

/** What checks do whose judgement the model has. */
const judgedByModel: Readonly<Record<string, string>> = {
  'id-asked-for': 'Compares the id in every response with the requested one.',
  'body-is-json': 'Parses the body of every successful response strictly.',
  'body-is-declared-json': 'Checks the Content-Type of every successful response that has a body.',
  'created-not-after-updated': 'Compares createdAt with updatedAt, in every response and every item.',
  'pagination-fields-present': 'Checks the pagination object of every page for limit, offset and total.',
};

const otherRules: Record<string, Rule> = {
  'size-is-not-negative': {
    does: 'Checks the size in every response.',
    expected: 'a size of 0 or more',
    find: ({ json }) => ifNegative('size', member(json, 'size')),
  },
  'modified-at-is-past': {
    does: 'Compares modifiedAt in every response with the Date header, or with the clock of the suite if there is none.',
    expected: 'a modifiedAt that is not more than a day ahead',
    find: ({ json, headers }) => ifAhead(member(json, 'modifiedAt'), headers.date),
  },
  'name-is-no-path': {
    does: 'Compares name with path in every response.',
    expected: 'a name that is not the whole path',
    find: ({ json }) => ifPath(member(json, 'name'), member(json, 'path')),
  },
  'document-count-is-not-negative': {
    does: 'Checks documentCount in every response.',
    expected: 'a documentCount of 0 or more',
    find: ({ json }) => ifNegative('documentCount', member(json, 'documentCount')),
  },
  'job-id-is-not-empty': {
    does: 'Checks jobId in every response.',
    expected: 'a jobId that is not empty',
    find: ({ json }) => (member(json, 'jobId') === '' ? [say`jobId is empty`] : []),
  },
  'refusal-is-json': {
    does: 'Parses the body of every error response that has one.',
    expected: 'JSON, or no body',
    repliesTo: refusals,
    find: ({ hasBody, isJson, isTooDeep, status }) =>
      hasBody && !isJson ? [say`the body of a ${status} is ${isTooDeep ? tooDeep : own('not JSON')}`] : [],
  },
  'ids-differ': {
    does: 'Looks for duplicate ids in every list.',
    expected: 'no id more than once in a list',
    find: ({ json }, operation) => sharedIds(listIn(operation, json) ?? []),
  },
};

function sharedIds(items: readonly unknown[]): Sentence[] {
  const ids = new Set<string>();
  for (const item of items) {
    const id = idOf(item);
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
