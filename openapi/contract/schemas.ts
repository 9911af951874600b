import { type Check, createCompiler, type SchemaError } from './compiler.ts';
import { resolvePointer, unescapeToken } from './document.ts';
import { didYouMean } from './nearest.ts';

/** One way in which a value breaks a schema. */
export interface Violation {
  /** The steps from the root of the value, for instance `['tools', '0', 'name']`. */
  location: string[];
  /** The JSON Schema keyword that was broken. */
  code: string;
  /** The rule, as text that follows the location. */
  message: string;
}

/** The violations of one schema by a value; none when it is valid. */
export type Validate = (value: unknown) => Violation[];

/** The schemas of a contract, each compiled on first use. Full JSON Schema 2020-12; formats are validated. */
export class Schemas {
  readonly #document: object;
  readonly #known = new WeakMap<object, Validate>();
  /** Finds all violations, or stops at the first; made when the first value comes, or the first large one. */
  readonly #compilers: { all?: (schema: object) => Check; first?: (schema: object) => Check } = {};

  /** `document` is a contract, or any JSON Schema; `at('#')` is then the whole of it. */
  constructor(document: object) {
    this.#document = document;
  }

  /** The validator of the schema at a JSON pointer into the contract (`#/components/schemas/Drive`). */
  at(pointer: string): Validate {
    return this.of(resolvePointer(this.#document, pointer) as object);
  }

  /** The validator of a schema of the contract. */
  of(schema: object): Validate {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const checks: { all?: Check; first?: Check } = {};
    const validate: Validate = (value) => {
      // Finding all violations takes time that grows with the square of their number.
      const extent = isLarge(value) ? 'first' : 'all';
      checks[extent] ??= this.#compile(schema, extent);
      return toViolations(checks[extent](value));
    };
    this.#known.set(schema, validate);
    return validate;
  }

  #compile(schema: object, extent: 'all' | 'first'): Check {
    this.#compilers[extent] ??= createCompiler(this.#document, extent === 'all');
    return this.#compilers[extent](schema);
  }
}

/** A value with more parts than this is judged up to the first violation. */
const manyParts = 10_000;

function isLarge(value: unknown): boolean {
  const rest = [value];
  let count = 0;
  for (let part = rest.pop(); count < manyParts && (part !== undefined || rest.length > 0); part = rest.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    const inner = Object.values(part);
    count += inner.length;
    if (count < manyParts) rest.push(...inner);
  }
  return count >= manyParts;
}

function toViolations(errors: readonly SchemaError[]): Violation[] {
  const seen = new Set<string>();
  // A branch that was not met adds nothing to the violations in it. Nor does the null that a value might be instead.
  const own = errors.filter(({ keyword }) => keyword !== 'if').filter((error) => !isAboutNull(error, errors));
  return own.map(toViolation).filter((violation) => {
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

/** Whether an error is that of a schema or null: `anyOf: [<schema>, { type: 'null' }]`. */
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
  const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
  return `is not a known field${didYouMean(error.params.additionalProperty, known, `known: ${known.join(', ')}`)}`;
}

function messageOf(error: SchemaError): string {
  const parent = error.parentSchema as { 'x-violation'?: string } | undefined;
  if (parent?.['x-violation'] !== undefined && error.keyword !== 'type') return parent['x-violation'];
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  if (error.keyword === 'type') return `must be ${[error.params.type].flat().join(' or ')}`;
  return wordings[error.keyword]?.(error.schema) ?? error.message ?? error.keyword;
}

const atLeast = (noun: string) => (limit: unknown) => `must have at least ${counted(limit, noun)}`;
const atMost = (noun: string) => (limit: unknown) => `must have at most ${counted(limit, noun)}`;

/** What a rule asks for, by keyword, where the words of the validator are no plain ones. */
const wordings: Readonly<Record<string, (rule: unknown) => string>> = {
  minLength: atLeast('character'),
  maxLength: atMost('character'),
  minItems: atLeast('item'),
  maxItems: atMost('item'),
  minProperties: atLeast('field'),
  maxProperties: atMost('field'),
  uniqueItems: () => 'must not have the same item twice',
  const: (value) => `must be ${JSON.stringify(value)}`,
};

function counted(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}
