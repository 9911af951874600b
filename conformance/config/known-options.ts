import { unknownOption } from '../../lib/options.ts';
import { joined } from '../../lib/sentence.ts';
import { SuiteError } from '../suite-error.ts';

/** Throws a {@link SuiteError} (`OPTION_INVALID`) if an option of a library function does not exist. */
export function requireKnown(given: object, options: Readonly<Record<string, true>>): void {
  const known = Object.keys(options);
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  const complaints = unknown.map((key) => unknownOption(key, known, `known options: ${known.join(', ')}`));
  throw new SuiteError('OPTION_INVALID', joined(complaints, '\n'));
}
