import { parseArgs } from 'node:util';
import { nearest } from '../../openapi/contract/nearest.ts';
import { UsageError } from './usage-error.ts';

/** One option of a command: its flag, its twin in the environment, and what help says of it. */
export interface Option {
  /** Without the dashes. */
  name: string;
  short?: string;
  kind: 'text' | 'integer' | 'switch';
  /** What stands for the value in help. */
  placeholder?: string;
  /** The only values there are, where they can be listed. */
  values?: readonly string[];
  /** Bounds of an integer. */
  minimum?: number;
  maximum?: number;
  isRepeatable?: boolean;
  /** What the flag means without a value, where it may stand so. A value then follows an equals sign. */
  bare?: string;
  /** What separates several values in the environment; a comma unless said otherwise. */
  separator?: string;
  /** What stands in place of the value wherever it would be shown. */
  secret?: string;
  /** In words. */
  default?: string;
  help: string;
}

/** What was chosen, by option name: the flags, else the environment. Repeatable options are lists. */
export type Chosen = ReadonlyMap<string, string | number | boolean | string[]>;

/** The environment twin of an option: `AGENT_PLATFORM_PORT` for `port`. */
export function environmentName(option: Option): string {
  return `AGENT_PLATFORM_${option.name.toUpperCase().replaceAll('-', '_')}`;
}

/** The environment as a command sees it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a command line and the environment; the flag wins. Throws a {@link UsageError}. */
export function readOptions(options: readonly Option[], args: readonly string[], environment: Environment): Chosen {
  const { found: flags, words } = readFlags(options, args);
  const [word] = words;
  if (word !== undefined) throw new UsageError(strayWord(options, word));
  return toChosen(options, flags, environment);
}

// What was typed in the wrong place may be a key.
function strayWord(options: readonly Option[], word: string): string {
  const isSecretive = options.some(({ secret }) => secret !== undefined);
  const meant = options.find(({ bare, values }) => bare !== undefined && values?.includes(word));
  const hint = meant === undefined ? '' : ` Write --${meant.name}=${word}.`;
  return `There is no place for ${isSecretive ? 'a bare word' : `"${word}"`} here.${hint}`;
}

/** The same for a command that runs another: what stands behind `--` is that other command, word by word. */
export function readCommandLine(
  options: readonly Option[],
  args: readonly string[],
  environment: Environment,
): { chosen: Chosen; command: string[] } {
  const own = beforeDashes(args);
  return { chosen: readOptions(options, own, environment), command: args.slice(own.length + 1) };
}

/** The arguments before `--`; all of them where there is none. */
export function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

/** The same for a command that takes words beside its options; as many as `names` says. */
export function readOperands(
  options: readonly Option[],
  names: readonly string[],
  args: readonly string[],
  environment: Environment,
): { chosen: Chosen; operands: string[] } {
  const { found, words } = readFlags(options, args);
  if (words.length !== names.length) {
    throw new UsageError(
      `It takes ${names.length} files: ${names.join(' ')}. There ${words.length === 1 ? 'is' : 'are'} ${words.length}.`,
    );
  }
  return { chosen: toChosen(options, found, environment), operands: words };
}

/** The values of all secret options, also where the command line has mistakes in it. */
export function secretsIn(
  options: readonly Option[],
  args: readonly string[],
  environment: Environment,
): { value: string; shownAs: string }[] {
  const tokens = tokensOf(options, args);
  return options.flatMap((option) => {
    const { secret: shownAs, name } = option;
    if (shownAs === undefined) return [];
    const flags = tokens.flatMap((token) =>
      token.kind === 'option' && token.name === name ? (token.value ?? []) : [],
    );
    const all = [...flags, ...(fromEnvironment(option, environment[environmentName(option)])?.values ?? [])];
    return all.map((value) => ({ value, shownAs }));
  });
}

function toChosen(options: readonly Option[], flags: ReadonlyMap<string, Texts>, environment: Environment): Chosen {
  const entries = options.flatMap((option) => {
    const texts = flags.get(option.name) ?? fromEnvironment(option, environment[environmentName(option)]);
    return texts === undefined ? [] : [[option.name, toValue(option, texts)] as const];
  });
  return new Map(entries);
}

interface Texts {
  /** How the user wrote it, for messages. */
  origin: string;
  values: string[];
}

function readFlags(
  options: readonly Option[],
  args: readonly string[],
): { found: Map<string, Texts>; words: string[] } {
  const found = new Map<string, Texts>();
  const words: string[] = [];
  for (const token of tokensOf(options, args)) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind === 'option') noteFlag(options, found, token.name, token.rawName, token.value);
  }
  return { found, words };
}

/** The options among the arguments, and the words between them, as they were written. */
export function tokensOf(options: readonly Option[], args: readonly string[]) {
  const config = Object.fromEntries(options.map((option) => [option.name, toParseConfig(option)]));
  return parseArgs({ args: [...args], options: config, strict: false, tokens: true, allowPositionals: true }).tokens;
}

function toParseConfig({ kind, short, bare }: Option) {
  const type = kind === 'switch' || bare !== undefined ? ('boolean' as const) : ('string' as const);
  return short === undefined ? { type } : { type, short };
}

function noteFlag(
  options: readonly Option[],
  found: Map<string, Texts>,
  name: string,
  rawName: string,
  value: string | undefined,
): void {
  const option = options.find((candidate) => candidate.name === name);
  if (option === undefined) throw new UsageError(unknownFlag(options, rawName));
  if (option.kind === 'switch' && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  const looksLikeFlag = value?.startsWith('--') === true;
  const isBare = value === undefined && option.bare !== undefined;
  if (option.kind !== 'switch' && !isBare && (value === undefined || looksLikeFlag)) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${option.placeholder ?? '<value>'}.`);
  }
  const known = found.get(name)?.values ?? [];
  if (known.length > 0 && option.isRepeatable !== true)
    throw new UsageError(`${rawName} stands twice; once is enough.`);
  found.set(name, { origin: rawName, values: [...known, value ?? option.bare ?? 'true'] });
}

function unknownFlag(options: readonly Option[], rawName: string): string {
  const names = options.map((option) => `--${option.name}`);
  const meant = nearest(rawName, names);
  return `There is no option ${rawName}. ${meant === undefined ? '--help lists all of them.' : `Did you mean ${meant}?`}`;
}

function fromEnvironment(option: Option, text: string | undefined): Texts | undefined {
  if (text === undefined || text === '') return undefined;
  const values = option.isRepeatable === true ? splitTexts(text, option.separator) : [text];
  return { origin: environmentName(option), values };
}

function splitTexts(text: string, separator = ','): string[] {
  const parts = text.split(separator).map((part) => part.trim());
  return separator === ',' ? parts : parts.filter((part) => part !== '');
}

function toValue(option: Option, { origin, values }: Texts): string | number | boolean | string[] {
  if (option.isRepeatable === true) return values;
  const text = values[0] as string;
  if (option.kind === 'switch') return toSwitch(origin, text);
  if (option.kind === 'integer') return toInteger(option, origin, text);
  if (option.values === undefined || option.values.includes(text)) return text;
  const meant = nearest(text, option.values);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new UsageError(`${origin} is one of ${option.values.join(', ')}; it is "${text}".${hint}`);
}

function toSwitch(origin: string, text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new UsageError(`${origin} is true or false; it is "${text}".`);
}

function toInteger({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Option, origin: string, text: string): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(`${origin} is a whole number from ${minimum} to ${maximum}; it is "${text}".`);
}
