import { didYouMean } from './nearest.ts';
import { asJson, own, type Sentence, say } from './sentence.ts';

/** One option: of a library function, of a command, or of both. */
interface OptionSpec {
  /** The flag without its dashes. Default: the key in kebab-case, after `no-` where the flag turns something off. */
  name?: string;
  short?: string;
  kind: 'text' | 'file' | 'integer' | 'number' | 'switch';
  /** What a switch sets its key to. Default true. */
  sets?: false;
  /** The keys of options that cannot be given with this one. A switch counts as given when it has its effect. */
  contradicts?: readonly string[];
  /** The keys of options that this switch overrides if only the environment sets them. As flags they contradict it. */
  overrides?: readonly string[];
  /** The keys of options that leave this one without effect, unless one of `despite` is given too. */
  idleWith?: readonly string[];
  despite?: readonly string[];
  /** What help shows in place of the value. By default it says the kind. */
  placeholder?: string;
  /** The only values, where they can be listed. */
  values?: readonly string[];
  /** Which texts it takes, in words after `must be`, where they cannot be listed. */
  form?: { words: string; isMet(text: string): boolean };
  /** Bounds of a number. The lower one is 0 by default. */
  minimum?: number;
  maximum?: number;
  isRepeatable?: true;
  /** Ends the name at the start of each value of a repeatable option. No name may be given twice. */
  nameEnd?: ':' | '=';
  /** What the flag means without a value. A value must then follow an equals sign. */
  bare?: string;
  /** A variable that many tools and hosts use for the same setting. Read if the variable of this option is not set. */
  usualVariable?: string;
  /** Separates several values in the environment. Default: a comma. */
  separator?: string;
  /** Shown in place of the value everywhere. */
  secret?: string;
  default?: string | number;
  /** Shown as the default where the value alone does not explain it. */
  defaultText?: string;
  /** The heading under which help and documents show it. */
  group?: string;
  /** Most people need it: `--help` shows it, `--help all` shows every option. */
  isCommon?: true;
  /** Its first sentence must be enough for `--help`. */
  help: string;
}

/** An option with the name of its flag. The environment variable is `AGENT_PLATFORM_<NAME>`. */
export interface Option extends OptionSpec {
  name: string;
}

/** A table of options by the key of their value in code. */
export type Options = Readonly<Record<string, Option>>;

type ValueOf<O> = O extends { isRepeatable: true }
  ? string[]
  : O extends { kind: 'switch' }
    ? boolean
    : O extends { kind: 'integer' | 'number' }
      ? number
      : O extends { values: readonly (infer Value)[] }
        ? Value
        : string;

/** The typed values of a table. What is not given is absent. */
export type Values<T> = { -readonly [Key in keyof T]?: ValueOf<T[Key]> };

type Defaults<T> = { -readonly [Key in keyof T as T[Key] extends { default: unknown } ? Key : never]: ValueOf<T[Key]> };

/** The given values, and the defaults of the table for the others. */
export function withDefaults<T extends Options, Given extends object>(options: T, given: Given): Given & Defaults<T> {
  const filled = { ...given } as Record<string, unknown>;
  for (const [key, { default: usual }] of Object.entries(options)) if (usual !== undefined) filled[key] ??= usual;
  return filled as Given & Defaults<T>;
}

const aNumber = { placeholder: '<number>' };
const usual: Partial<Record<OptionSpec['kind'], Partial<OptionSpec>>> = {
  ...{ file: { placeholder: '<file>' }, integer: aNumber, number: aNumber },
};

/** A table in which each option has its name, and most have what help shows for their value. */
export function defineOptions<const T extends Readonly<Record<string, OptionSpec>>>(
  specs: T,
): { readonly [Key in keyof T]: T[Key] & { readonly name: string } } {
  const named = Object.entries(specs).map(([key, spec]) => {
    return [key, { name: nameOf(key, spec), ...usual[spec.kind], ...spec }];
  });
  return Object.fromEntries(named);
}

/** The same options, which others leave without effect. */
export function idleWith<const T extends Readonly<Record<string, OptionSpec>>>(
  causes: readonly string[],
  specs: T,
): { readonly [Key in keyof T]: T[Key] & { readonly idleWith: readonly string[] } } {
  const idle = Object.entries(specs).map(([key, spec]) => [key, { ...spec, idleWith: causes }]);
  return Object.fromEntries(idle);
}

/** The same options under one heading of the help. */
export function inGroup<const T extends Readonly<Record<string, OptionSpec>>>(
  group: string,
  specs: T,
): { readonly [Key in keyof T]: T[Key] & { readonly group: string } } {
  const grouped = Object.entries(specs).map(([key, spec]) => [key, { ...spec, group }]);
  return Object.fromEntries(grouped);
}

function nameOf(key: string, { sets }: OptionSpec): string {
  const words = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return sets === false ? `no-${words}` : words;
}

/** The part of an option that restricts its values. */
type Rule = Omit<Option, 'name' | 'help'>;

/** Why `value` is not valid for the option; undefined if it is. `name` is what the user calls the option. */
export function wrongValue(option: Rule, name: string, value: unknown): Sentence | undefined {
  if (isValue(option, value)) return undefined;
  const literal = typeof value === 'number' ? own(String(value)) : asJson(value);
  const quoted = typeof value === 'string' ? say`"${value}"` : literal;
  const shown = option.secret === undefined ? say`; it is ${quoted}` : own('');
  const hint = typeof value === 'string' ? didYouMean(value, option.values ?? []) : '';
  return say`${own(name)} must be ${own(ruleOf(option))}${shown}${own(hint)}.`;
}

function isValue({ kind, isRepeatable, values, form, ...bounds }: Rule, value: unknown): boolean {
  if (isRepeatable) return kinds.strings.fits(value);
  if (kind === 'switch') return typeof value === 'boolean';
  if (kind === 'text' || kind === 'file')
    return typeof value === 'string' && values?.includes(value) !== false && form?.isMet(value) !== false;
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = bounds;
  if (typeof value !== 'number' || !(value >= minimum && value <= maximum)) return false;
  return kind === 'number' || Number.isSafeInteger(value);
}

/** The rule for a value, after `must be`. */
export function ruleOf({ kind, isRepeatable, values, form, minimum = 0, maximum }: Rule): string {
  if (isRepeatable) return kinds.strings.words;
  if (kind === 'switch') return 'true or false';
  if (kind === 'number') return `a number from ${minimum} to ${maximum ?? Number.MAX_SAFE_INTEGER}`;
  if (kind === 'integer') return `a whole number from ${minimum} to ${maximum ?? Number.MAX_SAFE_INTEGER}`;
  if (form !== undefined) return form.words;
  return values === undefined ? 'a string' : `one of ${values.join(', ')}`;
}

/** An option that does not exist, with the most similar one that does. */
export function unknownOption(name: string, known: readonly string[], otherwise: string): Sentence {
  const opposite = name.startsWith('--no-') ? `--${name.slice(5)}` : name.replace(/^--/, '--no-');
  if (known.includes(opposite))
    return say`There is no option ${name}: that is the default. ${own(opposite)} does the opposite.`;
  return say`There is no option ${name}${own(didYouMean(name, known, otherwise))}.`;
}

/** Whether an option is given. A switch is when it has its effect. */
function isGivenIn(options: Options, given: object): (key: string) => boolean {
  const values = new Map<string, unknown>(Object.entries(given));
  return (key) => {
    const { kind, sets = true } = options[key] ?? {};
    return kind === 'switch' ? values.get(key) === sets : values.get(key) !== undefined;
  };
}

/** The options that contradict each other. `nameOf` returns what the user calls the option with a key. */
export function contradictions(options: Options, given: object, nameOf: (key: string) => string): Sentence[] {
  const pairs = Object.entries(options).flatMap(([key, { contradicts = [], overrides = [] }]) =>
    [...contradicts, ...overrides].map((other) => [key, other] as const),
  );
  const isGiven = isGivenIn(options, given);
  return pairs
    .filter((pair) => pair.every(isGiven))
    .map((pair) => own(`${pair.map(nameOf).join(' and ')} contradict each other. Leave one of them out.`));
}

/** The given options that others leave without effect. `nameOf` returns what the user calls the option with a key. */
export function idleOptions(options: Options, given: object, nameOf: (key: string) => string): string[] {
  const isGiven = isGivenIn(options, given);
  return Object.entries(options).flatMap(([key, { idleWith = [], despite = [] }]) => {
    const cause = isGiven(key) && !despite.some(isGiven) ? idleWith.find(isGiven) : undefined;
    return cause === undefined ? [] : [`${nameOf(key)} has no effect with ${nameOf(cause)}.`];
  });
}

const kinds = {
  string: { words: 'a string', fits: (value: unknown) => typeof value === 'string' },
  null: { words: 'null', fits: (value: unknown) => value === null },
  number: { words: 'a number', fits: (value: unknown) => typeof value === 'number' },
  object: { words: 'a plain object', fits: (value: unknown) => isPlainObject(value) },
  boolean: { words: 'true or false', fits: (value: unknown) => typeof value === 'boolean' },
  Date: { words: 'a Date', fits: (value: unknown) => value instanceof Date },
  function: { words: 'a function', fits: (value: unknown) => typeof value === 'function' },
  list: { words: 'a list', fits: (value: unknown) => Array.isArray(value) },
  strings: {
    words: 'a list of strings',
    fits: (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  },
  AbortSignal: { words: 'an AbortSignal', fits: (value: unknown) => value instanceof AbortSignal },
};

/** The types of library options that accept more than the command's flag does, or have no flag. */
export type MoreTypes = Readonly<Record<string, readonly (keyof typeof kinds)[]>>;

/**
 * The errors in the options of a library function: unknown keys, wrong values, wrong types and contradictions. Messages
 * begin with `prefix`, such as `liveMcp.`.
 */
export function optionErrors(options: Options, given: object, more: MoreTypes = {}, prefix = ''): Sentence[] {
  const others = Object.keys(more);
  const known = [...new Set([...Object.keys(options), ...others])];
  const inCode = (key: string) => prefix + key + (options[key]?.sets === false ? ': false' : '');
  const wrong = Object.entries(given).flatMap(([key, value]) => {
    if (!known.includes(key)) return unknownOption(key, known, `known options: ${known.join(', ')}`);
    const option = options[key];
    if (value === undefined || option === undefined || others.includes(key)) return [];
    // An empty address, file name or token would mean none, or any.
    if (value === '' && (option.kind === 'text' || option.kind === 'file'))
      return say`${own(prefix + key)} must not be empty.`;
    return wrongValue(option, prefix + key, value) ?? [];
  });
  const mistyped = Object.entries(more).flatMap(([key, types]) => {
    const value = (given as Record<string, unknown>)[key];
    const isRight = value === undefined || types.some((type) => kinds[type].fits(value));
    return isRight ? [] : own(`${prefix}${key} must be ${types.map((type) => kinds[type].words).join(' or ')}.`);
  });
  return [...wrong, ...mistyped, ...contradictions(options, given, inCode)];
}

/** Whether a value is an object of any realm, and not of a class, such as a Map: what it holds would be ignored. */
export function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
