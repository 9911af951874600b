/** One preference of a `Prefer` header. */
export interface Preference {
  /** In lower case. */
  readonly name: string;
  /** Empty when there is none; undefined when it is malformed. */
  readonly value: string | undefined;
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const named = new RegExp(`^\\s*(${token})(.*)$`, 's');
const valued = new RegExp(`^\\s*(?:=\\s*(${token}|"(?:[^"\\\\]|\\\\.)*"|))?\\s*(?:;.*)?$`, 's');

/** The preferences of a `Prefer` header, or of several joined with commas (RFC 7240). Their parameters are left out. */
export function parsePrefer(header: string): Preference[] {
  return splitAtCommas(header).flatMap((element) => {
    const [, name, rest = ''] = named.exec(element) ?? [];
    return name === undefined ? [] : [{ name: name.toLowerCase(), value: parseValue(rest) }];
  });
}

function parseValue(rest: string): string | undefined {
  const match = valued.exec(rest);
  if (match === null) return undefined;
  const [, word = ''] = match;
  return word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : word;
}

function splitAtCommas(header: string): string[] {
  const elements: string[] = [];
  let start = 0;
  for (let index = 0; index < header.length; index++) {
    const end = header[index] === '"' ? closingQuote(header, index) : index;
    // A quote without an end is ignored: the rest is read as if it were not there.
    if (end === undefined) return [...elements, ...header.slice(start).split(',')];
    if (header[index] === ',') {
      elements.push(header.slice(start, index));
      start = index + 1;
    }
    index = end;
  }
  return [...elements, header.slice(start)];
}

function closingQuote(header: string, opening: number): number | undefined {
  for (let index = opening + 1; index < header.length; index++) {
    if (header[index] === '"') return index;
    if (header[index] === '\\') index++;
  }
  return undefined;
}

/** A preference as a header names it: `example=noDrives`, `seed="a b"`. */
export function writePreference(name: string, value: string): string {
  const isToken = new RegExp(`^${token}$`).test(value);
  return `${name}=${isToken ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`}`;
}
