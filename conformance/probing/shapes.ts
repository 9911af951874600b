import type { SchemaObject } from '../../openapi/contract/document.ts';
import { dereference, type ResponseObject, resolvePointer } from '../../openapi/contract/document.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Violation } from '../../openapi/contract/schemas.ts';
import { excerpt, own, type Sentence, say } from '../../openapi/reading/sentence.ts';
import type { Session } from '../session.ts';
import type { Reply } from '../target/reply.ts';

/** The rules about the shape of an answer: the last parts of the ids of the checks that judge them. */
export type ShapeRule =
  | 'answer-is-object'
  | 'answer-is-array'
  | 'answer-is-page'
  | 'tools-is-array'
  | 'tools-present'
  | 'fields-present'
  | 'no-null-fields'
  | 'ids-are-strings'
  | 'timestamps-are-date-times'
  | 'timestamps-are-utc'
  | 'kind-values'
  | 'status-values'
  | 'type-values'
  | 'file-path-starts-with-slash'
  | 'flags-are-booleans'
  | 'pagination-field-types'
  | 'field-types';

/** One way in which an answer breaks the shape that is stated for it. */
export interface ShapeViolation {
  rule: ShapeRule;
  /** Where and what, in words. */
  message: Sentence;
}

/** What an answer that succeeded breaks of the shape of its operation; none where no shape is stated for it. */
export function shapeViolations(session: Session, operation: OperationId, reply: Reply): ShapeViolation[] {
  const schema = successSchema(session, operation);
  if (schema === undefined) return [];
  if (!reply.hasBody) return [{ rule: frameRule(operation, []), message: say`the response has no body` }];
  if (!reply.isJson) return [];
  return withoutEchoes(session.schemas.of(schema)(reply.json)).map((violation) => ({
    rule: ruleOf(operation, violation, reply.json),
    message: describe(violation, reply.json),
  }));
}

// What is no date-time has no offset either: that is one fault, not two.
function withoutEchoes(violations: readonly Violation[]): Violation[] {
  const placeOf = ({ location }: Violation) => JSON.stringify(location);
  const malformed = new Set(violations.filter(({ code }) => code === 'format').map(placeOf));
  return violations.filter((violation) => violation.code !== 'pattern' || !malformed.has(placeOf(violation)));
}

function successSchema(session: Session, operation: OperationId): SchemaObject | undefined {
  const responses = session.operations.get(operation)?.definition.responses ?? {};
  const declared = responses['200'] ?? responses['2XX'];
  const response = dereference<ResponseObject>(session.contract, declared as ResponseObject);
  // What the answer to a publication holds is open.
  return operation === 'publishAgentRevision'
    ? undefined
    : (response.content?.['application/json']?.schema as SchemaObject | undefined);
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

const roots: Partial<Record<OperationId, ShapeRule>> = {
  listAgents: 'answer-is-array',
  listMcpServers: 'answer-is-array',
  listDrives: 'answer-is-page',
};

function ruleOf(operation: OperationId, violation: Violation, answer: unknown): ShapeRule {
  const { location, code } = violation;
  const field = location.at(-1) ?? '';
  if (code === 'required') return ruleOfAbsence(field);
  if (isFrame(operation, location)) return frameRule(operation, location);
  if (valueAt(answer, location) === null) return 'no-null-fields';
  if (location.includes('pagination')) return 'pagination-field-types';
  if (code === 'pattern') return field === 'path' ? 'file-path-starts-with-slash' : 'timestamps-are-utc';
  if (field === 'path') return 'file-path-starts-with-slash';
  return byField[field] ?? 'field-types';
}

function ruleOfAbsence(field: string): ShapeRule {
  if (field === 'tools') return 'tools-present';
  return field === 'data' || field === 'pagination' ? 'answer-is-page' : 'fields-present';
}

// The answer itself, the array in it, its items, and the pagination object: what the whole is made of.
function isFrame(operation: OperationId, location: readonly string[]): boolean {
  const [first = '', second = ''] = location;
  if (location.length === 0 || (location.length === 1 && ['data', 'pagination', 'tools'].includes(first))) return true;
  if (location.length === 1) return operation === 'listAgents' || operation === 'listMcpServers';
  return location.length === 2 && ['data', 'tools'].includes(first) && /^\d+$/.test(second);
}

function frameRule(operation: OperationId, location: readonly string[]): ShapeRule {
  if (operation === 'listMcpServerTools') return location.length === 0 ? 'tools-present' : 'tools-is-array';
  return roots[operation] ?? 'answer-is-object';
}

function valueAt(answer: unknown, location: readonly string[]): unknown {
  return resolvePointer(answer, `#/${location.map(toToken).join('/')}`);
}

function toToken(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function describe({ location, message }: Violation, answer: unknown): Sentence {
  const where = location.length === 0 ? 'the response' : location.join('.');
  const value = location.length === 0 ? undefined : valueAt(answer, location);
  return say`${own(where)} ${own(message)}${value === undefined ? own('') : say`; it is ${short(value)}`}`;
}

function short(value: unknown): Sentence {
  return excerpt(JSON.stringify(value) ?? 'undefined', 80);
}

/** Every resource object in an answer, with where it stands. */
export function resourcesIn(operation: OperationId, answer: unknown): { where: string; value: unknown }[] {
  const list = listIn(operation, answer);
  if (list === undefined) return [{ where: 'the response', value: answer }];
  return list.map((value, index) => ({ where: `item ${index}`, value }));
}

function listIn(operation: OperationId, answer: unknown): unknown[] | undefined {
  const isBare = operation === 'listAgents' || operation === 'listMcpServers';
  const held = { listDrives: 'data', listMcpServerTools: 'tools' } as Partial<Record<OperationId, string>>;
  if (!isBare && held[operation] === undefined) return undefined;
  const list = isBare ? answer : (answer as Record<string, unknown> | null)?.[held[operation] ?? ''];
  return Array.isArray(list) ? list : [];
}

/** The names of a schema's members that should be there, though the text does not say that they always are. */
export function shouldHave(session: Session, schemaName: string): string[] {
  const schema = session.contract.components?.schemas?.[schemaName] as SchemaObject | undefined;
  return schema?.['x-should-have'] ?? [];
}
