import { contractFor, successStatus } from '../../openapi/contract/contract-for.ts';
import { type ContractDocument, dereference, type SchemaObject } from '../../openapi/contract/document.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { Schemas, type Validate, type Violation } from '../../openapi/contract/schemas.ts';
import { type Carrier, carriersOf } from '../../openapi/contract/security.ts';
import { createGuesses, type Guesses } from './guesses/guesses.ts';
import { createJsonText, type ToJson } from './json-text.ts';
import { createQueryReader, type QueryResult } from './query.ts';
import { createViews, type Views } from './views.ts';

/** What is compiled for one operation. */
export interface Prepared {
  /** The code of its success under the profile. */
  status: number;
  readQuery(query: string): QueryResult;
  pathViolations(parameters: Readonly<Record<string, string>>): Violation[];
  /** Present where the operation takes a body. */
  validateBody: Validate | undefined;
}

/** All that is compiled for one profile. */
export interface Play {
  /** The contract as the profile plays it. */
  readonly contract: ContractDocument;
  readonly operations: readonly Operation[];
  readonly prepared: ReadonlyMap<OperationId, Prepared>;
  readonly carriers: readonly Carrier[];
  readonly views: Views;
  readonly toJson: ToJson;
  readonly guesses: Guesses;
}

/** Compiles what a profile needs. */
export function createPlay(profile: Profile): Play {
  const contract = contractFor(profile);
  const operations = operationsOf(contract);
  return {
    contract,
    operations,
    prepared: prepare(contract, operations, profile),
    carriers: carriersOf(contract),
    views: createViews(profile),
    toJson: createJsonText(profile.keyOrder),
    guesses: createGuesses(contract, profile),
  };
}

function prepare(
  contract: ContractDocument,
  operations: readonly Operation[],
  profile: Profile,
): ReadonlyMap<OperationId, Prepared> {
  const schemas = new Schemas(contract);
  const stated = new Map(operationsOf(loadDocument()).map((operation) => [operation.operationId, operation]));
  return new Map(
    operations.map((operation) => {
      const original = stated.get(operation.operationId) ?? operation;
      const prepared: Prepared = {
        status: successStatus(operation.operationId, profile),
        readQuery: createQueryReader(schemas, original, operation, profile),
        pathViolations: pathValidator(schemas, operation),
        validateBody: bodyValidator(contract, schemas, operation),
      };
      return [operation.operationId, prepared];
    }),
  );
}

// Any text is an id but for the profile that says otherwise: open point `malformedIds`.
function pathValidator(schemas: Schemas, operation: Operation): Prepared['pathViolations'] {
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

// Compiled when the first body comes: most runs never use all of them, and none should wait for them at the start.
function bodyValidator(contract: ContractDocument, schemas: Schemas, operation: Operation): Validate | undefined {
  const schema = dereference(contract, operation.definition.requestBody)?.content['application/json']?.schema;
  if (schema === undefined || !('$ref' in schema)) return undefined;
  const pointer = String(schema.$ref);
  return (value) => schemas.at(pointer)(value);
}
