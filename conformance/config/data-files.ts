import { readFileSync } from 'node:fs';
import { DataFileError, type DataViolation, loadDataFile } from '../../openapi/contract/data-file.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { SuiteError, type SuiteErrorCode } from '../suite-error.ts';

/** The value of a YAML or JSON file that keeps a schema and what `validate` asks for beside it; else a {@link SuiteError}. */
export function loadValid<T>(
  file: string,
  schema: URL,
  invalid: SuiteErrorCode,
  validate: (value: T) => DataViolation[],
): T {
  try {
    return loadDataFile<T>(file, (value) => {
      const violations = violationsOf(schema, value);
      return violations.length > 0 ? violations : validate(value as T);
    });
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw new SuiteError(error.code === 'FILE_INVALID' ? invalid : error.code, error.message);
  }
}

function violationsOf(schema: URL, value: unknown): DataViolation[] {
  const validate = new Schemas(JSON.parse(readFileSync(schema, 'utf8'))).at('#');
  return validate(value).map(({ location, code, message }) => ({
    location,
    message: code === 'type' && message === 'must be string' ? 'must be a string: put it in quotes' : message,
  }));
}
