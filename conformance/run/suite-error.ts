// Errors that are not the target's: a wrong option, or a file that cannot be read.
import { readFileSync } from 'node:fs';
import { DataFileError, readFileText } from '../../lib/file-text.ts';
import { isPlainObject, type MoreTypes, type Options, optionErrors, ruleOf } from '../../lib/options.ts';
import { CodedError, joined } from '../../lib/sentence.ts';
import { type DataViolation, loadDataFile } from '../../openapi/contract/data-file.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';

/** Why a run could not start, or not be completed. It says nothing about the target's conformance. */
export type SuiteErrorCode =
  | 'CONFIG_INVALID'
  | 'OPTION_INVALID'
  | 'FILE_UNREADABLE'
  | 'FILE_MALFORMED'
  | 'FILE_UNWRITABLE'
  | 'REPORT_INVALID'
  | 'EXPECTED_FAILURES_INVALID'
  | 'TARGET_UNREACHABLE'
  | 'UNKNOWN_CHECK'
  | 'NOTHING_SELECTED'
  | 'PACKAGE_MISSING'
  | 'STOPPED'
  | 'INTERNAL';

/** A run that could not start, or not be completed. The message shows the problem, its place and the fix. */
export class SuiteError extends CodedError<SuiteErrorCode> {}

/** The text of a file from an earlier run. Throws a {@link SuiteError}. */
export function readText(file: string): string {
  return orSuiteError('FILE_MALFORMED', () => readFileText(file));
}

/** Calls `read`. A {@link DataFileError} becomes a {@link SuiteError}, with the code `invalid` for a wrong value. */
function orSuiteError<T>(invalid: SuiteErrorCode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw new SuiteError(error.code === 'FILE_INVALID' ? invalid : error.code, error.sentence);
  }
}

/** Throws a {@link SuiteError} (`OPTION_INVALID`) if an argument is not a plain object. `name` is its name in words. */
export function requireObject(given: unknown, name: string): void {
  if (!isPlainObject(given)) throw new SuiteError('OPTION_INVALID', `${name} must be a plain object.`);
}

/** Throws a {@link SuiteError} (`OPTION_INVALID`) that lists the unknown and invalid options of a library function. */
export function requireOptions(options: Options, given: object, types: MoreTypes): void {
  requireObject(given, 'The options');
  const errors = optionErrors(options, given, types);
  if (errors.length > 0) throw new SuiteError('OPTION_INVALID', joined(errors, '\n'));
}

/** The value of a YAML or JSON file that fits a schema and passes `validate`. Otherwise throws a {@link SuiteError}. */
export function loadValid<T>(
  file: string,
  schema: URL,
  invalid: SuiteErrorCode,
  validate: (value: T) => DataViolation[],
): T {
  return loadChecked(file, invalid, (value) => {
    const violations = violationsOf(schema, value);
    return violations.length > 0 ? violations : validate(value as T);
  });
}

/** The value of a YAML or JSON file that passes `validate`. Otherwise throws a {@link SuiteError}. */
export function loadChecked<T>(
  file: string,
  invalid: SuiteErrorCode,
  validate: (value: unknown) => DataViolation[],
): T {
  return orSuiteError(invalid, () => loadDataFile<T>(file, validate));
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
    const { location } = violation;
    const { type = '', ...bounds } = (location.length === 1 && schema.properties?.[location[0] ?? '']) || {};
    const kind = kinds[type];
    return kind === undefined ? violation : { ...violation, message: `must be ${ruleOf({ kind, ...bounds })}` };
  });
}
