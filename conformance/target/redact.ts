/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** A secret and what stands in its place. */
export interface Secret {
  value: string;
  shownAs: string;
}

/** Replaces every secret in a text, in the spellings in which it can come back: plain, encoded, quoted. */
export function createRedact(secrets: readonly Secret[]): Redact {
  const spellings = secrets
    .filter(({ value }) => value !== '')
    .flatMap(({ value, shownAs }) => spellingsOf(value).map((spelling) => ({ spelling, shownAs })))
    .sort((a, b) => b.spelling.length - a.spelling.length);
  if (spellings.length === 0) return (text) => text;
  const shown = new Map(spellings.map(({ spelling, shownAs }) => [spelling.toLowerCase(), shownAs]));
  const pattern = new RegExp(spellings.map(({ spelling }) => escapeForPattern(spelling)).join('|'), 'gi');
  return (text) => text.replace(pattern, (found) => shown.get(found.toLowerCase()) ?? '<redacted>');
}

function spellingsOf(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64');
  const quoted = JSON.stringify(value).slice(1, -1);
  const all = [
    value,
    encodeURIComponent(value),
    quoted,
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
  ];
  return [...new Set(all)];
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** The same for every string in a value, names of members apart. */
export function redactDeep<T>(value: T, redact: Redact): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactDeep(item, redact)])) as T;
}
