/** A change to a key: how the result is shown, behind the name of the key, and how a POSIX shell makes it from a variable. */
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

/** The key in upper case, or in lower case if it has no lower-case letter. */
export function inOtherCase(key: string): string {
  return key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase();
}

/** The key with another first character. */
export function withOtherStart(key: string): string {
  return `~${key.slice(1)}`;
}

const translated = (variable: string, from: string, to: string) =>
  `"$(printf %s "$${variable}" | tr '[:${from}:]' '[:${to}:]')"`;

/** The last character replaced by one that may stand for any in a pattern, or by another one. */
const endings: Readonly<Record<string, string>> = {
  _: 'with _ for its last character',
  '%': 'with % for its last character',
  '*': 'with * for its last character',
  '.': 'with . for its last character',
  '~': 'with another end',
};

/** Near keys that do not contain the key: what is taken for the key reveals it. */
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

/** Texts around a key, with which a look-up that takes its parts, patterns or SQL may still find it. */
const around: readonly ((key: string) => string)[] = [
  (key) => `x${key}`,
  (key) => `${key}%`,
  (key) => `${key}*`,
  (key) => `%${key}`,
  (key) => `${key}.x`,
  (key) => `${key}:x`,
  (key) => `${key}=`,
  (key) => `${key}'--`,
  (key) => `x'OR'1'='1'--${key}`,
  (key) => `"${key}"`,
  (key) => key + key,
];

/** Keys of nobody, that careless look-ups take for one: patterns, and what programs make of nothing. */
const strangers: readonly ((key: string) => string)[] = [
  () => '%',
  () => '*',
  () => '.*',
  () => "'OR'1'='1",
  () => 'null',
  () => 'undefined',
  () => 'true',
  () => '0',
  (key) => '_'.repeat(key.length),
  (key) => '.'.repeat(key.length),
  (key) => '%'.repeat(key.length),
];

/** Keys made of the parts of two: each is as long as one of them, and neither. */
export function mixed(key: string, other: string): string[] {
  const half = (text: string) => Math.floor(text.length / 2);
  const start = key.slice(0, half(key));
  const end = other.slice(half(other));
  // A short part may be any word.
  return start.length < shortestPart || end.length < shortestPart ? [] : [start + end];
}

const shortestPart = 4;

/** Every key that is nearly this one, or may be taken for any, one of each kind after the other. None is this one. */
export function keysNear(key: string): string[] {
  const changes = changedKeys.flatMap(({ change }, index) => [change, around[index], strangers[index]]);
  const all = new Set(changes.flatMap((change) => change?.(key) ?? []));
  return [...all].filter((near) => near !== key && near !== '' && near.trim() === near);
}
