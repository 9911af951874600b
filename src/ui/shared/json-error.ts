/** Where a text stops being JSON, and why. Line and column count from 1. */
export interface JsonError {
  line: number;
  column: number;
  message: string;
}

type Wanted = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'more' | 'nothing';

const words: Readonly<Record<Wanted, string>> = {
  value: 'expected a value: text in double quotes, a number, true, false, null, [ or {',
  valueOrEnd: 'expected a value, or ]',
  name: 'expected a name in double quotes',
  nameOrEnd: 'expected a name in double quotes, or }',
  colon: 'expected a : after the name',
  more: 'expected a , or the end',
  nothing: 'expected nothing more',
};

const blanks = /[ \t\n\r]*/y;
// In strings, JSON forbids only the control characters below U+0020. DEL and those after it are legal.
const token =
  /(?<text>"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?<plain>(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.]))|[[\]{}:,]/uy;

/** The first error in a text that should be JSON; undefined if there is none. Browsers differ in their wording. */
export function findJsonError(text: string): JsonError | undefined {
  const open: string[] = [];
  let wanted: Wanted = 'value';
  let at = 0;
  for (;;) {
    at = skip(text, at);
    if (at === text.length && wanted === 'nothing') return undefined;
    token.lastIndex = at;
    const match = token.exec(text);
    const next: Wanted | undefined = match === null ? undefined : after(match, wanted, open);
    if (next === undefined) return errorAt(text, at, wanted, open);
    wanted = next;
    at = token.lastIndex;
  }
}

function skip(text: string, at: number): number {
  blanks.lastIndex = at;
  return at + (blanks.exec(text)?.[0].length ?? 0);
}

/** What must follow a token; undefined if the token is not allowed. */
function after(match: RegExpExecArray, wanted: Wanted, open: string[]): Wanted | undefined {
  const [sign] = match;
  const isText = match.groups?.text !== undefined;
  if (wanted === 'colon') return sign === ':' ? 'value' : undefined;
  if (wanted === 'name' || wanted === 'nameOrEnd') {
    if (isText) return 'colon';
    return sign === '}' && wanted === 'nameOrEnd' ? close(open) : undefined;
  }
  if (wanted === 'more') {
    if (sign === ',') return open.at(-1) === '{' ? 'name' : 'value';
    return sign === endOf(open) ? close(open) : undefined;
  }
  if (wanted === 'nothing') return undefined;
  if (sign === ']' && wanted === 'valueOrEnd') return close(open);
  if (isText || match.groups?.plain !== undefined) return open.length === 0 ? 'nothing' : 'more';
  if (sign !== '{' && sign !== '[') return undefined;
  open.push(sign);
  return sign === '{' ? 'nameOrEnd' : 'valueOrEnd';
}

function endOf(open: readonly string[]): string {
  return open.at(-1) === '{' ? '}' : ']';
}

function close(open: string[]): Wanted {
  open.pop();
  return open.length === 0 ? 'nothing' : 'more';
}

function errorAt(text: string, at: number, wanted: Wanted, open: readonly string[]): JsonError {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: at - lineStart + 1, message: messageFor(text, at, wanted, open) };
}

function messageFor(text: string, at: number, wanted: Wanted, open: readonly string[]): string {
  const takesText = wanted !== 'colon' && wanted !== 'more' && wanted !== 'nothing';
  if (takesText && text[at] === '"') return 'this text does not end, or has a line break or an unknown \\ in it';
  return wanted === 'more' ? `expected a , or ${endOf(open)}` : words[wanted];
}

/** The value of a JSON text, or where it stops being JSON. */
export function parseJson(text: string): { value: unknown } | { error: JsonError } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: findJsonError(text) ?? { line: 1, column: 1, message: (error as Error).message } };
  }
}

/** An error, in one sentence. */
export function jsonErrorWords({ line, column, message }: JsonError): string {
  return `Line ${line}, column ${column}: ${message}.`;
}
