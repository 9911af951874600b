// The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4, sections 4.2.2 and 5.3.3).
const primes = firstPrimes(64);
const roundConstants = primes.map((prime) => fraction(Math.cbrt(prime)));
const firstState = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let next = 2; found.length < count; next++) if (found.every((prime) => next % prime !== 0)) found.push(next);
  return found;
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32) | 0;
}

/** The SHA-256 digest of a text, in hexadecimal. The one built into browsers is asynchronous. */
export function sha256(text: string): string {
  const words = padded(new TextEncoder().encode(text));
  const state = Int32Array.from(firstState);
  for (let start = 0; start < words.length; start += 16) addBlock(state, words.subarray(start, start + 16));
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The bytes as words of 32 bits, with the end mark and the length in bits. */
function padded(bytes: Uint8Array): Int32Array {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const view = new DataView(new ArrayBuffer(blocks * 64));
  for (const [index, byte] of bytes.entries()) view.setUint8(index, byte);
  view.setUint8(bytes.length, 0x80);
  view.setBigUint64(view.byteLength - 8, BigInt(bytes.length) * 8n);
  return Int32Array.from({ length: blocks * 16 }, (_, index) => view.getInt32(index * 4));
}

function addBlock(state: Int32Array, block: Int32Array): void {
  const schedule = scheduleOf(block);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (const [round, constant] of roundConstants.entries()) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + mixed(e, 6, 11, 25) + choice + constant + (schedule[round] as number)) | 0;
    const second = (mixed(a, 2, 13, 22) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] as number) + word;
}

function scheduleOf(block: Int32Array): Int32Array {
  const words = new Int32Array(64);
  words.set(block);
  for (let index = 16; index < 64; index++) {
    const [early, late] = [words[index - 15] as number, words[index - 2] as number];
    const small = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const large = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] as number) + small + (words[index - 7] as number) + large;
  }
  return words;
}

function mixed(word: number, first: number, second: number, third: number): number {
  return rotated(word, first) ^ rotated(word, second) ^ rotated(word, third);
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
