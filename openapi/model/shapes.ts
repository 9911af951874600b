// What a response shows by itself: status, JSON, fields and their types, and values that contradict each other.

import { jsonExcerpt, own, type Sentence, say } from '../../lib/sentence.ts';
import { type ContractDocument, valueAt } from '../contract/document.ts';
import { allowedValues } from '../contract/load.ts';
import type { Operation, OperationId } from '../contract/operations.ts';
import type { Schemas, Violation } from '../contract/schemas.ts';
import { bodyObjects } from '../reading/body-objects.ts';
import { msBetween } from '../reading/timestamps.ts';
import type { Call } from './exchange.ts';
import type { Report } from './findings.ts';

/** Of one rule, so many places in a response are counted: a target may send millions. */
export const mostPlaces = 1_000;

/** A rule that a response breaks, with its first place in words. */
interface Fault {
  rule: string;
  expected: Sentence;
  actual: Sentence;
  places: number;
}

/** The shapes of successful responses. */
export class Shapes {
  readonly #document: ContractDocument;
  readonly #schemas: Schemas;
  /** By body, and the operation whose it was: servers send many of them again and again. */
  readonly #known = new WeakMap<object, { operationId: OperationId; faults: readonly Fault[] }>();

  constructor(document: ContractDocument, schemas: Schemas) {
    this.#document = document;
    this.#schemas = schemas;
  }

  /** Judges a successful response. */
  judge(call: Call, report: Report): void {
    const { operation, answer, status } = call;
    // 4.1, 4.9 and 4.10 show 200; elsewhere any success will do.
    if (operation.statusOpenPoint === undefined && operation.list !== undefined && status !== 200)
      report(`${operation.operationId}.status-is-200`, 'certain', {
        expected: say`200`,
        actual: say`status ${status}`,
      });
    if (answer === undefined || answer.body.kind === 'unread') return;
    const { kind } = answer.body;
    if (kind !== 'none') judgeMediaType(answer.headers['content-type'] ?? '', report);
    if (kind === 'text')
      report('bodies.answers-are-json', 'certain', {
        expected: say`a body that is JSON in UTF-8, and nothing else`,
        actual: answer.body.why,
      });
    // 4.2 shows no response body.
    if (operation.answerSchema === undefined || kind === 'text') return;
    const faults = kind === 'none' ? [missingBody(operation)] : this.#faultsIn(operation, call.json);
    for (const { rule, ...grounds } of faults) report(rule, 'certain', grounds);
  }

  #faultsIn(operation: Operation, json: unknown): readonly Fault[] {
    const body = typeof json === 'object' && json !== null ? json : undefined;
    const known = body && this.#known.get(body);
    if (known?.operationId === operation.operationId) return known.faults;
    const faults = [...this.#brokenTypes(operation, json), ...this.#oddObjects(operation, json)];
    if (body !== undefined) this.#known.set(body, { operationId: operation.operationId, faults });
    return faults;
  }

  /** How a body breaks the schema of its operation, by rule. */
  #brokenTypes(operation: Operation, json: unknown): Fault[] {
    const validate = this.#schemas.of(operation.answerSchema ?? {});
    const found = withoutEchoes(validate(json)).map((violation) => ({
      rule: ruleOf(operation, violation, json),
      violation,
    }));
    // If the text lists the fields of a response, null does not count as a value: the field counts as missing.
    const stated = found.some(({ rule }) => rule === noNull)
      ? validate(withoutNulls(json)).filter((one) => one.code === 'required' && valueAt(json, one.location) === null)
      : [];
    const all = [...found, ...stated.map((violation) => ({ rule: requiredRule(operation, violation), violation }))];
    return [...Map.groupBy(all, ({ rule }) => rule)].flatMap(([rule, alike]) => {
      const [first] = alike as [(typeof all)[number]];
      const places = alike.reduce((sum, { violation }) => sum + 1 + (violation.more ?? 0), 0);
      return { rule, expected: own(expectedBy(rule)), actual: describe(first.violation, json), places };
    });
  }

  /** The objects in a body that lack fields which should be there, and those whose values contradict each other. */
  #oddObjects(operation: Operation, json: unknown): Fault[] {
    const faults = new Map<string, Fault>();
    // Where all fields are required: `allOf`, with the resource first.
    const resource = operation.answerSchema?.allOf?.[0] ?? operation.answerSchema;
    for (const { schema, value, location } of bodyObjects(this.#document, resource, json)) {
      const odd = [
        lacking(operation, schema['x-should-have'] ?? [], value, location),
        ...contradictions(value, location),
      ];
      for (const fault of odd.filter((one) => one !== undefined)) {
        const known = faults.get(fault.rule);
        if (known === undefined) faults.set(fault.rule, fault);
        else if (++known.places > mostPlaces) return [...faults.values()];
      }
    }
    return [...faults.values()];
  }
}

function judgeMediaType(mediaType: string, report: Report): void {
  if (/^(application|text)\/([\w.-]+\+)?json\s*(;|$)/i.test(mediaType)) return;
  report('bodies.answers-are-declared-json', 'certain', {
    expected: say`a Content-Type of JSON, such as application/json`,
    actual: mediaType === '' ? say`there is no Content-Type` : say`Content-Type is ${mediaType}`,
  });
}

function missingBody(operation: Operation): Fault {
  const rule = frameRule(operation, []);
  return { rule, expected: own(expectedBy(rule)), actual: say`no body`, places: 1 };
}

/** The rules of fields that should be there: the text does not say that they always are (4.1, 4.4 to 4.6, 4.9). */
const missingRules: Readonly<Record<string, string>> = {
  Agent: 'agent.fields-are-present',
  Drive: 'drive.listed-fields-are-present',
  DriveFile: 'driveFile.fields-are-present',
  McpServer: 'mcpServer.listed-fields-are-present',
  Pagination: 'pagination.fields-are-present',
};

/** Those of a creation are required by its schema. */
function lacking(
  operation: Operation,
  names: readonly string[],
  value: Readonly<Record<string, unknown>>,
  location: readonly string[],
): Fault | undefined {
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  const rule = operation.isCreation ? undefined : missingRules[schemaAt(operation, location)];
  if (missing.length === 0 || rule === undefined) return undefined;
  const expected = own(`${expectedBy(rule)}: ${names.join(', ')}`);
  const actual = say`${own(objectAt(location))} has no ${own(missing.join(', '))}: ${jsonExcerpt(value, shownAround)}`;
  return { rule, expected, actual, places: 1 };
}

/** Values of one object that contradict each other, or make no sense. */
function contradictions(value: Readonly<Record<string, unknown>>, location: readonly string[]): Fault[] {
  const faults: Fault[] = [];
  const { createdAt, updatedAt, size, documentCount } = value;
  const isDated = typeof createdAt === 'string' && typeof updatedAt === 'string';
  if (isDated && msBetween(createdAt, updatedAt) < 0)
    faults.push({
      rule: 'timestamps.created-before-updated',
      expected: say`an updatedAt that is not before createdAt`,
      actual: say`${own(objectAt(location))} was updated at ${updatedAt}, before it was created at ${createdAt}`,
      places: 1,
    });
  const expected = say`a number that is not negative`;
  if (typeof size === 'number' && size < 0)
    faults.push({ rule: 'driveFile.values-make-sense', expected, actual: say`size is ${size}`, places: 1 });
  if (typeof documentCount === 'number' && documentCount < 0) {
    const actual = say`documentCount is ${documentCount}`;
    faults.push({ rule: 'deleteDriveTree.count-is-of-this-deletion', expected, actual, places: 1 });
  }
  return faults;
}

const noNull = 'types.null-is-none-of-them';

/** The rule that says what the whole body is. */
const answerRules: Readonly<Partial<Record<OperationId, string>>> = {
  listAgents: 'listAgents.answer-is-array',
  createDrive: 'createDrive.answer-is-drive',
  listDrives: 'listDrives.answer-is-page',
  getDriveFile: 'getDriveFile.answer-is-drive-file',
  updateDriveFile: 'updateDriveFile.answer-is-drive-file',
  deleteDriveTree: 'deleteDriveTree.fields-are-present',
  createMcpServer: 'createMcpServer.answer-is-mcp-server',
  listMcpServers: 'listMcpServers.answer-is-array',
  listMcpServerTools: 'listMcpServerTools.tools-is-array',
};

/** The rules of fields that the text of an operation lists (4.3, 4.4, 4.7, 4.8, 4.10). */
const requiredRules: Readonly<Partial<Record<OperationId, string>>> = {
  createDrive: 'drive.fields-are-present',
  createMcpServer: 'mcpServer.fields-are-present',
  listDrives: 'listDrives.answer-is-page',
  deleteDriveTree: 'deleteDriveTree.fields-are-present',
  listMcpServerTools: 'mcpTool.fields-are-present',
};

/** The rules of the types of fields, by schema; `''` for its other fields (section 2). */
const typeRules: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Agent: { isPublished: 'agent.flags-are-booleans', hasChanges: 'agent.flags-are-booleans', '': 'agent.strings' },
  Drive: { '': 'drive.name' },
  DriveFile: {
    kind: 'driveFile.kind-values',
    path: 'driveFile.path-starts-with-slash',
    status: 'driveFile.status-values',
    size: 'driveFile.size',
    metadata: 'driveFile.metadata',
    '': 'driveFile.strings',
  },
  McpServer: { type: 'mcpServer.type-values', '': 'mcpServer.strings' },
  McpTool: { '': 'mcpTool.strings' },
  Pagination: { '': 'pagination.integers' },
  TreeDeletion: { '': 'deleteDriveTree.field-types' },
};

const everyField = 'every field in the table';
const anObject = 'an object';
const anArray = 'an array of objects';

/** What is expected by a rule; of the others, fields of the right types. */
const expectations: Readonly<Record<string, string | (() => string)>> = {
  'listAgents.answer-is-array': anArray,
  'listMcpServers.answer-is-array': anArray,
  'createDrive.answer-is-drive': anObject,
  'createMcpServer.answer-is-mcp-server': anObject,
  'getDriveFile.answer-is-drive-file': anObject,
  'updateDriveFile.answer-is-drive-file': anObject,
  'listDrives.answer-is-page': 'an object with data, an array of drives, and pagination, an object',
  'listMcpServerTools.tools-is-array': 'tools is an array of objects',
  'listMcpServerTools.tools-is-present': 'an object that has tools',
  'deleteDriveTree.fields-are-present': 'an object with every field that the text lists',
  'drive.fields-are-present': 'every field that the text lists',
  'mcpServer.fields-are-present': 'every field that the text lists',
  'mcpTool.fields-are-present': 'every field that the text lists',
  'agent.fields-are-present': everyField,
  'drive.listed-fields-are-present': everyField,
  'driveFile.fields-are-present': everyField,
  'mcpServer.listed-fields-are-present': everyField,
  'pagination.fields-are-present': everyField,
  [noNull]: 'no field that is null',
  'ids.are-strings': 'ids that are strings',
  'timestamps.are-date-times': 'date-times, such as 2026-02-11T09:00:00Z',
  'timestamps.are-in-utc': 'date-times in UTC: they end with Z or +00:00',
  'driveFile.kind-values': 'kind is "file"',
  'driveFile.status-values': () => `status is ${choiceOf('DriveFile', 'status')}`,
  'mcpServer.type-values': () => `type is ${choiceOf('McpServer', 'type')}`,
  'driveFile.path-starts-with-slash': 'path is a string that starts with a slash',
  'agent.flags-are-booleans': 'isPublished and hasChanges are booleans',
  'pagination.integers': 'limit, offset and total are integers',
};

/** What the rule of a shape expects, in words. */
export function expectedBy(rule: string): string {
  const expected = expectations[rule] ?? 'fields of the types in the tables';
  return typeof expected === 'string' ? expected : expected();
}

/** The allowed values of a field, in words. */
function choiceOf(schema: string, field: string): string {
  const values = allowedValues(schema, field).map((value) => JSON.stringify(value));
  return [values.slice(0, -1).join(', '), values.at(-1)].join(' or ');
}

function ruleOf(operation: Operation, violation: Violation, json: unknown): string {
  const { location, code } = violation;
  const [field = '', value] = [location.at(-1), valueAt(json, location)];
  if (code === 'required') return requiredRule(operation, violation);
  if (isFrame(operation, location)) return frameRule(operation, location);
  if (value === null) return noNull;
  if (['id', 'organizationId', 'jobId'].includes(field)) return 'ids.are-strings';
  if (field.endsWith('At'))
    return code === 'pattern' && /t/i.test(String(value)) ? 'timestamps.are-in-utc' : 'timestamps.are-date-times';
  const rules = typeRules[schemaAt(operation, location.slice(0, -1))] ?? {};
  return rules[field] ?? rules[''] ?? '';
}

function requiredRule({ operationId }: Operation, { location }: Violation): string {
  const isTools = location.join() === 'tools';
  return (isTools ? 'listMcpServerTools.tools-is-present' : requiredRules[operationId]) ?? '';
}

// The response itself, the array in it, its items, and the pagination object: the frame around the resources.
function isFrame({ list }: Operation, location: readonly string[]): boolean {
  const [first, ...rest] = location;
  if (first === undefined || (first === 'pagination' && rest.length === 0)) return true;
  if (list === undefined) return false;
  return list.property === undefined ? rest.length === 0 : first === list.property && rest.length <= 1;
}

function frameRule({ operationId, list }: Operation, location: readonly string[]): string {
  const isWhole = list?.property === 'tools' && location.length === 0;
  return isWhole ? 'listMcpServerTools.tools-is-present' : (answerRules[operationId] ?? '');
}

function schemaAt({ list, resource }: Operation, location: readonly string[]): string {
  if (location[0] === 'pagination') return 'Pagination';
  if (list !== undefined) return location.length === 0 ? '' : list.itemSchema;
  return resource ?? '';
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

// What was seen, with the object around it; what is required is said elsewhere.
function describe({ location, code, message }: Violation, json: unknown): Sentence {
  const [name, where] = [location.at(-1) ?? '', placeOf(location)];
  const holder = valueAt(json, location.slice(0, -1));
  const around = jsonExcerpt(holder, shownAround);
  const isWhole = location.length <= 1;
  if (code === 'required') {
    return isWhole ? say`no ${own(name)}` : say`${own(placeOf(location.slice(0, -1)))} has no ${own(name)}: ${around}`;
  }
  if (where === '') return kindOf(json);
  const value = valueAt(json, location);
  const instead = code === 'type' && value !== null ? message.replace(/^must be/, ', not') : '';
  const seen = say`${own(where)} is ${jsonExcerpt(value, 80)}${own(instead)}`;
  return isWhole || Array.isArray(holder) ? seen : say`${seen}, in ${around}`;
}

/** Of the object around a fault, which may be far behind the part of the body that reports show. */
const shownAround = 200;

/** The place of a value in a response, with indices from 0: `data[24].name`. */
function placeOf(location: readonly string[]): string {
  return location
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

function objectAt(location: readonly string[]): string {
  return location.length === 0 ? 'the response' : placeOf(location);
}

/** What a whole response is, in words. */
function kindOf(value: unknown): Sentence {
  if (Array.isArray(value)) return say`an array`;
  return typeof value === 'object' && value !== null ? say`an object` : jsonExcerpt(value, 80);
}
