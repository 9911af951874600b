/** A stream of random values that depends on its seed alone. */
export interface Random {
  /** A number from 0 to 1, 1 excluded. */
  fraction(): number;
  /** A whole number, both bounds included. */
  integer(minimum: number, maximum: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
}

/** Mulberry32: small, and good enough to choose test data. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return scramble(state) / 2 ** 32;
  };
  const integer = (minimum: number, maximum: number) => minimum + Math.floor(fraction() * (maximum - minimum + 1));
  return { fraction, integer, chance: (probability) => fraction() < probability, pick: pickWith(integer) };
}

function scramble(state: number): number {
  const first = Math.imul(state ^ (state >>> 15), state | 1);
  const second = first ^ (first + Math.imul(first ^ (first >>> 7), first | 61));
  return (second ^ (second >>> 14)) >>> 0;
}

function pickWith(integer: Random['integer']) {
  return <T>(values: readonly T[]): T => {
    if (values.length === 0) throw new Error('There is nothing to pick from.');
    return values[integer(0, values.length - 1)] as T;
  };
}
