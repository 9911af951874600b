// Names for what a run creates, and texts that careless code changes.
import { randomInt } from 'node:crypto';

/**
 * A shape of names for what the run creates. Which names a target accepts is open (section 2): the shapes are tried in
 * turn until one is accepted.
 */
export interface NameShape {
  /** Says what is special about it. */
  id: string;
  /** A name that no other call returns. */
  make(runId: string, count: number): string;
}

const purpose = 'of-the-agent-platform-contract';

/** The name that is tried first. It is plain and carries the run's id. */
export const usualShape: NameShape = {
  id: 'usual',
  make: (runId, count) => `conformance-${runId}-${count}`,
};

/** A name that programs may take for a number, losing its zeros. It carries digits that stand for the run's id. */
export const numberShape: NameShape = {
  id: 'a number',
  make: (runId, count) => `00${digitsOf(runId)}${count}`,
};

/** Whether a name is one of this run in the usual shape, with nothing odd about it. */
export function isUsual(name: unknown, runId: string): boolean {
  const [, count] = /-(\d+)$/.exec(String(name)) ?? [];
  return count !== undefined && usualShape.make(runId, Number(count)) === name;
}

/** The shapes to try if the usual name is refused. Each carries the run's id, or the letters that stand for it. */
export const otherShapes: readonly NameShape[] = [
  { id: 'short, letters only', make: (runId, count) => `Run${lettersOf(runId)}${toLetters(String(count))}` },
  { id: 'short, small letters only', make: (runId, count) => `run${lettersOf(runId)}${toLetters(String(count))}` },
  { id: 'long', make: (runId, count) => `conformance-${runId}-${count}-${purpose}` },
  {
    id: 'long, letters only',
    make: (runId, count) => {
      const words = `conformance-${purpose}`.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
      return `${words.join('')}${lettersOf(runId)}${toLetters(String(count))}`;
    },
  },
];

const mostExamples = 2;

/** The shapes of names in a list, with different letters and digits. They do not carry the run's id. */
export function shapesLike(names: readonly string[]): NameShape[] {
  return names.slice(0, mostExamples).flatMap((name) => [
    { id: `like ${name}`, make: () => drawnLike(name) },
    { id: `like the end of ${name}`, make: () => keptHalf(name) + drawnLike(name.slice(keptHalf(name).length)) },
  ]);
}

// Names may have to start in a certain way.
function keptHalf(name: string): string {
  return name.slice(0, Math.floor(name.length / 2));
}

function drawnLike(text: string): string {
  return text
    .replaceAll(/[a-z]/g, () => letterFrom('a'))
    .replaceAll(/[A-Z]/g, () => letterFrom('A'))
    .replaceAll(/[0-9]/g, () => String(randomInt(10)));
}

function letterFrom(first: string): string {
  return String.fromCharCode(first.charCodeAt(0) + randomInt(26));
}

/** How a name carries the run's id: the id itself, the letters or digits that stand for it, or nothing. */
export function markIn(name: string, runId: string): string | undefined {
  return [runId, lettersOf(runId), digitsOf(runId)].find((mark) => name.includes(mark));
}

/** The letters that stand for the run's id where names have no digits. */
function lettersOf(runId: string): string {
  return toLetters(hexadecimalIn(runId));
}

/** The digits that stand for the run's id where names have no letters. */
function digitsOf(runId: string): string {
  return String(Number.parseInt(hexadecimalIn(runId), 16)).padStart(10, '0');
}

function hexadecimalIn(runId: string): string {
  return runId.slice(runId.indexOf('-') + 1);
}

// None of them is a hexadecimal digit, so that no word in the other names looks like an id.
const letters = 'ghijklmnopqrstuv';

function toLetters(digits: string): string {
  return Array.from(digits, (digit) => letters.charAt(Number.parseInt(digit, 16))).join('');
}

/**
 * Texts that careless code changes, by content: the last part of a check's id. Together they contain all printable
 * ASCII punctuation.
 */
export const oddTexts = [
  { rule: 'letters', does: 'capitals, spaces, digits and a dot', text: 'Quarterly REPORT, v1.5: 007' },
  {
    rule: 'punctuation',
    does: 'quotes, a backslash, # and &',
    text: 'it\'s "so" `far` (c#) a&b|d;e=f@h ~\\ g!',
  },
  {
    rule: 'patterns',
    does: 'characters with a meaning in queries, patterns and encodings',
    text: 'a_b 100% x+y %41 *? [z] {n} ^v$',
  },
  { rule: 'markup', does: 'what looks like HTML, and a file name', text: '<b>bold< &lt;tag&gt; a/b.pdf' },
  { rule: 'scripts', does: 'letters of other scripts', text: '日本語 Ελληνικά العربية' },
  { rule: 'long', does: 'more than eighty characters', text: 'long-'.repeat(17) },
] as const;

/** Texts that servers may store in a different form of the same letters. */
export const unusualTexts = [
  { rule: 'accents', does: 'accents', text: 'Übersicht façade žluťoučký' },
  { rule: 'emoji', does: 'emoji', text: 'rocket 🚀 family 👩‍👩‍👧' },
] as const;

/** Texts on which careless code fails, all legal JSON strings. Whether a server accepts them is open. */
export const hardTexts = {
  nul: '\0',
  controls: '\u0001\t\n\u001f\u007f',
  'beyond-two-bytes': '🚀\u{10ffff}\ufeff\u202e',
  'more-than-255': 'x'.repeat(300),
  'thousands-of-characters': 'y'.repeat(5_000),
} as const;

/** Names that a server may treat as equal: letter case and Unicode form are open. */
export const letterTexts = {
  'letter-case': { does: 'upper-case and lower-case letters', text: '-MiXeD-QZ' },
  'composed-letters': { does: 'composed accented letters', text: '-façade-größe'.normalize('NFC') },
  'decomposed-letters': { does: 'decomposed accented letters', text: '-façade-größe'.normalize('NFD') },
  'wide-letters': { does: 'full-width letters', text: '-ｗｉｄｅ' },
} as const;

/** Made-up URLs that careless code changes. */
export const oddUrls = [
  { rule: 'path', does: 'capitals and escapes', url: 'https://mcp.example.com/Team-A/a%2Fb/100%25/' },
  { rule: 'query', does: 'a query', url: 'https://mcp.example.com/mcp?token=a+b%20c&list=1&list=2&Case=Yes' },
  { rule: 'port', does: 'a port', url: 'https://mcp.example.com:8443/mcp' },
  { rule: 'plain', does: 'http:', url: 'http://mcp.example.com/plain' },
  { rule: 'no-path', does: 'no path', url: 'https://no-path.mcp.example.com' },
  { rule: 'address', does: 'an IPv4 address and a port', url: 'http://192.0.2.17:8080/mcp?list=1' },
  { rule: 'sse', does: 'the path of the other connection type', url: 'https://mcp.example.com/team/sse' },
  { rule: 'long', does: 'more than a hundred characters', url: `https://mcp.example.com/${'long-'.repeat(20)}end` },
] as const;
