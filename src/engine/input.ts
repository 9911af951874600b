import { type ContractDocument, dereference, type SchemaObject } from '../../openapi/contract/document.ts';
import type { Operation } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import type { Schemas, Violation } from '../../openapi/contract/schemas.ts';
import { isRefusal, located, type Refusal } from '../domain/refusal.ts';
import { coerceScalars, readBody } from './body.ts';
import type { Call } from './call.ts';
import { refuseInput } from './problem.ts';
import { createQueryReader } from './query.ts';

/** The valid input of one request. */
interface ValidInput {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | number>>;
  body: unknown;
}

/** The input of a request, or the error response, which lists all errors in path, query and body. */
export type ReadInput = (sent: Omit<Call, 'operationId'>) => ValidInput | Refusal;

/** One operation, compiled. */
export interface CompiledOperation {
  /** As the contract states it. */
  stated: Operation;
  /** Under the profile. */
  applied: Operation;
  /** Its success code under the profile. */
  status: number;
  /** What is wrong with the form of the ids in the path. */
  idViolations: IdValidator;
  readInput: ReadInput;
}

/** Reads the input of one operation of `document`; `stated` is the same operation in the hand-written contract. */
export function createInputReader(
  document: ContractDocument,
  schemas: Schemas,
  stated: Operation,
  applied: Operation,
  profile: Profile,
): ReadInput {
  const readQuery = createQueryReader(schemas, stated, applied, profile);
  const idViolations = createIdValidator(schemas, applied);
  const bodyViolations = bodyValidator(document, schemas, applied);
  return ({ pathParameters: path, query, headers, body }) => {
    const sent = applied.takesBody ? readBody(body, headers, profile) : { value: undefined };
    if (isRefusal(sent)) return sent;
    const value = profile.wrongBodyTypes === 'coerced' ? coerceScalars(sent.value) : sent.value;
    const read = readQuery(query);
    const violations = [
      ...idViolations(path),
      ...('violations' in read ? read.violations : []),
      ...bodyViolations(value),
    ];
    if (violations.length > 0 || 'violations' in read) return refuseInput(violations);
    return { path, query: read.values, body: value ?? {} };
  };
}

type IdValidator = (values: Readonly<Record<string, string>>) => Violation[];

/** Any text is an id, unless the profile refuses malformed ids: open point `malformedIds`. */
export function createIdValidator(schemas: Schemas, { parameters }: Operation): IdValidator {
  const bounded = parameters.flatMap(({ in: place, name, schema }) =>
    place === 'path' && (schema as SchemaObject).pattern !== undefined
      ? [{ name, validate: schemas.of(schema as SchemaObject) }]
      : [],
  );
  if (bounded.length === 0) return () => [];
  return (values) => bounded.flatMap(({ name, validate }) => located(['path', name], validate(values[name])));
}

// Compiled when the first body arrives: most runs never use all schemas, and none should wait for them at the start.
function bodyValidator(
  document: ContractDocument,
  schemas: Schemas,
  { definition }: Operation,
): (value: unknown) => Violation[] {
  const body = dereference(document, definition.requestBody);
  const schema = body?.content['application/json']?.schema;
  if (schema === undefined) return () => [];
  return (value) => {
    if (value === undefined && body?.required) {
      return [{ location: ['body'], code: 'required', message: 'is required' }];
    }
    return located(['body'], schemas.of(schema)(value === undefined ? {} : value));
  };
}
