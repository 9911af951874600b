import { loadRequirements } from '../../openapi/contract/load.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Check } from '../check.ts';
import { msBetween } from '../moments.ts';
import { refusedDemands } from '../plan/demands.ts';
import { probe } from '../scene/probes.ts';
import { answers } from '../scene/samples.ts';
import { resourcesIn, type ShapeRule, shapeViolations, shouldHave } from '../scene/shapes.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { noKey } from '../target/credentials.ts';
import { idOf, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** What an answer breaks of one rule, in words; nothing when it keeps it. */
type Find = (session: Session, operation: OperationId, reply: Reply) => string[];

interface Rule {
  does: string;
  expected: string;
  find: Find;
}

/** The checks that judge every successful answer of an operation, each element of each list. */
export function answerChecks(operation: OperationId): Check[] {
  return listedRules(operation).flatMap((rule) => {
    const known = ruleOf(operation, rule);
    return known === undefined ? [] : [toCheck(operation, rule, known)];
  });
}

/** The rules for which the register lists a check of the operation. */
function listedRules(operation: OperationId): string[] {
  const ids = new Set(loadRequirements().flatMap(({ checks = [] }) => checks));
  return [...ids].flatMap((id) => (id.startsWith(`${operation}.`) ? [id.slice(operation.length + 1)] : []));
}

function toCheck(operation: OperationId, rule: string, { does, expected, find }: Rule): Check {
  return {
    id: `${operation}.${rule}`,
    operation,
    phase: 'judge',
    does,
    ...(rule === 'refusal-is-json' ? refusedDemands(operation) : {}),
    run: async (session) => {
      const replies =
        rule === 'refusal-is-json' ? await refusals(session, operation) : await answers(session, operation);
      const found = replies.flatMap((reply) => find(session, operation, reply).map((message) => ({ message, reply })));
      const [first] = found;
      if (first === undefined) return;
      const more = found.length === 1 ? '' : ` (${found.length} places in ${replies.length} answers)`;
      throw new Violated(expected, first.message + more, [first.reply]);
    },
  };
}

function ruleOf(operation: OperationId, rule: string): Rule | undefined {
  if (rule === 'fields-present' && shouldSchemas[operation] !== undefined)
    return shouldPresence(shouldSchemas[operation]);
  return others[rule] ?? shapeRule(rule);
}

const shouldSchemas: Partial<Record<OperationId, string>> = {
  listAgents: 'Agent',
  getDriveFile: 'DriveFile',
  updateDriveFile: 'DriveFile',
};

function shouldPresence(schema: string): Rule {
  return {
    does: 'Looks for the fields that the table lists, in every answer and every element.',
    expected: 'every field that the table lists, but for description, summary and metadata',
    find: (session, operation, { json }) =>
      resourcesIn(operation, json).flatMap(({ where, value }) => absent(where, value, shouldHave(session, schema))),
  };
}

function absent(where: string, value: unknown, names: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  return missing.length === 0 ? [] : [`${where} has no ${missing.join(', ')}`];
}

const shapeRules: Record<ShapeRule, string> = {
  'answer-is-object': 'an object',
  'answer-is-array': 'an array of objects',
  'answer-is-page': 'an object with data, an array of drives, and pagination, an object',
  'tools-is-array': 'tools is an array of objects',
  'tools-present': 'an object that has tools',
  'fields-present': 'every field that the text lists',
  'no-null-fields': 'no field that is null',
  'ids-are-strings': 'ids that are strings',
  'timestamps-are-date-times': 'date-times, such as 2026-02-11T09:00:00Z',
  'timestamps-are-utc': 'date-times in UTC: they end with Z or +00:00',
  'kind-values': 'kind is "file"',
  'status-values': 'status is "processing", "ready" or "error"',
  'type-values': 'type is "sse" or "streamableHttp"',
  'file-path-starts-with-slash': 'path is a string that starts with a slash',
  'flags-are-booleans': 'isPublished and hasChanges are booleans',
  'pagination-field-types': 'limit, offset and total are integers',
  'field-types': 'fields of the types that the tables show',
};

function shapeRule(rule: string): Rule | undefined {
  const expected = shapeRules[rule as ShapeRule];
  if (expected === undefined) return undefined;
  return {
    does: `Looks at every answer and every element: ${expected}.`,
    expected,
    find: (session, operation, reply) =>
      shapeViolations(session, operation, reply).flatMap((violation) =>
        violation.rule === rule ? [violation.message] : [],
      ),
  };
}

const others: Record<string, Rule> = {
  'body-is-json': {
    does: 'Parses the body of every successful answer strictly.',
    expected: 'a body that is JSON in UTF-8, and nothing else',
    find: (_, __, reply) => notJson(reply),
  },
  'body-is-declared-json': {
    does: 'Looks at the Content-Type of every successful answer that has a body.',
    expected: 'a Content-Type of JSON, such as application/json',
    find: (_, __, { hasBody, headers }) => undeclared(hasBody, headers['content-type']),
  },
  'refusal-is-json': {
    does: 'Parses the body of every refusal that has one.',
    expected: 'JSON, or no body',
    find: (_, __, { hasBody, isJson, status }) => (hasBody && !isJson ? [`the body of a ${status} is not JSON`] : []),
  },
  'pagination-fields-present': {
    does: 'Looks for limit, offset and total in the pagination object of every page.',
    expected: 'limit, offset and total in the pagination object',
    find: (session, _, { json }) => absent('pagination', member(json, 'pagination'), shouldHave(session, 'Pagination')),
  },
  'created-not-after-updated': {
    does: 'Compares createdAt with updatedAt, in every answer and every element.',
    expected: 'an updatedAt that is not before createdAt',
    find: (_, operation, { json }) =>
      resourcesIn(operation, json).flatMap(({ where, value }) => updatedBeforeCreated(where, value)),
  },
  'ids-differ': {
    does: 'Compares the ids of every list.',
    expected: 'ids that no two elements of a list share',
    find: (_, operation, { json }) => sharedIds(resourcesIn(operation, json).map(({ value }) => idOf(value))),
  },
};

// An answer without a body is judged where an object or an array is stated.
function notJson({ hasBody, isJson, text }: Reply): string[] {
  if (!hasBody || isJson) return [];
  return [text === undefined ? 'the body is no UTF-8' : `the body is not JSON: ${JSON.stringify(text.slice(0, 60))}`];
}

function undeclared(hasBody: boolean, mediaType: string | undefined): string[] {
  const isDeclared = /^(application|text)\/([\w.-]+\+)?json\s*(;|$)/i.test(mediaType ?? '');
  return !hasBody || isDeclared ? [] : [`Content-Type is ${mediaType ?? 'not there'}`];
}

function updatedBeforeCreated(where: string, value: unknown): string[] {
  const sinceMs = msBetween(String(member(value, 'createdAt')), String(member(value, 'updatedAt')));
  return sinceMs < 0 ? [`${where} was updated at ${member(value, 'updatedAt')}, before it was created`] : [];
}

function sharedIds(ids: readonly (string | undefined)[]): string[] {
  const byId = [...Map.groupBy(ids, (id) => id)];
  const shared = byId.find(([id, all]) => id !== undefined && all.length > 1);
  return shared === undefined ? [] : [`the id ${shared[0]} comes more than once`];
}

/** Every refusal of an operation so far: status 400 to 499. */
async function refusals(session: Session, operation: OperationId): Promise<Reply[]> {
  const known = refusalsSoFar(session, operation);
  if (known.length > 0) return known;
  await probe(session, operation, { credentials: noKey });
  const found = refusalsSoFar(session, operation);
  if (found.length > 0) return found;
  throw new Unverified('PREREQUISITE', `No request of ${operation} was refused.`);
}

function refusalsSoFar(session: Session, operation: OperationId): Reply[] {
  return session.replies.filter(
    ({ sending, status }) => sending.operation === operation && status >= 400 && status < 500,
  );
}
