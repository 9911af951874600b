import { fullFormats } from 'ajv-formats/dist/formats.js';
import { ErrorBounds, fewErrors, findTwins } from '../../../lib/error-bounds.ts';
import type { SchemaError } from '../../../lib/schema-error.ts';
import type { Check } from '../../../openapi/contract/compiler.ts';
import { resolvePointer } from '../../../openapi/contract/document.ts';

/**
 * The twin of `openapi/contract/compiler.ts` for pages whose policy forbids generated code. It interprets the schemas
 * at each check. Validators cannot be compiled ahead of time: profiles choose numbers, such as the maximum path length,
 * so there are endlessly many schemas. It finds what Ajv finds, in the same order; `test/contract/browser-compiler.test.ts`
 * compares the two, and requires that every keyword in every schema is known here.
 */
export function createCompiler(document: object, mostErrors: number): (schema: object) => Check {
  const bounds = new ErrorBounds(mostErrors);
  return (schema) => (value) => {
    const errors: SchemaError[] = [];
    bounds.reset();
    check({ document, isComplete: true, errors, bounds }, schema as Schema, value, '');
    return errors;
  };
}

type Schema = Readonly<Record<string, unknown>>;

interface Walk {
  document: object;
  /** Whether to continue after the first error. */
  isComplete: boolean;
  errors: SchemaError[];
  bounds: ErrorBounds;
}

/** One keyword of one schema, and the part of the value to which it applies. */
interface Place<Value = unknown> {
  walk: Walk;
  keyword: string;
  /** The value of the keyword. */
  rule: unknown;
  schema: Schema;
  value: Value;
  path: string;
}

/** Whether the value obeys the rule; otherwise reports an error. */
type Keyword<Value> = (place: Place<Value>) => boolean;

type Fields = Record<string, unknown>;

/** The keywords for one type of value, in the order in which they are checked. */
interface Group {
  type?: string;
  keywords: Record<string, Keyword<never>>;
}

function fail({ walk, keyword, rule, schema, path }: Place<unknown>, message: string, params: Fields = {}): false {
  walk.errors.push({ keyword, instancePath: path, params, message, schema: rule, parentSchema: schema });
  return false;
}

function check(walk: Walk, schema: Schema | boolean, value: unknown, path: string): boolean {
  if (schema === true) return true;
  if (schema === false) {
    const place = { walk, keyword: 'false schema', rule: false, schema: {}, value, path };
    return fail(place, 'boolean schema is false');
  }
  return checkGroups(walk, schema, value, path);
}

function checkGroups(walk: Walk, schema: Schema, value: unknown, path: string): boolean {
  const types = [schema.type ?? []].flat() as string[];
  const group = types.length === 1 ? groups.find(({ type }) => type === types[0]) : undefined;
  const isJudgedInGroup = group !== undefined && keywordsOf(group, schema).length > 0;
  const hasType = types.length === 0 || types.some((type) => isOf(type, value));
  const refuseType = () =>
    fail({ walk, keyword: 'type', rule: schema.type, schema, value, path }, `must be ${types.join(',')}`, {
      type: schema.type,
    });
  let isValid = hasType || isJudgedInGroup || refuseType();
  for (const each of groups) {
    if (!isValid && !walk.isComplete) return false;
    if (each.type === undefined || isOf(each.type, value)) {
      isValid = checkKeywords(each, { walk, schema, value, path }) && isValid;
    } else if (each === group && isJudgedInGroup) isValid = refuseType();
  }
  return isValid;
}

function keywordsOf({ keywords }: Group, schema: Schema): string[] {
  return Object.keys(keywords).filter((keyword) => schema[keyword] !== undefined);
}

function checkKeywords(group: Group, place: Omit<Place, 'keyword' | 'rule'>): boolean {
  return all(place.walk, keywordsOf(group, place.schema), (keyword) => {
    const judge = group.keywords[keyword] as Keyword<unknown>;
    return judge({ ...place, keyword, rule: place.schema[keyword] });
  });
}

/** Whether each part is valid. Stops at the first that is not, unless all errors are wanted. */
function all<Part>(walk: Walk, parts: Iterable<Part>, isValid: (part: Part) => boolean): boolean {
  let areValid = true;
  for (const part of parts) {
    if (isValid(part)) continue;
    areValid = false;
    if (!walk.isComplete) return false;
  }
  return areValid;
}

/** The same for the parts of a list or map, however many there are: stops after enough errors. */
function allInBounds<Part>(walk: Walk, parts: Iterable<Part>, isValid: (part: Part) => boolean): boolean {
  const { errors, bounds, isComplete } = walk;
  const start = errors.length;
  let areValid = true;
  for (const part of parts) {
    areValid = isValid(part) && areValid;
    if (!areValid && !isComplete) return false;
    if (errors.length > start + fewErrors) bounds.fold(errors, start);
    if (errors.length > start && bounds.isFull) return false;
  }
  return areValid;
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'number') return Number.isFinite(value);
  return type === 'integer' ? Number.isFinite(value) && Number(value) % 1 === 0 : typeof value === type;
}

/** A keyword that compares a measure of the value with a limit. */
function bound<Value>(measure: (value: Value) => number, isWithin: Compare, words: (limit: unknown) => string) {
  return (place: Place<Value>) =>
    isWithin(measure(place.value), Number(place.rule)) || fail(place, words(place.rule), { limit: place.rule });
}

type Compare = (value: number, limit: number) => boolean;
const atMost: Compare = (value, limit) => value <= limit;
const atLeast: Compare = (value, limit) => value >= limit;
const itself = (value: number) => value;
const characters = (value: string) => [...value].length;
const fields = (value: Fields) => Object.keys(value).length;
const items = (value: readonly unknown[]) => value.length;
const tooMany = (what: string) => (limit: unknown) => `must NOT have more than ${limit} ${what}`;
const tooFew = (what: string) => (limit: unknown) => `must NOT have fewer than ${limit} ${what}`;

/** Whether a schema matches, without reporting errors. */
function isValidUnder({ walk, value, path }: Place, schema: unknown): boolean {
  return check({ ...walk, isComplete: false, errors: [] }, schema as Schema, value, path);
}

function checkHere({ walk, value, path }: Place<unknown>, schema: unknown): boolean {
  return check(walk, schema as Schema, value, path);
}

function checkBelow({ walk, path }: Place<unknown>, schema: unknown, value: unknown, step: string | number): boolean {
  const token = String(step).replaceAll('~', '~0').replaceAll('/', '~1');
  return check(walk, schema as Schema, value, `${path}/${token}`);
}

const anyOf: Keyword<unknown> = (place) => {
  const { walk } = place;
  const count = walk.errors.length;
  if (!(place.rule as unknown[]).some((branch) => checkHere(place, branch))) {
    return fail(place, 'must match a schema in anyOf');
  }
  walk.errors.length = count;
  return true;
};

const conditional: Keyword<unknown> = (place) => {
  const clause = isValidUnder(place, place.rule) ? 'then' : 'else';
  const schema = place.schema[clause];
  if (schema === undefined || checkHere(place, schema)) return true;
  return fail(place, `must match "${clause}" schema`, { failingKeyword: clause });
};

const additionalProperties: Keyword<Fields> = (place) => {
  const known = (place.schema.properties ?? {}) as Fields;
  const others = Object.keys(place.value).filter((key) => !Object.hasOwn(known, key));
  return allInBounds(place.walk, others, (key) =>
    place.rule === false
      ? fail(place, 'must NOT have additional properties', { additionalProperty: key })
      : checkBelow(place, place.rule, place.value[key], key),
  );
};

const requireOf = (place: Place<Fields>, names: readonly string[], words: (missingProperty: string) => string) =>
  all(
    place.walk,
    names.filter((name) => place.value[name] === undefined),
    (missingProperty) => fail(place, words(missingProperty), { missingProperty }),
  );

const dependentRequired: Keyword<Fields> = (place) => {
  const present = Object.entries(place.rule as Record<string, string[]>).filter(
    ([name]) => place.value[name] !== undefined,
  );
  const words = (missing: string, name: string) => `must have property ${missing} when property ${name} is present`;
  return all(place.walk, present, ([name, needed]) => requireOf(place, needed, (missing) => words(missing, name)));
};

const dependentSchemas: Keyword<Fields> = (place) => {
  const present = Object.entries(place.rule as Fields).filter(([name]) => place.value[name] !== undefined);
  return all(place.walk, present, ([, schema]) => checkHere(place, schema));
};

const properties: Keyword<Fields> = (place) => {
  const present = Object.entries(place.rule as Fields).filter(([name]) => place.value[name] !== undefined);
  return all(place.walk, present, ([name, schema]) => checkBelow(place, schema, place.value[name], name));
};

const uniqueItems: Keyword<readonly unknown[]> = (place) => {
  const twins = place.rule === true ? findTwins(place.value) : undefined;
  if (twins === undefined) return true;
  const { i, j } = twins;
  return fail(place, `must NOT have duplicate items (items ## ${j} and ${i} are identical)`, { i, j });
};

const format: Keyword<string> = (place) => {
  type Test = (text: string) => boolean;
  const known = fullFormats[place.rule as keyof typeof fullFormats] as RegExp | Test | { validate: Test };
  const test =
    known instanceof RegExp ? (text: string) => known.test(text) : 'validate' in known ? known.validate : known;
  return test(place.value) || fail(place, `must match format "${place.rule}"`, { format: place.rule });
};

const groups: readonly Group[] = [
  {
    keywords: {
      $ref: (place: Place) => checkHere(place, resolvePointer(place.walk.document, String(place.rule))),
      const: (place: Place) => place.value === place.rule || fail(place, 'must be equal to constant'),
      enum: (place: Place) =>
        (place.rule as unknown[]).includes(place.value) ||
        fail(place, 'must be equal to one of the allowed values', { allowedValues: place.rule }),
      not: (place: Place) => !isValidUnder(place, place.rule) || fail(place, 'must NOT be valid'),
      anyOf,
      allOf: (place: Place) => all(place.walk, place.rule as unknown[], (schema) => checkHere(place, schema)),
      if: conditional,
    },
  },
  {
    type: 'number',
    keywords: {
      maximum: bound(itself, atMost, (limit) => `must be <= ${limit}`),
      minimum: bound(itself, atLeast, (limit) => `must be >= ${limit}`),
    },
  },
  {
    type: 'string',
    keywords: {
      maxLength: bound(characters, atMost, tooMany('characters')),
      minLength: bound(characters, atLeast, tooFew('characters')),
      pattern: (place: Place<string>) =>
        new RegExp(String(place.rule), 'u').test(place.value) ||
        fail(place, `must match pattern "${place.rule}"`, { pattern: place.rule }),
      format,
    },
  },
  {
    type: 'array',
    keywords: {
      maxItems: bound(items, atMost, tooMany('items')),
      minItems: bound(items, atLeast, tooFew('items')),
      items: (place: Place<unknown[]>) =>
        allInBounds(place.walk, place.value.entries(), ([index, item]) => checkBelow(place, place.rule, item, index)),
      uniqueItems,
    },
  },
  {
    type: 'object',
    keywords: {
      maxProperties: bound(fields, atMost, tooMany('properties')),
      minProperties: bound(fields, atLeast, tooFew('properties')),
      required: (place: Place<Fields>) =>
        requireOf(place, place.rule as string[], (name) => `must have required property '${name}'`),
      additionalProperties,
      properties,
      dependentRequired,
      dependentSchemas,
    },
  },
];

/** All supported keywords. */
export const knownKeywords: readonly string[] = [
  'type',
  'then',
  'else',
  ...groups.flatMap(({ keywords }) => Object.keys(keywords)),
];
