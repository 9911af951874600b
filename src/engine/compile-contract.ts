import { contractFor, successStatus } from '../../openapi/contract/contract-for.ts';
import { type ContractDocument, dereference, type SchemaObject } from '../../openapi/contract/document.ts';
import { loadDocument, loadOpenPoints } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { Schemas, type Validate, type Violation } from '../../openapi/contract/schemas.ts';
import { type Carrier, carriersOf } from '../../openapi/contract/security.ts';
import { createJsonText, type ToJson } from './json-text.ts';
import { createOpenPointTrace, type OpenPointTrace } from './open-point-trace/open-point-trace.ts';
import { readIntake } from './open-point-trace/request-facts.ts';
import { createQueryReader, type QueryResult } from './query.ts';
import { createViews, type Views } from './views.ts';

/** One operation, compiled. */
export interface CompiledOperation {
  /** The code of its success under the profile. */
  status: number;
  /** Whether the key is judged before the input: open point `judgedFirst`, which leaves out what states 401 (4.10). */
  isKeyFirst: boolean;
  readQuery(query: string): QueryResult;
  pathViolations(parameters: Readonly<Record<string, string>>): Violation[];
  /** Present where the operation takes a body. */
  validateBody: Validate | undefined;
}

/** Everything that is compiled for one profile. */
export interface CompiledContract {
  /** The contract as the profile plays it. */
  readonly contract: ContractDocument;
  readonly operations: readonly Operation[];
  readonly compiled: ReadonlyMap<OperationId, CompiledOperation>;
  readonly carriers: readonly Carrier[];
  readonly views: Views;
  readonly toJson: ToJson;
  readonly openPointTrace: OpenPointTrace;
}

/** Compiles the contract for a profile. */
export function compileContract(profile: Profile): CompiledContract {
  const document = loadDocument();
  const contract = contractFor(profile);
  const operations = operationsOf(contract);
  const schemas = new Schemas(contract);
  const played = new Map(operations.map((operation) => [operation.operationId, operation]));
  const stated = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
  const ordered = loadOpenPoints().find(({ id }) => id === 'judgedFirst')?.operations ?? [];
  const isKeyFirst = (id: OperationId) => profile.judgedFirst === 'key' || !ordered.includes(id);
  const compile = (operation: Operation): CompiledOperation => ({
    status: successStatus(operation, profile),
    isKeyFirst: isKeyFirst(operation.operationId),
    readQuery: createQueryReader(schemas, stated.get(operation.operationId) ?? operation, operation, profile),
    pathViolations: pathValidator(schemas, operation),
    validateBody: bodyValidator(contract, schemas, operation),
  });
  const intakeOf = (id: OperationId) =>
    readIntake(document, stated.get(id) as Operation, played.get(id) as Operation, isKeyFirst(id));
  return {
    contract,
    operations,
    compiled: new Map(operations.map((operation) => [operation.operationId, compile(operation)])),
    carriers: carriersOf(contract),
    views: createViews(profile),
    toJson: createJsonText(profile.keyOrder),
    openPointTrace: createOpenPointTrace(contract, profile, intakeOf),
  };
}

// Any text is an id, unless the profile refuses malformed ids: open point `malformedIds`.
function pathValidator(schemas: Schemas, operation: Operation): CompiledOperation['pathViolations'] {
  const validators = operation.parameters.flatMap((parameter) => {
    const schema = parameter.schema as SchemaObject;
    const isBounded = parameter.in === 'path' && schema.pattern !== undefined;
    return isBounded ? [{ name: parameter.name, validate: schemas.of(schema) }] : [];
  });
  return (parameters) =>
    validators.flatMap(({ name, validate }) =>
      validate(parameters[name]).map((violation) => ({ ...violation, location: ['path', name] })),
    );
}

// Compiled when the first body arrives: most runs never use all schemas, and none should wait for them at the start.
function bodyValidator(contract: ContractDocument, schemas: Schemas, operation: Operation): Validate | undefined {
  const schema = dereference(contract, operation.definition.requestBody)?.content['application/json']?.schema;
  if (schema === undefined || !('$ref' in schema)) return undefined;
  const pointer = String(schema.$ref);
  return (value) => schemas.at(pointer)(value);
}
