import { isPlainObject, type Options, optionErrors } from '../../lib/options.ts';
import { StartError } from './start-error.ts';

const kinds = {
  string: { words: 'a string', fits: (value: unknown) => typeof value === 'string' },
  null: { words: 'null', fits: (value: unknown) => value === null },
  number: { words: 'a number', fits: (value: unknown) => typeof value === 'number' },
  object: { words: 'a plain object', fits: isPlainObject },
  boolean: { words: 'true or false', fits: (value: unknown) => typeof value === 'boolean' },
  Date: { words: 'a Date', fits: (value: unknown) => value instanceof Date },
  function: { words: 'a function', fits: (value: unknown) => typeof value === 'function' },
};

/** The types of library options that accept more than the command's flag does, or have no flag. */
export type MoreTypes = Readonly<Record<string, readonly (keyof typeof kinds)[]>>;

/** For the options that every mock has, wherever it runs. */
export const valueTypes: MoreTypes = {
  ...{ seed: ['string', 'object'], profile: ['string', 'object'], set: ['object'] },
  ...{ latency: ['number', 'object', 'string'], clock: ['string', 'Date'] },
  ...{ onExchange: ['function'], onUnexpected: ['function'] },
};

/** Throws a {@link StartError} (`OPTION_INVALID`) that lists all unknown, invalid and contradictory options. */
export function requireOptions(options: Options, given: unknown, more: MoreTypes, prefix = ''): void {
  requireObject(given, prefix);
  const named = optionErrors(options, given as object, Object.keys(more), prefix).map(({ plain }) => plain);
  const typed = Object.entries(more).flatMap(([key, types]) => {
    const value = (given as Record<string, unknown>)[key];
    const isRight = value === undefined || types.some((type) => kinds[type].fits(value));
    return isRight ? [] : [`${prefix}${key} must be ${types.map((type) => kinds[type].words).join(' or ')}.`];
  });
  const errors = [...named, ...typed];
  if (errors.length > 0) throw new StartError('OPTION_INVALID', errors.join('\n'));
}

/** Throws a {@link StartError} unless the options are a plain object. */
export function requireObject(given: unknown, prefix = ''): void {
  const name = prefix === '' ? 'The options' : prefix;
  if (!isPlainObject(given)) throw new StartError('OPTION_INVALID', `${name} must be a plain object.`);
}
