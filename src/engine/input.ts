import { didYouMean } from '../../lib/nearest.ts';
import { placeOf } from '../../lib/place.ts';
import { decodeQuery, type Pair } from '../../lib/query.ts';
import { remembering } from '../../lib/remembering.ts';
import {
  type ContractDocument,
  dereference,
  type ParameterObject,
  type SchemaObject,
} from '../../openapi/contract/document.ts';
import type { Operation } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { inputRefusalFor } from '../../openapi/contract/refusals.ts';
import { andMore, countOf, type Schemas, type Violation } from '../../openapi/contract/schemas.ts';
import { isJson, readJson } from '../../openapi/reading/messages.ts';
import { isRefusal, located, type Refusal, refuse } from '../domain/refusal.ts';
import type { Call, RequestHeaders } from './call.ts';

export interface ValidInput {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | number>>;
  body: unknown;
}

/** The input of a request, or the error response, which lists all errors in path, query and body. */
export type ReadInput = (sent: Omit<Call, 'operationId'>) => ValidInput | Refusal;

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

/** The value of a JSON body, or the error response. The media type is judged before the JSON. */
function readBody(
  body: Uint8Array | undefined,
  headers: RequestHeaders,
  profile: Profile,
): { value: unknown } | Refusal {
  if (body === undefined || body.length === 0) return { value: undefined };
  const { 'content-type': contentType, 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') return refuse('unsupportedMediaType', 'Send the body without Content-Encoding.');
  if (profile.mediaTypeRules === 'strict' && !isJson(contentType))
    return refuse('unsupportedMediaType', 'Send the body as JSON in UTF-8, with Content-Type: application/json.');
  // The value must not be changed: open points are read from it, too.
  const read = readJson(body);
  if ('value' in read) return read;
  const details = read.details === undefined ? '' : ` (${read.details})`;
  return refuse('malformedJson', `The body ${read.fault}${details}. Send one JSON object in UTF-8.`);
}

/** The value with numbers and booleans as text: open point `wrongBodyTypes: coerced`. */
function coerceScalars(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isScalar = (inner: unknown) => typeof inner === 'number' || typeof inner === 'boolean';
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isScalar(inner) ? String(inner) : inner]),
  );
}

/** One query parameter under a profile. */
interface QueryParameter {
  /** On the wire. */
  name: string;
  /** In the contract. It differs from `name` where an open point renames the parameter. */
  key: string;
  isRequired: boolean;
  isInteger: boolean;
  /** Which value counts if there are several, unless that is refused. */
  repeated: 'refused' | 'first' | 'last';
  /** The value to use if none can be read; undefined if that is refused. */
  fallback: number | undefined;
  /** The value to use: differs from the sent one if that breaks stated bounds that the profile does not enforce. */
  replace(value: number): number;
  violations(value: unknown): Violation[];
}

/** The values by their names in the contract, or the violations. */
type QueryResult = { values: Record<string, string | number> } | { violations: Violation[] };

/** Reads a query string for the operation `applied`; `stated` is the same operation in the hand-written contract. */
function createQueryReader(
  schemas: Schemas,
  stated: Operation,
  applied: Operation,
  profile: Profile,
): (query: string) => QueryResult {
  const parameters = applied.parameters.flatMap((parameter, index) => {
    if (parameter.in !== 'query') return [];
    return [toQueryParameter(schemas, stated, applied, index, profile)];
  });
  return remembering((query) => {
    const pairs = decodeQuery(query);
    const values: Record<string, string | number> = {};
    const violations = parameters.flatMap((parameter) => readParameter(parameter, pairs, values));
    if (profile['unknownInput.queryParameters'] === 'refused') violations.push(...unknownParameters(parameters, pairs));
    return violations.length === 0 ? { values } : { violations };
  });
}

function toQueryParameter(
  schemas: Schemas,
  stated: Operation,
  applied: Operation,
  index: number,
  {
    'oddPaging.outOfRange': outOfRangePaging,
    'oddPaging.malformed': malformedPaging,
    'oddPaging.repeated': repeatedPaging,
  }: Profile,
): QueryParameter {
  // No profile adds or removes a parameter.
  const parameter = applied.parameters[index] as ParameterObject;
  const original = stated.parameters[index] as ParameterObject;
  const schema = parameter.schema as SchemaObject;
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = original.schema as SchemaObject;
  const bounds = { minimum, maximum, fallback: Number(schema.default ?? maximum) };
  const isInteger = schema.type === 'integer';
  return {
    name: parameter.name,
    key: original.name,
    isRequired: parameter.required === true,
    isInteger,
    repeated: isInteger ? repeatedPaging : 'refused',
    fallback: isInteger && malformedPaging === 'ignored' ? bounds.fallback : undefined,
    replace: (value) => replacements[outOfRangePaging](value, bounds),
    violations: (value) => schemas.of(schema)(value),
  };
}

function readParameter(
  parameter: QueryParameter,
  pairs: readonly Pair[],
  values: Record<string, string | number>,
): Violation[] {
  const sent = pairs.filter((pair) => pair.name === parameter.name);
  const one = parameter.repeated === 'last' ? sent.at(-1) : sent[0];
  if (one === undefined) return parameter.isRequired ? [violation(parameter.name, 'required', 'is required')] : [];
  if (sent.length > 1 && parameter.repeated === 'refused')
    return [violation(parameter.name, 'once', 'must be sent once')];
  if (one.value === undefined) return [violation(parameter.name, 'encoding', 'is not percent-encoded UTF-8')];
  const value = parameter.isInteger ? (toInteger(one.value) ?? parameter.fallback) : one.value;
  if (value === undefined) return [violation(parameter.name, 'type', 'must be an integer')];
  const within = typeof value === 'number' ? parameter.replace(value) : value;
  values[parameter.key] = within;
  return parameter.violations(within).map(({ code, message }) => violation(parameter.name, code, message));
}

/** The stated bounds of a number, and its default; the maximum if there is no default. */
interface Bounds {
  minimum: number;
  maximum: number;
  fallback: number;
}

const replacements: Record<Profile['oddPaging.outOfRange'], (value: number, bounds: Bounds) => number> = {
  refused: (value) => value,
  clamped: clamp,
  ignored: (value, bounds) => (clamp(value, bounds) === value ? value : bounds.fallback),
};

function clamp(value: number, { minimum, maximum }: { minimum: number; maximum: number }): number {
  return Math.max(minimum, Math.min(maximum, value));
}

// Integers are written in digits. Beyond the safe range, the nearest safe integer is used, which the bounds also
// refuse.
function toInteger(text: string): number | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  return clamp(Number(text), { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
}

function unknownParameters(parameters: readonly QueryParameter[], pairs: readonly Pair[]): Violation[] {
  const known = new Set(parameters.map((parameter) => parameter.name));
  const names = new Set(pairs.map((pair) => pair.name).filter((name) => !known.has(name)));
  return [...names].map((name) =>
    violation(name, 'unknownParameter', `is not a parameter of this operation${didYouMean(name, [...known])}`),
  );
}

function violation(name: string, code: string, message: string): Violation {
  return { location: ['query', name], code, message };
}

const mostShown = 1_000;

/** Refuses input, naming each rule that it breaks. */
export function refuseInput(violations: readonly Violation[], refused = inputRefusalFor(violations)): Refusal {
  const shown = violations.slice(0, mostShown).map(({ location, code, message }) => ({ location, code, message }));
  const rest = countOf(violations) - shown.length;
  const texts = shown.map(({ location, message }) => `${placeOf(location)} ${message}`);
  const detail = [...texts, ...(rest === 0 ? [] : [andMore(rest)])].join('; ');
  return { refused, detail, violations: shown };
}
