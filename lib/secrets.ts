import { remembering } from './remembering.ts';
import { TextSearch } from './text-search.ts';

/** The replacement for a secret that has no name. */
const redacted = '[REDACTED]';

/** A secret and its replacement. */
export interface Secret {
  value: string;
  shownAs: string;
}

/**
 * Removes secrets from a text that came over the wire or from the user. It is not for our own sentences, ids and codes:
 * a secret may be any word, which would then be removed from them.
 */
export type Redact = (text: string) => string;

/**
 * Names of headers and parameters whose values are never shown, of whatever API. A test looks for the auth headers of
 * the contract.
 */
const secretName =
  /(?:^|[-_])(?:auth|authorization|cookie|(?:access|api|auth|client|refresh)?(?:token|secret)|password|credentials?|(?:api|access|auth|admin|client|functions|private|secret|subscription)[-_]?key)$|^(?:x[-_]?)?key$/i;

// A shorter text occurs in many words, so it only counts as a separate word.
const shortestAnywhere = 6;
// A shorter text would be only a digit or two when encoded.
const shortestEncoded = 4;
// Longer values are not keys that get encoded incidentally.
const longestEncoded = 256;

/**
 * Removes the given secrets in every spelling in which they may come back: unchanged, percent-encoded, escaped as in
 * JSON or HTML, in base64 and in hex. Also redacts values where secrets usually are: passwords in URLs, and parameters
 * named like a key. Time and memory grow linearly with the size of the text and the secrets.
 */
export function createRedact(secrets: readonly Secret[]): Redact {
  const asTheyAre = secrets.map(({ value, shownAs }) => ({ spelling: value, shownAs }));
  const others = secrets.flatMap(({ value, shownAs }) => spellingsOf(value).map((spelling) => ({ spelling, shownAs })));
  // One secret may be a different one in capitals: exact spellings come first.
  const spellings = [...asTheyAre.filter(({ spelling }) => spelling !== ''), ...others];
  let search: TextSearch | undefined;
  return remembering((text) => {
    const found: Found[] = [];
    for (const { text: reading, placeOf } of readings(text)) {
      // Created on first use: most recorded data is never read.
      search ??= new TextSearch(spellings.map(({ spelling }) => spelling));
      const matches = search.find(reading, (match) => isAccepted(reading, match));
      const named = matches.map((match) => ({ ...match, shownAs: spellings[match.pattern]?.shownAs ?? redacted }));
      for (const { start, end, shownAs } of [...named, ...credentialsIn(reading)])
        found.push({ start: placeOf(start), end: placeOf(end), shownAs });
    }
    return found.length === 0 ? text : replace(text, found);
  });
}

/** A header's name and value, as on the wire. */
export type HeaderPair = readonly [name: string, value: string];

/** Headers for display: secret ones without their values, others without the secrets in them. */
export function redactHeaders(pairs: Iterable<HeaderPair>, redact: Redact): Record<string, string> {
  return Object.fromEntries(
    Array.from(pairs, ([name, value]) => [name, isSecretHeader(name) ? redacted : redact(value)]),
  );
}

/** The value of a header that carries a key: its scheme (`Bearer`) is not secret. */
export function redactCredentials(value: string, redact: Redact): string {
  const scheme = /^\w+ +/.exec(value)?.[0] ?? '';
  return scheme + redact(value.slice(scheme.length));
}

/** Whether a header's value is never shown. */
export const isSecretHeader: (name: string) => boolean = remembering((name) => secretName.test(name));

/** Redacts the values of a request's secret headers, anywhere in the request and its response. */
export function createRequestRedact(pairs: Iterable<HeaderPair>): Redact {
  return redactOf(Array.from(pairs).filter(([name]) => isSecretHeader(name)));
}

/** The same for headers by name. Every response of the mock passes through here, so other headers are not processed. */
export function createHeadersRedact(headers: Readonly<Record<string, unknown>>): Redact {
  const secret: HeaderPair[] = [];
  for (const name in headers) if (isSecretHeader(name)) secret.push([name, String(headers[name])]);
  return redactOf(secret);
}

// As lines: no header contains a line break. `JSON.stringify` would allocate two kilobytes each time.
function redactOf(secret: readonly HeaderPair[]): Redact {
  return redactOfLines(secret.map(([name, value]) => `${name}:${value}`).join('\n'));
}

const redactOfLines = remembering((lines) => {
  const pairs = lines.split('\n').map((line): HeaderPair => {
    const end = line.indexOf(':');
    return [line.slice(0, end), line.slice(end + 1)];
  });
  const values = new Set(pairs.flatMap(secretsIn));
  return createRedact(Array.from(values, (value) => ({ value, shownAs: redacted })));
});

const schemes = /^(?:basic|bearer|digest|token)$/i;

// The whole value and its parts: a scheme and a key, several keys, cookies.
function secretsIn([name, value]: HeaderPair): string[] {
  const withoutScheme = /authorization$/i.test(name) ? value.replace(/^\S+ +/, '') : value;
  const parts = value.split(/[\s,;=]+/).filter((part) => part.length >= shortestAnywhere);
  return [value.trim(), withoutScheme.trim(), ...parts].filter((secret) => secret !== '' && !schemes.test(secret));
}

interface Found {
  start: number;
  end: number;
  shownAs: string;
}

function spellingsOf(value: string): string[] {
  if (value === '') return [];
  // In UTF-8, each as one character.
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('');
  const plain = [value, bytes, value.replaceAll(' ', '+')];
  if (value.length < shortestEncoded || value.length > longestEncoded) return [...new Set(plain)];
  const base64 = btoa(bytes).replace(/={1,2}$/, '');
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  const encoded = [base64, base64.replaceAll('+', '-').replaceAll('/', '_'), hex, hex.toUpperCase()];
  return [...new Set([...plain, value.toLowerCase(), value.toUpperCase(), ...encoded])];
}

// Whether it is a separate word: a short text within a word, a number or an id is not a secret.
function isAccepted(text: string, { start, end }: { start: number; end: number }): boolean {
  if (end - start >= shortestAnywhere) return true;
  return !isOfWord(text.charAt(start - 1)) && !isOfWord(text.charAt(end));
}

function isOfWord(character: string): boolean {
  return /^[\p{L}\p{N}_-]$/u.test(character);
}

const userInfo = /:\/\/([^/?#\s"'<>\\]*)@/g;
const parameter = /(?:^|[?&;])([\w-]+)=([^&#\s"<>]+)/g;

const mayHoldCredentials = /@|(?:auth|authorization|cookie|key|token|secret|password|credentials?)=/i;

/** Values in places where secrets usually are. No expression here reads a character more than twice. */
function credentialsIn(text: string): Found[] {
  if (!mayHoldCredentials.test(text)) return [];
  const passwords = [...text.matchAll(userInfo)].map(({ 1: info = '', index }) => {
    const start = index + '://'.length;
    return { start: start + info.indexOf(':') + 1, end: start + info.length, shownAs: redacted };
  });
  const parameters = [...text.matchAll(parameter)].flatMap(({ 0: pair, 1: name = '', 2: value = '', index }) => {
    const end = index + pair.length;
    return secretName.test(name) ? [{ start: end - value.length, end, shownAs: redacted }] : [];
  });
  return [...passwords, ...parameters];
}

/** Overlapping secrets are removed together and shown as the longest of them. */
function replace(text: string, found: readonly Found[]): string {
  const lengthOf = ({ start, end }: Found) => end - start;
  const ordered = found.filter((one) => lengthOf(one) > 0).sort((a, b) => a.start - b.start || b.end - a.end);
  const groups: { start: number; end: number; longest: Found }[] = [];
  for (const one of ordered) {
    const last = groups.at(-1);
    if (last === undefined || one.start >= last.end) {
      groups.push({ start: one.start, end: one.end, longest: one });
      continue;
    }
    last.end = Math.max(last.end, one.end);
    if (lengthOf(one) > lengthOf(last.longest)) last.longest = one;
  }
  const pieces = groups.map(({ start, longest }, index) => {
    return text.slice(groups[index - 1]?.end ?? 0, start) + longest.shownAs;
  });
  return [...pieces, text.slice(groups.at(-1)?.end ?? 0)].join('');
}

/** A text after decoding, and where each part of it was before. */
interface Decoded {
  text: string;
  /** The position in the original of the character at `index`; for the length of the text, the original's end. */
  placeOf(index: number): number;
}

const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const fromHex = (digits: string) => fromCode(Number.parseInt(digits, 16));
const fromCode = (code: number) => (code <= 0x10_ffff ? String.fromCodePoint(code) : '\ufffd');

/** How characters are escaped: the escape, and the character. */
const escapes: readonly { pattern: RegExp; mark: string; decode: (inner: string) => string }[] = [
  // Byte by byte: secrets are searched for as bytes, too.
  { mark: '%', pattern: /%([\da-f]{2})/gi, decode: fromHex },
  {
    mark: '\\',
    pattern: /\\(u[\da-f]{4}|["\\/bfnrt])/gi,
    decode: (inner) => (inner.length > 1 ? fromHex(inner.slice(1)) : (controls[inner] ?? inner)),
  },
  {
    mark: '&',
    pattern: /&(#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos);/gi,
    decode: (inner) => {
      if (!inner.startsWith('#')) return entities[inner.toLowerCase()] ?? inner;
      return /^#x/i.test(inner) ? fromHex(inner.slice(2)) : fromCode(Number(inner.slice(1)));
    },
  },
];

/**
 * A text as it is, and with percent-encoding, JSON escapes and HTML escapes decoded, once and twice, in any order: a
 * URL may be inside JSON.
 */
export function* readings(text: string): Generator<Decoded> {
  const asItIs: Decoded = { text, placeOf: (index) => index };
  yield asItIs;
  for (const once of decodedFurther(asItIs)) {
    yield once;
    yield* decodedFurther(once);
  }
}

function* decodedFurther(before: Decoded): Generator<Decoded> {
  for (const { mark, pattern, decode } of escapes) {
    if (!before.text.includes(mark)) continue;
    const { text, places } = decodeWith(before.text, pattern, decode);
    if (text !== before.text) yield { text, placeOf: (index) => before.placeOf(places[index] as number) };
  }
}

function decodeWith(text: string, pattern: RegExp, decode: (inner: string) => string) {
  const pieces: string[] = [];
  const places: number[] = [];
  let done = 0;
  const take = (piece: string, placeOf: (index: number) => number) => {
    pieces.push(piece);
    for (let index = 0; index < piece.length; index++) places.push(placeOf(index));
  };
  for (const { 0: written, 1: inner = '', index: start } of text.matchAll(pattern)) {
    const from = done;
    take(text.slice(from, start), (index) => from + index);
    take(decode(inner), () => start);
    done = start + written.length;
  }
  take(text.slice(done), (index) => done + index);
  places.push(text.length);
  return { text: pieces.join(''), places };
}
