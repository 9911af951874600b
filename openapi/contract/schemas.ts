import { didYouMean } from '../../lib/nearest.ts';
import type { SchemaError } from '../../lib/schema-error.ts';
import { type Check, createCompiler } from './compiler.ts';
import { resolvePointer, unescapeToken } from './document.ts';

/** One way in which a value breaks a schema. */
export interface Violation {
  /** The steps from the root of the value, for instance `['tools', '0', 'name']`. */
  location: string[];
  /** The JSON Schema keyword that was broken. */
  code: string;
  /** The rule, as text that follows the location. */
  message: string;
  /** How many more places like this break the rule without being listed, for example elements of the same list. */
  more?: number;
}

/** The number of violations, including those that are only counted. */
export function countOf(violations: readonly Pick<Violation, 'more'>[]): number {
  return violations.reduce((sum, { more = 0 }) => sum + 1 + more, 0);
}

/** The text for the violations that are not listed. If there are very many, not all are counted. */
export function andMore(count: number): string {
  return `and ${count < usualMostErrors ? '' : 'at least '}${count} more`;
}

/** The violations of one schema by a value; none if it is valid. Their number is bounded. */
export type Validate = (value: unknown) => Violation[];

/** If a value is wrong in more places than this, its lists are not searched any further. */
const usualMostErrors = 1_000;

/** The schemas of a contract, each compiled on first use. Full JSON Schema 2020-12; formats are validated. */
export class Schemas {
  readonly #document: object;
  readonly #mostErrors: number;
  readonly #known = new WeakMap<object, Validate>();
  /** Created for the first value. */
  #compile: ((schema: object) => Check) | undefined;

  /** `document` is a contract, or any JSON Schema; `at('#')` is then the whole of it. */
  constructor(document: object, mostErrors: number = usualMostErrors) {
    this.#document = document;
    this.#mostErrors = mostErrors;
  }

  /** The validator of the schema at a JSON pointer into the contract (`#/components/schemas/Drive`). */
  at(pointer: string): Validate {
    return this.of(resolvePointer(this.#document, pointer) as object);
  }

  of(schema: object): Validate {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const check = this.checkOf(schema);
    const validate: Validate = (value) => toViolations(check(value));
    this.#known.set(schema, validate);
    return validate;
  }

  /** The same in Ajv's terms. */
  checkOf(schema: object): Check {
    let check: Check | undefined;
    return (value) => {
      this.#compile ??= createCompiler(this.#document, this.#mostErrors);
      check ??= this.#compile(schema);
      return check(value);
    };
  }
}

function toViolations(errors: readonly SchemaError[]): Violation[] {
  const seen = new Set<string>();
  // A branch that did not match adds nothing to the violations in it. Neither does the null that a value may be
  // instead.
  const own = errors
    .filter(({ keyword }) => keyword !== 'if')
    .filter((error) => !isAboutNull(error, errors) && !isOfWrongType(error, errors));
  const found = own.map((error) => ({ ...toViolation(error), ...(error.more !== undefined && { more: error.more }) }));
  return found.filter((violation) => {
    const key = JSON.stringify([violation.location, violation.message]);
    return seen.has(key) ? false : seen.add(key);
  });
}

function isAboutNull(error: SchemaError, errors: readonly SchemaError[]): boolean {
  const { keyword, params, instancePath } = error;
  if (keyword === 'anyOf') return isOrNull(error);
  if (keyword !== 'type' || params.type !== 'null') return false;
  return errors.some((other) => other.instancePath === instancePath && isOrNull(other));
}

/** Whether it only repeats the error about the type: a value of the wrong type also breaks the keywords that take any. */
function isOfWrongType({ keyword, instancePath }: SchemaError, errors: readonly SchemaError[]): boolean {
  if (keyword !== 'not' && keyword !== 'enum' && keyword !== 'const') return false;
  return errors.some((other) => other.keyword === 'type' && other.instancePath === instancePath);
}

/** Whether the error is from a nullable schema: `anyOf: [<schema>, { type: 'null' }]`. */
function isOrNull({ keyword, schema }: SchemaError): boolean {
  return keyword === 'anyOf' && Array.isArray(schema) && schema.length === 2 && schema[1]?.type === 'null';
}

function toViolation(error: SchemaError): Violation {
  const location = error.instancePath.split('/').slice(1).map(unescapeToken);
  const { missingProperty, additionalProperty } = error.params;
  if (missingProperty !== undefined)
    return { location: [...location, missingProperty], code: 'required', message: 'is required' };
  if (additionalProperty !== undefined) {
    return { location: [...location, additionalProperty], code: 'unknownField', message: unknownField(error) };
  }
  return { location, code: error.keyword, message: messageOf(error) };
}

function unknownField(error: SchemaError): string {
  if (/^(\/\/|\/\*)/.test(error.params.additionalProperty ?? '')) return 'is read as a field: JSON has no comments';
  const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
  return `is not a known field${didYouMean(error.params.additionalProperty, known, `known: ${known.join(', ')}`)}`;
}

function messageOf(error: SchemaError): string {
  const parent = error.parentSchema as { 'x-violation'?: string } | undefined;
  if (parent?.['x-violation'] !== undefined && error.keyword !== 'type') return parent['x-violation'];
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  if (error.keyword === 'type') return `must be ${inWords([error.params.type].flat())}`;
  return wordings[error.keyword]?.(error.schema) ?? error.message ?? error.keyword;
}

/** `a string, an integer or null` */
function inWords(types: readonly string[]): string {
  const named = types.map((type) => (type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`));
  return [named.slice(0, -1).join(', '), named.at(-1)].filter((words) => words !== '').join(' or ');
}

const atLeast = (noun: string) => (limit: unknown) => `must have at least ${counted(limit, noun)}`;
const atMost = (noun: string) => (limit: unknown) => `must have at most ${counted(limit, noun)}`;

/** What a rule requires, by keyword, where the validator's own message is hard to read. */
const wordings: Readonly<Record<string, (rule: unknown) => string>> = {
  minLength: atLeast('character'),
  maxLength: atMost('character'),
  minItems: atLeast('item'),
  maxItems: atMost('item'),
  minProperties: atLeast('field'),
  maxProperties: atMost('field'),
  uniqueItems: () => 'must not contain duplicate items',
  const: (value) => `must be ${JSON.stringify(value)}`,
};

function counted(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}
