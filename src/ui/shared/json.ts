/** A piece of JSON as it is shown: white space is new, tokens are as they were sent. */
export interface Piece {
  text: string;
  kind: 'plain' | 'name' | 'text' | 'number' | 'word';
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * JSON in pieces, with line breaks and indentation; no token is changed, so that 1.0 stays 1.0 and long numbers keep all
 * digits. Undefined if it is not JSON.
 */
export function indentedPieces(json: string): Piece[] | undefined {
  if (jsonIn(json) === undefined) return undefined;
  const tokens = [...json.matchAll(token)].map(([each]) => each);
  const pieces: Piece[] = [];
  const add = (text: string, kind: Piece['kind'] = 'plain') => {
    const last = pieces.at(-1);
    if (kind === 'plain' && last?.kind === 'plain') last.text += text;
    else pieces.push({ text, kind });
  };
  let depth = 0;
  let before = '';
  for (const [index, each] of tokens.entries()) {
    const closes = each === '}' || each === ']';
    if (closes) depth--;
    if (closes ? !opens(before) : opens(before) || before === ',') add(`\n${'  '.repeat(depth)}`);
    add(each === ':' ? ': ' : each, kindOf(each, tokens[index + 1]));
    if (opens(each)) depth++;
    before = each;
  }
  return pieces;
}

function opens(each: string): boolean {
  return each === '{' || each === '[';
}

function kindOf(each: string, next: string | undefined): Piece['kind'] {
  if (each.startsWith('"')) return next === ':' ? 'name' : 'text';
  if (/^[-\d]/.test(each)) return 'number';
  return /^[tfn]/.test(each) ? 'word' : 'plain';
}

/** The value of a text; undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a text that should be JSON. Throws a sentence that says where it is not. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON. ${(error as Error).message}.`);
  }
}

/** A text as a JavaScript string. */
export function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}
