/** One preference of a `Prefer` header. */
export interface Preference {
  /** In lower case. */
  readonly name: string;
  /** Empty if there is none; undefined if it is malformed. */
  readonly value: string | undefined;
}

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const notInToken = /[^\w!#$%&'*+.^`|~-]/;
const quoted = /^"(?:[^"\\]|\\.)*"$/s;

/** The preferences in a `Prefer` header, or in several joined with commas (RFC 7240), without their parameters. */
export function parsePrefer(header: string): Preference[] {
  return splitAt(',', header).flatMap((element) => {
    const text = element.trim();
    const end = text.search(notInToken);
    const name = end < 0 ? text : text.slice(0, end);
    return name === '' ? [] : [{ name: name.toLowerCase(), value: parseValue(text.slice(name.length)) }];
  });
}

function parseValue(rest: string): string | undefined {
  const [assigned = ''] = splitAt(';', rest);
  const text = assigned.trim();
  if (text === '') return '';
  const word = text.slice(1).trim();
  if (!text.startsWith('=')) return undefined;
  if (word === '' || token.test(word)) return word;
  return quoted.test(word) ? word.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : undefined;
}

/** The parts of a header, split at separators outside quotes. */
function splitAt(separator: ',' | ';', header: string): string[] {
  const elements: string[] = [];
  let start = 0;
  for (let index = 0; index < header.length; index++) {
    const end = header[index] === '"' ? closingQuote(header, index) : index;
    // An unclosed quote is ignored: the rest is read as if it were not there.
    if (end === undefined) return [...elements, ...header.slice(start).split(separator)];
    if (header[index] === separator) {
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

/** A preference as written in a header: `example=noDrives`, `seed="a b"`. */
export function writePreference(name: string, value: string): string {
  return `${name}=${token.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`}`;
}
