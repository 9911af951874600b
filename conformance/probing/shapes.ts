import { jsonExcerpt, own, type Sentence, say } from '../../lib/sentence.ts';
import { valueAt } from '../../openapi/contract/document.ts';
import { allowedValues } from '../../openapi/contract/load.ts';
import type { Operation, OperationId } from '../../openapi/contract/operations.ts';
import type { Validate, Violation } from '../../openapi/contract/schemas.ts';
import { listIn } from '../../openapi/reading/messages.ts';
import type { Session } from '../session.ts';
import type { Reply } from '../target/reply.ts';

/** The allowed values of a field, in words. */
function choiceOf(schema: string, field: string): string {
  const values = allowedValues(schema, field).map((value) => JSON.stringify(value));
  return [values.slice(0, -1).join(', '), values.at(-1)].join(' or ');
}

/** The rules for the shape of a response, by the last part of their check's id, each with what is expected. */
export const shapeRules = {
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
  'status-values': `status is ${choiceOf('DriveFile', 'status')}`,
  'type-values': `type is ${choiceOf('McpServer', 'type')}`,
  'file-path-starts-with-slash': 'path is a string that starts with a slash',
  'flags-are-booleans': 'isPublished and hasChanges are booleans',
  'pagination-field-types': 'limit, offset and total are integers',
  'field-types': 'fields of the types in the tables',
} as const;

export type ShapeRule = keyof typeof shapeRules;

/** One way in which a response breaks its stated shape. */
interface ShapeViolation {
  rule: ShapeRule;
  /** In how many places of the response. */
  count: number;
  /** Where and what, in words. */
  describe(): Sentence;
}

type Known = WeakMap<object, Map<OperationId, readonly ShapeViolation[]>>;

// Cached: many checks judge the same responses, and many responses have the same value.
const byReply: Known = new WeakMap();
const byValue: Known = new WeakMap();

function remembered(known: Known, key: unknown, operation: OperationId, find: () => readonly ShapeViolation[]) {
  if (typeof key !== 'object' || key === null) return find();
  const memory = known.get(key) ?? new Map<OperationId, readonly ShapeViolation[]>();
  known.set(key, memory);
  const found = memory.get(operation) ?? find();
  memory.set(operation, found);
  return found;
}

/** How a successful response breaks the stated shape of its operation; none if no shape is stated. */
export function shapeViolations(session: Session, operation: OperationId, reply: Reply): readonly ShapeViolation[] {
  return remembered(byReply, reply, operation, () =>
    remembered(byValue, reply.json, operation, () => findViolations(session, operation, reply)),
  );
}

function findViolations(session: Session, operation: OperationId, reply: Reply): ShapeViolation[] {
  const { answerSchema, list } = session.operations.get(operation) as Operation;
  if (answerSchema === undefined) return [];
  if (!reply.hasBody) return [{ rule: frameRule(list, []), count: 1, describe: () => say`no body` }];
  if (!reply.isJson) return [];
  const { json } = reply;
  const validate = session.schemas.of(answerSchema);
  const found = withoutEchoes(validate(json)).map((violation) => ({
    rule: ruleOf(list, violation, json),
    count: 1 + (violation.more ?? 0),
    describe: () => describe(violation, json),
  }));
  return found.some(({ rule }) => rule === 'no-null-fields') ? [...found, ...nullsForStated(json, validate)] : found;
}

// If the text lists the fields of a response, null does not count as a value: the field counts as missing.
function nullsForStated(answer: unknown, validate: Validate): ShapeViolation[] {
  const missing = validate(withoutNulls(answer)).filter(({ code }) => code === 'required');
  return missing
    .filter(({ location }) => valueAt(answer, location) === null)
    .map((violation) => ({
      rule: 'fields-present',
      count: 1 + (violation.more ?? 0),
      describe: () => describe(violation, answer),
    }));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutNulls(one)]));
}

// A value that is not a date-time also has no offset, but that is one fault, not two.
function withoutEchoes(violations: readonly Violation[]): Violation[] {
  const keyOf = ({ location }: Violation) => JSON.stringify(location);
  const malformed = new Set(violations.filter(({ code }) => code === 'format').map(keyOf));
  return violations.filter((violation) => violation.code !== 'pattern' || !malformed.has(keyOf(violation)));
}

const byField: Record<string, ShapeRule> = {
  id: 'ids-are-strings',
  organizationId: 'ids-are-strings',
  jobId: 'ids-are-strings',
  createdAt: 'timestamps-are-date-times',
  updatedAt: 'timestamps-are-date-times',
  modifiedAt: 'timestamps-are-date-times',
  isPublished: 'flags-are-booleans',
  hasChanges: 'flags-are-booleans',
  kind: 'kind-values',
  status: 'status-values',
  type: 'type-values',
};

function ruleOf(list: Operation['list'], { location, code }: Violation, answer: unknown): ShapeRule {
  const field = location.at(-1) ?? '';
  if (code === 'required' && field === 'tools') return 'tools-present';
  if (code === 'required') return field === 'data' || field === 'pagination' ? 'answer-is-page' : 'fields-present';
  if (isFrame(list, location)) return frameRule(list, location);
  if (valueAt(answer, location) === null) return 'no-null-fields';
  if (location.includes('pagination')) return 'pagination-field-types';
  if (code === 'pattern' && field !== 'path') {
    const hasTime = /t/i.test(String(valueAt(answer, location)));
    return hasTime ? 'timestamps-are-utc' : 'timestamps-are-date-times';
  }
  if (field === 'path') return 'file-path-starts-with-slash';
  return byField[field] ?? 'field-types';
}

// The response itself, the array in it, its items, and the pagination object: the frame around the resources.
function isFrame(list: Operation['list'], location: readonly string[]): boolean {
  const [first, ...rest] = location;
  if (first === undefined || (first === 'pagination' && rest.length === 0)) return true;
  if (list === undefined) return false;
  return list.property === undefined ? rest.length === 0 : first === list.property && rest.length <= 1;
}

function frameRule(list: Operation['list'], location: readonly string[]): ShapeRule {
  if (list === undefined) return 'answer-is-object';
  if (list.property === undefined) return 'answer-is-array';
  if (list.property === 'data') return 'answer-is-page';
  return location.length === 0 ? 'tools-present' : 'tools-is-array';
}

// What was seen, with the object around it; what is required is said elsewhere.
function describe({ location, code, message }: Violation, answer: unknown): Sentence {
  const [name, where] = [location.at(-1) ?? '', placeOf(location)];
  const holder = valueAt(answer, location.slice(0, -1));
  const around = jsonExcerpt(holder, shownAround);
  const isWhole = location.length <= 1;
  if (code === 'required') {
    return isWhole ? say`no ${own(name)}` : say`${own(placeOf(location.slice(0, -1)))} has no ${own(name)}: ${around}`;
  }
  if (where === '') return kindOf(answer);
  const value = valueAt(answer, location);
  const instead = code === 'type' && value !== null ? message.replace(/^must be/, ', not') : '';
  const seen = say`${own(where)} is ${jsonExcerpt(value, 80)}${own(instead)}`;
  return isWhole || Array.isArray(holder) ? seen : say`${seen}, in ${around}`;
}

/** Of the object around a fault, which may be far behind the part of the body that reports show. */
export const shownAround = 200;

/** The place of a value in a response, with indices from 0: `data[24].name`. */
function placeOf(location: readonly string[]): string {
  return location
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** What a whole response is, in words. */
function kindOf(value: unknown): Sentence {
  if (Array.isArray(value)) return say`an array`;
  return typeof value === 'object' && value !== null ? say`an object` : jsonExcerpt(value, 80);
}

/** A resource object in a response. */
export interface ShownResource {
  /** Its place in the list, if it is in one, and the member that holds the list. */
  index?: number;
  list?: string | undefined;
  value: unknown;
}

/** Every resource object in a response. */
export function* resourcesIn({ operations }: Session, id: OperationId, answer: unknown): Generator<ShownResource> {
  const operation = operations.get(id);
  if (operation?.list === undefined) {
    yield { value: answer };
    return;
  }
  const list = operation.list.property;
  for (const [index, value] of (listIn(operation, answer) ?? []).entries()) yield { index, list, value };
}

/** The place of a resource in a response, in words. */
export function placeIn({ index, list = '' }: ShownResource): string {
  return index === undefined ? 'the response' : `${list}[${index}]`;
}
