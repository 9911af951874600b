const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * JSON with line breaks and indentation; no token is changed, so that 1.0 stays 1.0 and long numbers keep all digits.
 * Undefined if it is not JSON.
 */
export function indentJson(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  const pieces: string[] = [];
  let depth = 0;
  let before = '';
  const breakLine = () => pieces.push('\n', '  '.repeat(depth));
  for (const [each] of text.matchAll(token)) {
    const closes = each === '}' || each === ']';
    if (closes) depth--;
    if (closes ? !opens(before) : opens(before) || before === ',') breakLine();
    pieces.push(each === ':' ? ': ' : each);
    if (opens(each)) depth++;
    before = each;
  }
  return pieces.join('');
}

function opens(each: string): boolean {
  return each === '{' || each === '[';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
