import { parseJson } from '../../openapi/reading/messages.ts';

/**
 * JSON with line breaks and indentation between its tokens; undefined for text that is not a JSON object or array, or
 * has too many levels to indent. Tokens stay unchanged: numbers keep their digits, and duplicate keys stay.
 */
export function indentJson(text: string): string | undefined {
  const value = parseJson(text)?.value;
  if (typeof value !== 'object' || value === null) return undefined;
  let depth = 0;
  const all = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  if (deepestOf(all) > mostLevels) return undefined;
  return all.reduce((written, token, index, tokens) => {
    const next = tokens[index + 1] ?? '';
    if (closes(token)) depth -= 1;
    if (opens(token)) depth += 1;
    if (token === ':') return `${written}: `;
    const endsLine = token === ',' || (opens(token) && !closes(next)) || (closes(next) && !opens(token));
    if (!endsLine) return written + token;
    return `${written}${token}\n${'  '.repeat(closes(next) ? depth - 1 : depth)}`;
  }, '');
}

function opens(token: string): boolean {
  return token === '{' || token === '[';
}

function closes(token: string): boolean {
  return token === '}' || token === ']';
}

const mostLevels = 30;

function deepestOf(tokens: readonly string[]): number {
  let depth = 0;
  return Math.max(0, ...tokens.map((token) => (depth += Number(opens(token)) - Number(closes(token)))));
}
