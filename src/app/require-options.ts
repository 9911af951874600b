import { isPlainObject, type Options, optionErrors } from '../../lib/options.ts';
import { StartError } from './start-error.ts';

type PropertyType = 'string' | 'null' | 'number' | 'object' | 'boolean' | 'Date' | 'function';

/** The types of library options that accept more than the command's flag does, or have no flag. */
export type MoreTypes = Readonly<Record<string, readonly PropertyType[]>>;

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
    const isRight = value === undefined || types.some((type) => hasType(value, type));
    return isRight ? [] : [`${prefix}${key} must be ${types.map((type) => typeNames[type]).join(' or ')}.`];
  });
  const errors = [...named, ...typed];
  if (errors.length > 0) throw new StartError('OPTION_INVALID', errors.join('\n'));
}

/** Throws a {@link StartError} unless the options are a plain object. */
export function requireObject(given: unknown, prefix = ''): void {
  const name = prefix === '' ? 'The options' : prefix;
  if (!isPlainObject(given)) throw new StartError('OPTION_INVALID', `${name} must be a plain object.`);
}

const typeNames: Readonly<Record<PropertyType, string>> = {
  ...{
    string: 'a string',
    null: 'null',
    number: 'a number',
    object: 'a plain object',
    boolean: 'true or false',
    Date: 'a Date',
    function: 'a function',
  },
};

function hasType(value: unknown, type: PropertyType): boolean {
  if (type === 'Date') return value instanceof Date;
  if (type === 'null') return value === null;
  if (type !== 'object') return typeof value === type;
  return isPlainObject(value);
}
