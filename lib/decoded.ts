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
