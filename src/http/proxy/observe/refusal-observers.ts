import type { OperationId } from '../../../../openapi/contract/operations.ts';
import { breaksPathRule } from '../judge/rules.ts';
import { isObject, isSuccess, jsonOf, mediaTypeOf, member, type RequestView, valuesOf } from '../judge/views.ts';
import type { Sighting } from './learned.ts';
import { inSuccesses, isRefused, type Observer, type SeenExchange, shownIn } from './observer.ts';

/** What becomes of requests that are wrong in one way. */
export const refusalObservers: readonly Observer[] = [
  {
    openPoint: 'invalidInputStatus',
    see: (seen) => (isUnruly(seen) && isRefused(seen) ? seen.answer.status : undefined),
  },
  { openPoint: 'outOfRangePaging', see: seeOutOfRange },
  { openPoint: 'judgedFirst', see: seeJudgedFirst },
  { openPoint: 'notFoundStatus', see: seeNotFound },
  {
    openPoint: 'malformedJsonStatus',
    see: (seen) => (isMalformed(seen) && isRefused(seen) ? seen.answer.status : undefined),
  },
  { openPoint: 'mediaTypeRules', see: (seen) => (isUndeclared(seen) ? either(seen, 'lenient', 'strict') : undefined) },
  {
    openPoint: 'unsupportedMediaTypeStatus',
    see: (seen) => (isUndeclared(seen) && isRefused(seen) ? seen.answer.status : undefined),
  },
  { openPoint: 'requiredBodyFields', see: (seen) => (isIncomplete(seen) ? either(seen, 'none', 'all') : undefined) },
  { openPoint: 'wrongBodyTypes', see: seeWrongTypes },
  {
    openPoint: 'unknownBodyFields',
    see: (seen) => (hasMoreFields(seen) ? either(seen, 'ignored', 'refused') : undefined),
  },
  {
    openPoint: 'unknownQueryParameters',
    see: (seen) => (hasMoreParameters(seen) ? either(seen, 'ignored', 'refused') : undefined),
  },
  { openPoint: 'duplicateNames', see: (seen) => (isTaken(seen) ? either(seen, 'allowed', 'refused') : undefined) },
  { openPoint: 'conflictStatus', see: (seen) => (isTaken(seen) && isRefused(seen) ? seen.answer.status : undefined) },
];

/** One choice where a request succeeded, another where it was refused for what it says. */
function either(seen: SeenExchange, accepted: string, refused: string): Sighting | undefined {
  if (isSuccess(seen.answer)) return accepted;
  return isRefused(seen) ? refused : undefined;
}

const notFound = [404, 410];

// A page out of its bounds, or a path against the rule of a file that may also be unknown.
function isUnruly(seen: SeenExchange): boolean {
  const path = seen.operation === 'updateDriveFile' ? member(jsonOf(seen.request), 'path') : undefined;
  const isPathWrong = typeof path === 'string' && breaksPathRule(path) && isDeclaredJson(seen.request);
  return isOutOfRange(seen) || (isPathWrong && !notFound.includes(seen.answer.status));
}

const bounds = { limit: [1, 100], offset: [0, Number.POSITIVE_INFINITY] } as const;

/** Whether nothing is wrong with the query of a page but that a number is out of its bounds. */
function isOutOfRange({ operation, request }: SeenExchange): boolean {
  if (operation !== 'listDrives' || request.query.length === 0) return false;
  const numbers = request.query.map(({ name, value = '' }) => ({
    name,
    value: /^-?\d+$/.test(value) ? Number(value) : Number.NaN,
  }));
  const isKnown = numbers.every(({ name, value }) => Object.hasOwn(bounds, name) && !Number.isNaN(value));
  return isKnown && new Set(numbers.map(({ name }) => name)).size === numbers.length && numbers.some(isBeyond);
}

function isBeyond({ name, value }: { name: string; value: number }): boolean {
  const [least, most] = bounds[name as keyof typeof bounds];
  return value < least || value > most;
}

function seeOutOfRange(seen: SeenExchange): Sighting | undefined {
  if (!isOutOfRange(seen)) return undefined;
  if (!isSuccess(seen.answer)) return isRefused(seen) ? 'refused' : undefined;
  const pagination = member(shownIn(seen), 'pagination');
  const isClamped = (Object.keys(bounds) as (keyof typeof bounds)[]).every((name) => {
    const [sent] = valuesOf(seen.request, name);
    const [least, most] = bounds[name];
    return sent === undefined || member(pagination, name) === Math.max(least, Math.min(most, Number(sent)));
  });
  return isClamped ? 'clamped' : { other: 'a number out of its bounds is followed' };
}

// Wrong in both ways: without a key, and with a query that was refused when a key came with it.
function seeJudgedFirst({
  operation,
  request,
  answer: { status },
  hasKey,
  memory,
}: SeenExchange): Sighting | undefined {
  if (operation !== 'listDrives' || hasKey || !memory.isRefused(operation, request.query)) return undefined;
  if (status === 401) return 'key';
  return status === 400 || status === 422 ? 'input' : undefined;
}

// 403 may mean that it belongs to another organization, and strange ids may be refused as such.
function seeNotFound(seen: SeenExchange): Sighting | undefined {
  const isPlain = seen.request.path.split('/').every((segment) => /^[A-Za-z0-9_-]*$/.test(segment));
  return seen.operation === 'getDriveFile' && isPlain && isRefused(seen) ? seen.answer.status : undefined;
}

const fieldsOf: Partial<Record<OperationId, readonly string[]>> = {
  createDrive: ['name'],
  createMcpServer: ['name', 'url'],
};

function isDeclaredJson({ headers }: RequestView): boolean {
  return mediaTypeOf(headers) === 'application/json';
}

// Creations only: elsewhere a refusal may mean that something is not there.
function isMalformed({ operation, request }: SeenExchange): boolean {
  return operation in fieldsOf && isDeclaredJson(request) && request.body.kind === 'text';
}

interface Sent {
  fields: Record<string, unknown>;
  names: readonly string[];
}

/** The body of a creation that is nothing worse than unusual; undefined for others. */
function creationOf({ operation, request }: SeenExchange): Sent | undefined {
  const names = fieldsOf[operation];
  const fields = jsonOf(request);
  return names === undefined || !isObject(fields) || request.query.length > 0 ? undefined : { fields, names };
}

function isPlain(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return name === 'url' ? /^https?:\/\/[a-z0-9]/.test(value) && URL.canParse(value) : /^\w[\w -]{0,62}\w$/.test(value);
}

function isWhole({ fields, names }: Sent): boolean {
  return names.every((name) => isPlain(name, fields[name]));
}

function isTaken(seen: SeenExchange): boolean {
  const sent = creationOf(seen);
  if (sent === undefined || !isWhole(sent) || !isDeclaredJson(seen.request)) return false;
  return (
    Object.keys(sent.fields).length === sent.names.length &&
    seen.memory.isTaken(seen.operation, String(sent.fields.name))
  );
}

/** Whether a creation is plain and new, beside what is looked at. */
function isFresh(seen: SeenExchange, { fields }: Sent): boolean {
  return !seen.memory.isTaken(seen.operation, String(fields.name));
}

function isUndeclared(seen: SeenExchange): boolean {
  const sent = creationOf(seen);
  return sent !== undefined && !isDeclaredJson(seen.request) && isWhole(sent) && isFresh(seen, sent);
}

function isIncomplete(seen: SeenExchange): boolean {
  const sent = creationOf(seen);
  if (sent === undefined || !isDeclaredJson(seen.request) || !isFresh(seen, sent)) return false;
  const there = Object.keys(sent.fields);
  const isKnown = there.every((name) => sent.names.includes(name) && isPlain(name, sent.fields[name]));
  return isKnown && there.length < sent.names.length;
}

function hasMoreFields(seen: SeenExchange): boolean {
  const sent = creationOf(seen);
  if (sent === undefined || !isDeclaredJson(seen.request) || !isWhole(sent)) return false;
  return isFresh(seen, sent) && Object.keys(sent.fields).length > sent.names.length;
}

const lists: readonly OperationId[] = ['listAgents', 'listMcpServers'];

function hasMoreParameters({ operation, request }: SeenExchange): boolean {
  return lists.includes(operation) && request.query.some(({ value }) => value !== undefined);
}

function seeWrongTypes(seen: SeenExchange): Sighting | undefined {
  const sent = seen.operation === 'createDrive' ? creationOf(seen) : undefined;
  const name = sent?.fields.name;
  if (sent === undefined || typeof name !== 'number' || Object.keys(sent.fields).length > 1) return undefined;
  if (!isDeclaredJson(seen.request) || !isFresh(seen, sent)) return undefined;
  if (isRefused(seen)) return 'refused';
  const see = inSuccesses(['createDrive'], (success) => {
    const shown = member(shownIn(success), 'name');
    return shown === String(name)
      ? 'coerced'
      : { other: `a name of another type is shown as ${JSON.stringify(shown)}` };
  });
  return see(seen);
}
