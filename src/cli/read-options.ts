import { parseArgs } from 'node:util';
import {
  contradictions,
  idleOptions,
  type Option,
  type Options,
  unknownOption,
  type Values,
  wrongValue,
} from '../../lib/options.ts';
import type { Redact, Secret } from '../../lib/secrets.ts';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { quoted } from '../../lib/text.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { commandNames } from './command-names.ts';
import { takenByNpm } from './taken-by-npm.ts';
import type { Terminal } from './terminal.ts';

/** An invalid command line. The message says how to fix it. */
export class UsageError extends Error {
  /** The message. What it quotes from the user's input may contain a secret. */
  readonly sentence: Sentence;

  /** A plain string quotes nothing. */
  constructor(message: Sentence | string) {
    const sentence = typeof message === 'string' ? own(message) : message;
    super(sentence.plain);
    this.sentence = sentence;
    this.name = 'UsageError';
  }
}

/** The environment variable of an option: `AGENT_PLATFORM_PORT` for `port`. */
export function environmentName({ name }: Pick<Option, 'name'>): string {
  return `AGENT_PLATFORM_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The environment as a command sees it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where options come from besides the command line, and who is told of those without effect. */
type Around = Pick<Terminal, 'environment' | 'complain'>;

interface Given {
  /** What the user wrote: the flag or the variable. */
  origin: string;
  texts: string[];
}

/**
 * The typed values of a command line and its environment; flags take precedence. Warns of options without effect.
 * Throws a {@link UsageError}.
 */
export function readOptions<T extends Options>(options: T, args: readonly string[], around: Around): Values<T> {
  const { values, operands } = readCommandLine(options, args, around);
  const [word] = operands;
  if (word === undefined) return values;
  throw new UsageError(unexpected(Object.values(options), word, args.indexOf(word) + 1));
}

/** The error for a word that belongs to no option. `place` is its position after the command. */
function unexpected(options: readonly Option[], word: string, place: number): Sentence {
  const isPort = /^\d{1,5}$/.test(word) && options.some(({ name }) => name === 'port');
  const mayBeSecret = !isPort && options.some(({ secret }) => secret !== undefined);
  const named = options.find(({ name }) => name === word);
  const address = /^https?:/i.test(word) ? options.find(({ name }) => addressOptions.includes(name)) : undefined;
  const chosen = options.find(({ bare, values: legal }) => bare !== undefined && legal?.includes(word));
  const remedies = [
    ...(isPort ? [`Write --port ${word}.`] : []),
    ...(named === undefined ? [] : [`Write --${named.name}.`]),
    ...(address === undefined ? [] : [`Write --${address.name} ${address.placeholder} for an address.`]),
    ...(commandNames.some((name) => name === word)
      ? [`Leave out ${word}: the npm script already names the command.`]
      : []),
    ...(chosen === undefined ? [] : [`Write --${chosen.name}=${word}.`]),
  ];
  const remedy = own(remedies.map((text) => ` ${text}`).join(''));
  if (!mayBeSecret) return say`Unexpected argument "${word}".${remedy}`;
  return say`Unexpected argument: word ${place} after the command (not shown, because it may be a key).${remedy}`;
}

const addressOptions = ['base-url', 'upstream'];

/** The same for a command that takes operands: words that belong to no option. */
export function readCommandLine<T extends Options>(
  options: T,
  args: readonly string[],
  { environment, complain }: Around,
): { values: Values<T>; operands: string[] } {
  const list = Object.values(options);
  const flags = new Map<string, Given>();
  const operands: string[] = [];
  for (const token of tokensOf(list, args)) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind === 'option') addFlag(list, flags, token);
  }
  const taken = takenByNpm(list, operands, environment);
  if (taken !== undefined) throw new UsageError(taken);
  const found = Object.entries(options).flatMap(([key, option]) => {
    const flag = flags.get(option.name);
    const one = flag ?? fromEnvironment(option, environment);
    if (one === undefined) return [];
    return [{ key, isFlag: one === flag, origin: one.origin, value: toValue(option, one) }];
  });
  const overridden = found.flatMap(({ key, value }) => (value === true ? (options[key]?.overrides ?? []) : []));
  const given = found.filter(({ key, isFlag }) => isFlag || !overridden.includes(key));
  const values = Object.fromEntries(given.map(({ key, value }) => [key, value]));
  const origins = new Map(given.map(({ key, origin }) => [key, origin]));
  const originOf = (key: string) => origins.get(key) ?? key;
  const [contradiction] = contradictions(options, values, originOf);
  if (contradiction !== undefined) throw new UsageError(contradiction);
  for (const line of idleOptions(options, values, originOf)) complain(line);
  return { values: values as Values<T>, operands };
}

function tokensOf(options: readonly Option[], args: readonly string[]) {
  const config = Object.fromEntries(
    options.map(({ name, kind, bare, short }) => {
      const type = kind === 'switch' || bare !== undefined ? ('boolean' as const) : ('string' as const);
      return [name, short === undefined ? { type } : { type, short }];
    }),
  );
  return parseArgs({ args: [...args], options: config, strict: false, tokens: true, allowPositionals: true }).tokens;
}

type Flag = { name: string; rawName: string; value?: string | undefined };

function addFlag(options: readonly Option[], flags: Map<string, Given>, { name, rawName, value }: Flag): void {
  const option = options.find((candidate) => candidate.name === name);
  if (option === undefined) {
    refuseOpenPoint(options, rawName);
    const names = options.map((known) => `--${known.name}`);
    throw new UsageError(unknownOption(rawName, names, '--help all lists all options'));
  }
  const { kind, bare, placeholder = '<value>', isRepeatable } = option;
  if (kind === 'switch' && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  if (kind !== 'switch' && (value === undefined ? bare === undefined : /^(--|$)/.test(value))) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${placeholder}.`);
  }
  const known = flags.get(name)?.texts ?? [];
  if (known.length > 0 && !isRepeatable) throw new UsageError(`${rawName} is given twice.`);
  flags.set(name, { origin: rawName, texts: [...known, value ?? bare ?? 'true'] });
}

/** Throws if the name of an open point was taken for an option. */
function refuseOpenPoint(options: readonly Option[], rawName: string): void {
  const plain = (name: string) => name.replaceAll('-', '').toLowerCase();
  const point = loadOpenPoints().find(({ id }) => plain(id) === plain(rawName));
  if (point === undefined || !options.some(({ name }) => name === 'set')) return;
  throw new UsageError(
    say`There is no option ${rawName}: ${own(point.id)} is an open point. Write --set ${own(point.id)}=<choice>.`,
  );
}

function fromEnvironment(option: Option, environment: Environment): Given | undefined {
  const names = [environmentName(option), ...(option.usualVariable === undefined ? [] : [option.usualVariable])];
  const origin = names.find((name) => (environment[name] ?? '') !== '');
  const text = origin === undefined ? undefined : environment[origin];
  if (origin === undefined || text === undefined) return undefined;
  if (!option.isRepeatable) return { origin, texts: [text] };
  const { separator = ',' } = option;
  const texts = text.split(separator).map((part) => part.trim());
  return { origin, texts: separator === ',' ? texts : texts.filter((part) => part !== '') };
}

const switchTexts: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

function toValue(option: Option, { origin, texts }: Given): unknown {
  const [text = ''] = texts;
  const read = {
    text: () => text,
    file: () => text,
    integer: () => (/^-?\d{1,16}$/.test(text) ? Number(text) : text),
    number: () => (/^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text),
    switch: () => (Object.hasOwn(switchTexts, text) ? switchTexts[text] : text),
  };
  const value = option.isRepeatable ? texts : read[option.kind]();
  const error =
    wrongValue(option, origin, value) ?? repeatedName(option, origin, texts) ?? noFile(option, origin, texts);
  if (error !== undefined) throw new UsageError(error);
  return option.sets === false ? !value : value;
}

/** In many programs - stands for standard input or output. Here it would be the name of a file. */
function noFile({ kind }: Option, origin: string, texts: readonly string[]): Sentence | undefined {
  if (kind !== 'file' || !texts.includes('-')) return undefined;
  return own(`${origin} - does not name a file. Standard input is /dev/stdin, standard output is /dev/stdout.`);
}

/** Why two values contradict each other: they start with the same name. Undefined if no two do. */
function repeatedName({ nameEnd, secret }: Option, origin: string, texts: readonly string[]): Sentence | undefined {
  const named = texts.flatMap((text) => {
    const end = nameEnd === undefined ? -1 : text.indexOf(nameEnd);
    return end < 1 ? [] : [{ name: text.slice(0, end).trim(), value: text.slice(end + 1).trim() }];
  });
  const firstOf = (name: string) => named.find((other) => other.name.toLowerCase() === name.toLowerCase());
  const second = named.find((one) => firstOf(one.name) !== one);
  if (second === undefined) return undefined;
  const values = secret === undefined ? say`: ${firstOf(second.name)?.value ?? ''} and ${second.value}` : own('');
  return say`${own(origin)} ${second.name} is given twice${values}. Leave one of them out.`;
}

/** The values of all secret options, even where the command line has errors. */
export function secretsIn(options: Options, args: readonly string[], environment: Environment): Secret[] {
  const tokens = tokensOf(Object.values(options), args);
  return Object.values(options).flatMap((option) => {
    const { secret: shownAs, name } = option;
    if (shownAs === undefined) return [];
    const flags = tokens.flatMap((token) =>
      token.kind === 'option' && token.name === name ? (token.value ?? []) : [],
    );
    return [...flags, ...(fromEnvironment(option, environment)?.texts ?? [])].map((value) => ({ value, shownAs }));
  });
}

/**
 * The options of a command line, quoted for a shell, except those named in `left`. `shownAs` replaces values; secrets
 * are redacted.
 */
export function optionWords(
  options: Options,
  args: readonly string[],
  left: readonly string[],
  { shownAs = {}, redact = (text) => text }: { shownAs?: Readonly<Record<string, string>>; redact?: Redact } = {},
): string[] {
  return tokensOf(Object.values(options), args).flatMap((token) => {
    if (token.kind !== 'option' || left.includes(token.name)) return [];
    const value = shownAs[token.name] ?? (token.value === undefined ? undefined : quoted(redact(token.value)));
    return [`--${token.name}`, ...(value === undefined ? [] : [value])];
  });
}
