import { loadDocument, loadRequirements } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { asJson, excerpt, own, type Sentence, say } from '../../openapi/reading/sentence.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { type Check, checksOf } from '../check.ts';
import { operationUses, probe, successfulReplies } from '../probing/operations.ts';
import { resourcesIn, type ShapeRule, shapeRules, shapeViolations, shouldHave } from '../probing/shapes.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { noKey } from '../target/credentials.ts';
import { idOf, member, msBetween } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { valueRules } from './value-rules.ts';

interface Rule {
  does: string;
  expected: string;
  /** How an answer breaks the rule, in words; empty if it does not. */
  find(session: Session, operation: OperationId, reply: Reply): Sentence[];
  /** The answers that are judged, if other than the successful ones. Requests that have to be refused suffice for them. */
  repliesTo?(session: Session, operation: OperationId): Promise<Reply[]>;
}

/** The checks that judge every successful answer of an operation, and each item of each list; and every refusal. */
export function answerChecks(): Check[] {
  const ids = new Set(loadRequirements().flatMap(({ checks = [] }) => checks));
  return operationsOf(loadDocument()).flatMap((operation) =>
    [...ids].flatMap((id) => {
      const [name, rule = ''] = id.split(/\.(.*)/s);
      const known = name === operation.operationId ? ruleOf(operation, rule) : undefined;
      return known === undefined ? [] : [toCheck(operation.operationId, rule, known)];
    }),
  );
}

function toCheck(operation: OperationId, rule: string, { does, expected, find, repliesTo }: Rule): Check {
  const { phase: _, ...refused } = operationUses[operation].refused ?? {};
  const run: Check['run'] = async (session) => {
    const replies = await (repliesTo ?? successfulReplies)(session, operation);
    const found = replies.flatMap((reply) => find(session, operation, reply).map((message) => ({ message, reply })));
    const [first] = found;
    if (first === undefined) return;
    const more = found.length === 1 ? say`` : say` (${found.length} places in ${replies.length} responses)`;
    throw new Violated(own(expected), say`${first.message}${more}`, [first.reply]);
  };
  return checksOf(operation, 'judge')(rule, does, run, { ...(repliesTo && refused), isAboutAnswers: true });
}

// The text lists the fields of what is created (4.3, 4.8), and of tools (4.10); of others only the tables of section 2 do.
function ruleOf({ resource = '', isCreation }: Operation, rule: string): Rule | undefined {
  const isInTable = ['Agent', 'Drive', 'DriveFile', 'McpServer'].includes(resource) && !isCreation;
  if (rule === 'fields-present' && isInTable) return shouldPresence(resource);
  return otherRules[rule] ?? shapeRule(rule);
}

function shouldPresence(schema: string): Rule {
  return {
    does: 'Checks every response and every item for the fields in the table.',
    expected: 'every field in the table, except description, summary and metadata',
    find: (session, operation, { json }) =>
      resourcesIn(session, operation, json).flatMap(({ where, value }) =>
        absent(where, value, shouldHave(session, schema)),
      ),
  };
}

function absent(where: string, value: unknown, names: readonly string[]): Sentence[] {
  if (typeof value !== 'object' || value === null) return [];
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  return missing.length === 0 ? [] : [say`${own(where)} has no ${own(missing.join(', '))}`];
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
        .map(({ message }) => message),
  };
}

const otherRules: Record<string, Rule> = {
  ...valueRules,
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
    does: 'Parses the body of every refusal that has one.',
    expected: 'JSON, or no body',
    repliesTo: refusals,
    find: (_, __, { hasBody, isJson, isTooDeep, status }) =>
      hasBody && !isJson ? [say`the body of a ${status} is ${isTooDeep ? tooDeep : own('not JSON')}`] : [],
  },
  'pagination-fields-present': {
    does: 'Checks the pagination object of every page for limit, offset and total.',
    expected: 'limit, offset and total in the pagination object',
    find: (session, _, { json }) => absent('pagination', member(json, 'pagination'), shouldHave(session, 'Pagination')),
  },
  'created-not-after-updated': {
    does: 'Compares createdAt with updatedAt, in every response and every item.',
    expected: 'an updatedAt that is not before createdAt',
    find: (session, operation, { json }) =>
      resourcesIn(session, operation, json).flatMap(({ where, value }) => updatedBeforeCreated(where, value)),
  },
  'id-asked-for': {
    does: 'Compares the id in every response with the requested one.',
    expected: 'the id in the path of the request',
    find: (session, operation, { json, request }) => otherId(json, idAskedFor(session, operation, request.path)),
  },
  'ids-differ': {
    does: 'Compares the ids in every list.',
    expected: 'ids that no two items of a list share',
    find: (session, operation, { json }) =>
      sharedIds(resourcesIn(session, operation, json).map(({ value }) => idOf(value))),
  },
};

const tooDeep = own('nested deeper than 1,000 levels, so hardly any client can read it');

// An answer without a body breaks another rule, if an object or an array is stated.
function notJson({ hasBody, isJson, isTooDeep, text }: Reply): Sentence[] {
  if (!hasBody || isJson) return [];
  if (isTooDeep) return [say`the body is ${tooDeep}`];
  if (text === undefined) return [say`the body is not UTF-8`];
  return [say`the body is not JSON: ${excerpt(JSON.stringify(text), 60)}`];
}

function undeclared(hasBody: boolean, mediaType = ''): Sentence[] {
  const isDeclared = /^(application|text)\/([\w.-]+\+)?json\s*(;|$)/i.test(mediaType);
  if (!hasBody || isDeclared) return [];
  return [mediaType === '' ? say`there is no Content-Type` : say`Content-Type is ${mediaType}`];
}

function updatedBeforeCreated(where: string, value: unknown): Sentence[] {
  const updatedAt = String(member(value, 'updatedAt'));
  const sinceMs = msBetween(String(member(value, 'createdAt')), updatedAt);
  return sinceMs < 0 ? [say`${own(where)} was updated at ${updatedAt}, before it was created`] : [];
}

function sharedIds(ids: readonly (string | undefined)[]): Sentence[] {
  const shared = ids.find((id, index) => id !== undefined && ids.indexOf(id) !== index);
  return shared === undefined ? [] : [say`the id ${shared} occurs more than once`];
}

// The last id in a path is that of the resource; those before it lead there.
function idAskedFor({ operations }: Session, operation: OperationId, path: string): string {
  const segments = operations.get(operation)?.segments ?? [];
  const place = segments.findLastIndex((segment) => 'parameter' in segment);
  const [plain = ''] = path.split('?');
  return decodeURIComponent(plain.split('/')[place + 1] ?? '');
}

// An answer that is no JSON object breaks another rule.
function otherId(json: unknown, asked: string): Sentence[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  const id = member(json, 'id');
  if (id === undefined) return [say`there is no id`];
  return String(id) === asked ? [] : [say`id is ${asJson(id)}, not ${asked}`];
}

/** Every refusal of an operation so far: status 400 to 499. Sends a request without a key if there is none. */
async function refusals(session: Session, operation: OperationId): Promise<Reply[]> {
  const soFar = () => session.repliesOf(operation).filter(isClientError);
  if (soFar().length === 0) await probe(session, operation, { credentials: noKey });
  if (soFar().length > 0) return soFar();
  throw new Unverified('REFUSAL', say`No request of ${own(operation)} was refused.`, `${operation}.no-key`);
}
