// What a response shows by itself: status, JSON, fields and their types, and values that contradict each other.

import { own, say } from '../../lib/sentence.ts';
import { type ContractDocument, valueAt } from '../contract/document.ts';
import type { OperationId } from '../contract/operations.ts';
import type { Schemas, Violation } from '../contract/schemas.ts';
import { bodyObjects } from '../reading/body-objects.ts';
import type { Call } from './exchange.ts';
import type { Report } from './findings.ts';

/** Of each list, so many items are searched. */
const mostItems = 1_000;
/** So many violations of one response are told. */
const mostTold = 20;

/** The shapes of successful responses. */
export class Shapes {
  readonly #document: ContractDocument;
  readonly #schemas: Schemas;
  /** Bodies that broke nothing, and the operation whose they were: servers send many of them again and again. */
  readonly #sound = new WeakMap<object, string>();

  constructor(document: ContractDocument, schemas: Schemas) {
    this.#document = document;
    this.#schemas = schemas;
  }

  /** A successful response. */
  judge(call: Call, report: Report): void {
    const { operation, answer, status } = call;
    // 4.1, 4.9 and 4.10 show 200; elsewhere any success will do.
    if (operation.statusOpenPoint === undefined && operation.list !== undefined && status !== 200)
      report(`${operation.operationId}.status-is-200`, 'certain', {
        expected: say`200`,
        actual: say`status ${status}`,
      });
    // 4.2 shows no response body.
    const mayBeEmpty = operation.answerSchema === undefined;
    if (answer === undefined || answer.body.kind === 'unread' || (mayBeEmpty && answer.body.kind === 'none')) return;
    const expected = say`a JSON body`;
    const type = answer.headers['content-type'] ?? '';
    if (answer.body.kind === 'text')
      report('bodies.answers-are-json', 'certain', { expected, actual: answer.body.why });
    else if (answer.body.kind === 'none')
      report(answerRules[operation.operationId] ?? '', 'certain', {
        expected,
        actual: say`status ${status} without a body`,
      });
    else if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type))
      report('bodies.answers-are-declared-json', 'certain', { expected: say`a JSON media type`, actual: say`${type}` });
    this.#judgeBody(call, report);
  }

  #judgeBody(call: Call, tell: Report): void {
    const { operation, answer, json } = call;
    const { answerSchema } = operation;
    if (answerSchema === undefined || answer?.body.kind !== 'json') return;
    const body = typeof json === 'object' && json !== null ? json : undefined;
    if (body !== undefined && this.#sound.get(body) === operation.operationId) return;
    let isSound = true;
    const report: Report = (...finding) => {
      isSound = false;
      tell(...finding);
    };
    for (const violation of this.#schemas.of(answerSchema)(json).slice(0, mostTold)) {
      const { location, message } = violation;
      const expected = say`${own(location.join('.') || 'the body')} ${own(message)}`;
      report(ruleOf(violation, call), 'certain', { expected, actual: say`something else` });
    }
    for (const { schema, value, location } of bodyObjects(this.#document, answerSchema, json, mostItems)) {
      const missing = (schema['x-should-have'] ?? []).filter((name) => !Object.hasOwn(value, name));
      const rule = operation.isCreation ? undefined : missingRules[schemaAt(call, location)];
      const expected = say`${own(missing.join(', '))}`;
      if (missing.length > 0 && rule !== undefined) report(rule, 'certain', { expected, actual: say`none` });
      judgeValues(value, report);
    }
    if (isSound && body !== undefined) this.#sound.set(body, operation.operationId);
  }
}

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

/** The rules of fields that should be there: the text does not say that they always are (4.1, 4.4 to 4.6, 4.9). */
const missingRules: Readonly<Record<string, string>> = {
  Agent: 'agent.fields-are-present',
  Drive: 'drive.listed-fields-are-present',
  DriveFile: 'driveFile.fields-are-present',
  McpServer: 'mcpServer.listed-fields-are-present',
  Pagination: 'pagination.fields-are-present',
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

function ruleOf({ location, code }: Violation, call: Call): string {
  const { operationId } = call.operation;
  const [field = '', value] = [location.at(-1), valueAt(call.json, location)];
  const required = location.join() === 'tools' ? 'listMcpServerTools.tools-is-present' : requiredRules[operationId];
  if (code === 'required') return required ?? '';
  const isWhole = field === '' || /^\d+$/.test(field) || ['data', 'pagination', 'tools'].includes(field);
  if (isWhole) return answerRules[operationId] ?? '';
  // Where the text lists the fields, null is as good as none.
  const isListed =
    call.operation.isCreation || ['TreeDeletion', 'McpTool'].includes(schemaAt(call, location.slice(0, -1)));
  if (value === null) return isListed && required !== undefined ? required : 'types.null-is-none-of-them';
  if (['id', 'organizationId', 'jobId'].includes(field)) return 'ids.are-strings';
  const isOtherZone = code === 'pattern' && /T\d\d:\d\d.*[+-]\d\d:?\d\d$/.test(String(value));
  if (field.endsWith('At')) return isOtherZone ? 'timestamps.are-in-utc' : 'timestamps.are-date-times';
  const rules = typeRules[schemaAt(call, location.slice(0, -1))] ?? {};
  return rules[field] ?? rules[''] ?? '';
}

function schemaAt({ operation }: Call, location: readonly string[]): string {
  if (location[0] === 'pagination') return 'Pagination';
  if (operation.list !== undefined) return location.length === 0 ? '' : operation.list.itemSchema;
  return operation.resource ?? '';
}

/** Values of one object that contradict each other. */
function judgeValues(value: Readonly<Record<string, unknown>>, report: Report): void {
  const { createdAt, updatedAt, size, documentCount } = value;
  // Their precisions may differ.
  if (Date.parse(String(createdAt)) >= Date.parse(String(updatedAt)) + 1_000) {
    const expected = say`updatedAt not before createdAt ${String(createdAt)}`;
    report('timestamps.created-before-updated', 'certain', { expected, actual: say`${String(updatedAt)}` });
  }
  const expected = say`a number that is not negative`;
  if (typeof size === 'number' && size < 0)
    report('driveFile.values-make-sense', 'certain', { expected, actual: say`size ${size}` });
  if (typeof documentCount === 'number' && documentCount < 0)
    report('deleteDriveTree.count-is-of-this-deletion', 'certain', { expected, actual: say`${documentCount}` });
}
