/** A change to a key: how the result is shown after the key's name, and how a POSIX shell derives it. */
interface NearKey {
  shown: string;
  change(key: string): string;
  shell(variable: string): string;
}

/** The key without its last character. */
export function shortened(key: string): string {
  return key.slice(0, -1);
}

/** The key with one more character. */
export function extended(key: string): string {
  return `${key}x`;
}

/** The key in upper case, or in lower case if it has no lower-case letters. */
export function inOtherCase(key: string): string {
  return key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase();
}

/** The key with a different first character. */
export function withOtherStart(key: string): string {
  return `~${key.slice(1)}`;
}

const translated = (variable: string, from: string, to: string) =>
  `"$(printf %s "$${variable}" | tr '[:${from}:]' '[:${to}:]')"`;

/** The last character replaced by a wildcard, or by a different one. */
const endings: Readonly<Record<string, string>> = {
  _: 'with _ for its last character',
  '%': 'with % for its last character',
  '*': 'with * for its last character',
  '.': 'with . for its last character',
  '~': 'with another end',
};

/** Near keys that do not contain the key: one that a target accepts must not be shown. */
export const changedKeys: readonly NearKey[] = [
  { shown: 'without its last character', change: shortened, shell: (name) => `"\${${name}%?}"` },
  { shown: 'without its first character', change: (key) => key.slice(1), shell: (name) => `"\${${name}#?}"` },
  { shown: 'in upper case', change: (key) => key.toUpperCase(), shell: (name) => translated(name, 'lower', 'upper') },
  { shown: 'in lower case', change: (key) => key.toLowerCase(), shell: (name) => translated(name, 'upper', 'lower') },
  { shown: 'with another start', change: withOtherStart, shell: (name) => `"~\${${name}#?}"` },
  { shown: 'with _ for its first character', change: (key) => `_${key.slice(1)}`, shell: (name) => `"_\${${name}#?}"` },
  ...Object.entries(endings).map(([end, shown]) => ({
    shown,
    change: (key: string) => shortened(key) + end,
    shell: (name: string) => `"\${${name}%?}${end}"`,
  })),
];

/** A key that is not valid, and its description without any part of a secret. */
export interface WrongKey {
  value: string;
  kind: string;
}

/** A kind of wrong keys, and how to derive one from a key. */
type Kind = readonly [kind: string, change: (key: string) => string];

const behind = (text: string): Kind => [`the key with ${text} behind it`, (key) => key + text];
const ahead = (text: string): Kind => [`the key with ${text} before it`, (key) => text + key];
const only = (text: string): Kind => [`${text} as the key`, () => text];
const each = (sign: string): Kind => [`the key with ${sign} for each character`, (key) => sign.repeat(key.length)];

/** Texts around a key with which a lookup by substring, pattern or SQL may still find it. */
const around: readonly Kind[] = [
  ...[ahead('x'), behind('%'), behind('*'), ahead('%'), behind('.x'), behind(':x'), behind('='), behind("'--")],
  ahead("x'OR'1'='1'--"),
  ['the key in quotes', (key) => `"${key}"`],
  ['the key twice', (key) => key + key],
];

/** Keys that nobody has, but that careless lookups accept: patterns, and texts that stand for missing values. */
const strangers: readonly Kind[] = [
  ...['%', '*', '.*', "'OR'1'='1", 'null', 'undefined', 'true', '0'].map(only),
  ...['_', '.', '%'].map(each),
];

/** Keys made of halves of two keys: each as long as one of them, but equal to neither. */
export function mixed(key: string, other: string): string[] {
  const half = (text: string) => Math.floor(text.length / 2);
  const start = key.slice(0, half(key));
  const end = other.slice(half(other));
  // A short part may be any word.
  return start.length < shortestPart || end.length < shortestPart ? [] : [start + end];
}

const shortestPart = 4;

/** All keys that are nearly this one, or may pass for any, the kinds in turn. None is this key. */
export function keysNear(key: string): WrongKey[] {
  const changes = changedKeys.flatMap(({ shown, change }, index): (Kind | undefined)[] => [
    ...[[`the key ${shown}`, change] as const, around[index], strangers[index]],
  ]);
  const all = changes.filter((one) => one !== undefined).map(([kind, change]) => ({ value: change(key), kind }));
  return all.filter(({ value }, index) => {
    const isFirst = all.findIndex((one) => one.value === value) === index;
    return isFirst && value !== key && value !== '' && value.trim() === value;
  });
}
