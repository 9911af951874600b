import { readFileSync } from 'node:fs';
import { ruleOf } from '../../lib/options.ts';
import { type DataViolation, loadDataFile } from '../../openapi/contract/data-file.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { orSuiteError } from '../read-text.ts';
import type { SuiteErrorCode } from '../suite-error.ts';

/** The value of a YAML or JSON file that fits a schema and passes `validate`. Otherwise throws a {@link SuiteError}. */
export function loadValid<T>(
  file: string,
  schema: URL,
  invalid: SuiteErrorCode,
  validate: (value: T) => DataViolation[],
): T {
  return orSuiteError(invalid, () =>
    loadDataFile<T>(file, (value) => {
      const violations = violationsOf(schema, value);
      return violations.length > 0 ? violations : validate(value as T);
    }),
  );
}

type Bounds = { type?: string; minimum?: number; maximum?: number };
const kinds: Readonly<Record<string, 'integer' | 'switch'>> = { integer: 'integer', boolean: 'switch' };

type Schema = { properties?: Record<string, Bounds> };
const compiled = new Map<string, { schema: Schema; validate: ReturnType<Schemas['at']> }>();

/** A schema, compiled once: compiling takes longer than validating. */
function schemaIn(file: URL) {
  const known = compiled.get(file.href);
  if (known !== undefined) return known;
  const schema: Schema = JSON.parse(readFileSync(file, 'utf8'));
  const made = { schema, validate: new Schemas(schema).at('#') };
  compiled.set(file.href, made);
  return made;
}

/** The errors of a value under a schema. Options have the same errors as on the command line. */
export function violationsOf(file: URL, value: unknown): DataViolation[] {
  const { schema, validate } = schemaIn(file);
  return validate(value).map(({ code: _, ...violation }) => {
    const { location, message } = violation;
    const { type = '', ...bounds } = (location.length === 1 && schema.properties?.[location[0] ?? '']) || {};
    const kind = kinds[type];
    if (kind !== undefined) return { ...violation, message: `must be ${ruleOf({ kind, ...bounds })}` };
    return { ...violation, message: message === 'must be a string' ? 'must be a string: put it in quotes' : message };
  });
}
