/**
 * The path of a value as text: `organizations.0.name`. A name that would look like a different one, or break the line,
 * is quoted.
 */
export function placeOf(location: readonly (string | number)[]): string {
  return location.map((name) => (isPlain(String(name)) ? name : quoted(String(name)))).join('.');
}

// Other invisible characters are shown by their code points, wherever they occur.
function isPlain(name: string): boolean {
  return name !== '' && name === name.trim() && !/[\t\n\r\u2028\u2029]/.test(name);
}

// These two break a line, and JSON does not escape them.
function quoted(name: string): string {
  return JSON.stringify(name).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
