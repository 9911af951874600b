import { isPlainObject, type MoreTypes, type Options, optionErrors } from '../../lib/options.ts';
import { StartError } from './start-error.ts';

/** For the options that every mock has, wherever it runs. */
export const valueTypes: MoreTypes = {
  ...{ seed: ['string', 'object'], profile: ['string', 'object'], set: ['object'] },
  ...{ latency: ['number', 'object', 'string'], clock: ['string', 'Date'] },
  ...{ onExchange: ['function'], onUnexpected: ['function'] },
};

/** Throws a {@link StartError} (`OPTION_INVALID`) that lists all unknown, invalid and contradictory options. */
export function requireOptions(options: Options, given: unknown, more: MoreTypes, prefix = ''): void {
  requireObject(given, prefix);
  const errors = optionErrors(options, given as object, more, prefix).map(({ plain }) => plain);
  if (errors.length > 0) throw new StartError('OPTION_INVALID', errors.join('\n'));
}

/** Throws a {@link StartError} unless the options are a plain object. */
export function requireObject(given: unknown, prefix = ''): void {
  const name = prefix === '' ? 'The options' : prefix;
  if (!isPlainObject(given)) throw new StartError('OPTION_INVALID', `${name} must be a plain object.`);
}
