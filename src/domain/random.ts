/** A stream of pseudo-random numbers that depends on its seed alone. */
export interface Random {
  /** An unsigned 32-bit integer. */
  uint32(): number;
  /** The current state. A stream continued from it gives the same numbers. */
  state(): RandomState;
}

/** The state of a stream. */
export type RandomState = readonly [number, number, number, number];

/** A stream for one seed text (sfc32). The same text gives the same stream. */
export function createRandom(seed: string): Random {
  const random = continueRandom([hash(`${seed}/a`), hash(`${seed}/b`), hash(`${seed}/c`), 1]);
  for (let warmUp = 0; warmUp < 12; warmUp++) random.uint32();
  return random;
}

export function continueRandom(state: RandomState): Random {
  let [a, b, c, counter] = state;
  const uint32 = () => {
    const result = (a + b + counter++) >>> 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    return result;
  };
  return { uint32, state: () => [a, b, c, counter] };
}

/** A 32-bit hash of a text (FNV-1a). */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
