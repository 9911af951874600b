import { didYouMean } from '../../lib/nearest.ts';
import { decodeQuery, type Pair } from '../../lib/query.ts';
import { remembering } from '../../lib/remembering.ts';
import type { ParameterObject, SchemaObject } from '../../openapi/contract/document.ts';
import type { Operation } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import type { Schemas, Violation } from '../../openapi/contract/schemas.ts';

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
export function createQueryReader(
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
