import { SuiteError } from '../../conformance/run/suite-error.ts';

/** The `SuiteError` that something throws. */
export function suiteErrorOf(act: () => unknown): SuiteError {
  try {
    act();
  } catch (error) {
    if (error instanceof SuiteError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
