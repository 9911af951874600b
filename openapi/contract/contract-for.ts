/*
 * What a profile changes in the contract, as far as schemas can say it: what the mock accepts and sends. What each
 * choice changes stands in the room of its open point (`inContract`, `refuses` and `regards` in `openapi/points/`);
 * `mock.yaml` has what a mock adds. The document that client generators read is made of this in `profile-document.ts`;
 * the command is `src/cli/contract.ts`.
 */
import type { OpenAPIV3_1 } from 'openapi-types';
import { placeOf } from '../../lib/place.ts';
import { errorShapeUnder, type Problem, problemType } from '../points/error-bodies.ts';
import { forbidNull as forbidNullIn } from '../points/fields.ts';
import { changesAt, concerns, refusalsByChoice, regarding, usualProfile } from '../points/index.ts';
import { mayHaveBody } from '../reading/statuses.ts';
import {
  type ContractDocument,
  dereference,
  openPointsOf,
  type RequestBodyObject,
  type ResponseObject,
  resolvePointer,
  type SchemaObject,
} from './document.ts';
import { copyOf, loadDocument, loadYaml } from './load.ts';
import { type Operation, type OperationId, operationSet, operationsOf } from './operations.ts';
import { chosen, decidingPoints, type OpenPointId, type Profile } from './profile.ts';
import { type RefusalDefinition, type RefusalKind, refusals } from './refusals.ts';
import type { Violation } from './schemas.ts';
import { howToAuthenticate } from './security.ts';
import { loadUsualContract } from './usual-input.ts';

type Responses = Record<string, ResponseObject>;

/** The contract under a profile: parameter names, codes, bodies and bounds. A new document for each call. */
export function contractFor(profile: Profile): ContractDocument {
  const document = loadUsualContract();
  const { license, server, problem, errors } = loadMockParts();
  document.info.license = license;
  document.servers = [server];
  Object.assign(document.components?.schemas ?? {}, { Problem: problem });
  eachSchema(document, (schema) => {
    // The mock sends these fields unless its profile leaves them out, so its contract may promise them.
    if (schema['x-should-have'] !== undefined) schema.required = [...schema['x-should-have']];
    for (const change of changesAt(openPointsOf(schema))) change.schema?.(schema, profile);
  });
  for (const operation of operationsOf(document)) {
    applyInput(document, operation, profile);
    applyResponses(document, operation, errors[operation.operationId], profile);
  }
  return document;
}

/** The success code of an operation under a profile: stated in 4.1, 4.9 and 4.10, unspecified elsewhere. */
export function successStatus({ statusOpenPoint }: Operation, profile: Profile): number {
  return statusOpenPoint === undefined ? 200 : chosen(profile, statusOpenPoint);
}

/** Removes null from the types of values that may be missing; the hand-written contract allows it. */
export function forbidNull(document: ContractDocument): void {
  eachSchema(document, (schema) => {
    if (openPointsOf(schema).includes('missingValues')) forbidNullIn(schema);
  });
}

/** Calls `visit` with each named schema and then with its properties. */
function eachSchema({ components }: ContractDocument, visit: (schema: SchemaObject) => void): void {
  for (const schema of Object.values(components?.schemas ?? {}) as SchemaObject[]) {
    visit(schema);
    for (const property of Object.values(schema.properties ?? {}) as SchemaObject[]) visit(property);
  }
}

function applyInput(document: ContractDocument, operation: Operation, profile: Profile): void {
  const { definition, parameters } = operation;
  for (const change of changesAt(openPointsOf(definition))) change.operation?.(operation, profile);
  for (const parameter of parameters)
    for (const change of changesAt(openPointsOf(parameter))) change.parameter?.(parameter, profile);
  if (definition.requestBody === undefined) return;
  const body = dereference<RequestBodyObject>(document, definition.requestBody);
  for (const change of changesAt(openPointsOf(body))) change.requestBody?.(body, profile);
}

function applyResponses(
  document: ContractDocument,
  operation: Operation,
  errors: readonly ProblemExample[],
  profile: Profile,
): void {
  const declared = operation.definition.responses as Responses;
  const unauthenticated = errors.filter((error) => isOf('unauthenticated', error));
  const { content: _, ...stated } = dereference<ResponseObject>(document, declared['401'] as ResponseObject);
  operation.definition.responses = {
    ...success(document, operation, declared, profile),
    '401': refusal(stated, unauthenticated, '401', profile),
    ...refused(operation, errors, profile),
  };
}

function success(document: ContractDocument, operation: Operation, declared: Responses, profile: Profile): Responses {
  const status = successStatus(operation, profile);
  const response = { ...(declared[status] ?? (declared['2XX'] as ResponseObject)) };
  if (!mayHaveBody(status)) delete response.content;
  for (const change of changesAt(openPointsOf(response))) change.response?.(response, profile);
  return { [status]: asApplied(document, response) };
}

// If the schema of the resource requires all fields, the response does not have to require them again.
function asApplied(document: ContractDocument, response: ResponseObject): ResponseObject {
  const json = response.content?.['application/json'];
  const { allOf: [resource] = [], required: whole = [] } = (json?.schema ?? {}) as SchemaObject;
  if (json === undefined || resource === undefined) return response;
  const { required = [] } = dereference<SchemaObject>(document, resource);
  if (!whole.every((name) => required.includes(name))) return response;
  return { ...response, content: { ...response.content, 'application/json': { ...json, schema: resource } } };
}

// The status code of an error response is unspecified, so its example may appear under any of them.
function refused(operation: Operation, errors: readonly ProblemExample[], profile: Profile): Responses {
  const byStatus = Map.groupBy(refusalsOf(operation, profile), (kind) => String(refusals[kind].status(profile)));
  return Object.fromEntries(
    [...byStatus].sort().map(([status, kinds]) => {
      const description = [...new Set(kinds.map((kind) => refusals[kind].title))].join(', or ');
      const points = new Set(kinds.flatMap((kind) => pointsOfRefusal(kind, profile)));
      const told = [...points].filter((point) => concerns(point, operation));
      const examples = errors.filter((error) => kinds.some((kind) => isOf(kind, error)));
      return [status, refusal({ description, 'x-open-point': told }, examples, status, profile)];
    }),
  );
}

/** The refusals besides 401 that an operation of the hand-written contract can return under a profile. */
export function refusalsOf(operation: Operation, profile: Profile): RefusalKind[] {
  const possible = refusalsByChoice(operation, profile);
  if (operation.statesNotFound) possible.add('mcpServerNotFound');
  return (Object.keys(refusals) as RefusalKind[]).filter((kind) => possible.has(kind));
}

export function pointsOfRefusal(kind: RefusalKind, profile: Profile): OpenPointId[] {
  const { openPoint }: RefusalDefinition = refusals[kind];
  return [...(openPoint === undefined ? [] : decidingPoints(profile, openPoint)), ...regarding(kind), 'errorBody'];
}

// What is not found, or not valid, has one code; invalid input differs in what is wrong with it.
function isOf(kind: RefusalKind, { refused, value }: ProblemExample): boolean {
  if (refused === undefined || value.validation !== undefined) return refused === kind;
  return refusals[refused].code === refusals[kind].code;
}

function refusal(
  response: ResponseObject,
  errors: readonly ProblemExample[],
  status: string,
  profile: Profile,
): ResponseObject {
  const shape = errorShapeUnder(profile);
  if (shape === undefined) return response;
  const examples = errors.map(({ name, summary, value }) => [
    name,
    { summary, value: shape.toBody({ ...inNamesOf(profile, value), status: Number(status) }) },
  ]);
  return {
    ...response,
    content: { [shape.contentType]: { schema: shape.schema, examples: Object.fromEntries(examples) } },
  };
}

// Errors use the profile's name for the tree parameter.
function inNamesOf({ treePathParameter }: Profile, problem: Problem): Problem {
  const { detail, validation } = problem;
  if (treePathParameter === 'path') return problem;
  const located = validation?.map((violation) => {
    const isTree = violation.location.join('.') === 'query.path';
    return isTree ? { ...violation, location: ['query', treePathParameter] } : violation;
  });
  return {
    ...problem,
    ...(detail && { detail: detail.replace(/^query\.path(?= )/, () => `query.${treePathParameter}`) }),
    ...(located && { validation: located }),
  };
}

/** A refusal as an RFC 9457 problem. */
export function toProblem(
  refusal: { refused: RefusalKind; detail: string; violations?: readonly Violation[] },
  status: number,
): Problem {
  const { refused, detail, violations } = refusal;
  const { code, title } = refusals[refused];
  const problem: Problem = { type: problemType(code), title, status, detail };
  if (violations !== undefined) problem.validation = violations.map((one) => ({ ...one, severity: 'Error' }));
  return problem;
}

/** An error as an example. */
interface ProblemExample {
  /** How a request asks for it. */
  name: string;
  summary: string;
  /** Its kind; absent if the mock itself never sends it. */
  refused?: RefusalKind;
  /** The error as the default profile sends it. */
  value: Problem;
}

/** What a mock adds to the contract: see mock.yaml. */
interface MockParts<Errors> {
  license: OpenAPIV3_1.LicenseObject;
  server: OpenAPIV3_1.ServerObject;
  problem: SchemaObject;
  errors: Errors;
}

type WrittenError = Omit<ProblemExample, 'value'> & { operations: string | readonly string[] } & (
    | { value: Problem }
    | { refused: 'unauthenticated' }
    | { refused: RefusalKind; detail: string }
    | { refused: RefusalKind; violation: Violation }
  );

/** What a mock adds to the contract, with its errors by operation. */
export const loadMockParts = copyOf((): MockParts<Record<OperationId, ProblemExample[]>> => {
  const { errors, ...parts } = loadYaml('mock.yaml') as MockParts<WrittenError[]>;
  const document = loadDocument();
  const operations = operationsOf(document);
  const examples = errors.map((written) => ({
    example: toExample(written, document),
    ids: new Set(operationSet(operations, written.operations).map(({ operationId }) => operationId)),
  }));
  const of = ({ operationId }: { operationId: OperationId }) =>
    examples.flatMap(({ example, ids }) => (ids.has(operationId) ? [example] : []));
  const byOperation = operations.map((operation) => [operation.operationId, of(operation)] as const);
  return { ...parts, errors: Object.fromEntries(byOperation) as Record<OperationId, ProblemExample[]> };
});

function toExample(written: WrittenError, document: ContractDocument): ProblemExample {
  const { name, summary } = written;
  if ('value' in written) return { name, summary, value: written.value };
  const { refused } = written;
  const status = refusals[refused].status(usualProfile);
  if (!('violation' in written)) {
    const problem = toProblem({ detail: howToAuthenticate, ...written }, status);
    return { name, summary, refused, value: problem };
  }
  const message = written.violation.message.replace(/\{(#.*?)\}/, (_, at: string) => `${resolvePointer(document, at)}`);
  const violation = { ...written.violation, message };
  const detail = `${placeOf(violation.location)} ${message}`;
  return { name, summary, refused, value: toProblem({ refused, detail, violations: [violation] }, status) };
}
