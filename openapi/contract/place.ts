/**
 * Where a value stands, in words: `organizations.0.name`. A name that would look like another one, or break the line, is
 * quoted.
 */
export function placeOf(location: readonly (string | number)[]): string {
  return location.map((name) => (isPlain(String(name)) ? name : quoted(String(name)))).join('.');
}

// Other characters that nobody sees are shown by their numbers, wherever they stand.
function isPlain(name: string): boolean {
  return name !== '' && name === name.trim() && !/[\t\n\r\u2028\u2029]/.test(name);
}

// These two break a line, and stand in JSON as they are.
function quoted(name: string): string {
  return JSON.stringify(name).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
