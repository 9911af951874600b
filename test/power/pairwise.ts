import type { OpenPoint } from '../../openapi/contract/open-points.ts';

/** One choice of each open point, as its place among the listed ones. */
export type Row = readonly number[];

/** The pairs of choices of two open points that no row has yet. */
class OpenPairs {
  readonly #numbers: readonly (readonly number[])[];
  readonly #pairs = new Set<number>();
  readonly #perChoice = new Map<number, number>();
  readonly #choiceCount: number;

  constructor(sizes: readonly number[]) {
    let next = 0;
    this.#numbers = sizes.map((size) => Array.from({ length: size }, () => next++));
    this.#choiceCount = next;
    this.#numbers.forEach((choices, point) => {
      for (const others of this.#numbers.slice(point + 1)) {
        for (const choice of choices) for (const other of others) this.#open(choice, other);
      }
    });
  }

  get size(): number {
    return this.#pairs.size;
  }

  numberOf(point: number, choice: number): number {
    return this.#numbers[point]?.[choice] ?? -1;
  }

  has(one: number, other: number): boolean {
    return this.#pairs.has(this.#key(one, other));
  }

  /** In how many open pairs a choice still is. */
  countOf(choice: number): number {
    return this.#perChoice.get(choice) ?? 0;
  }

  close(one: number, other: number): void {
    if (!this.#pairs.delete(this.#key(one, other))) return;
    for (const choice of [one, other]) this.#perChoice.set(choice, this.countOf(choice) - 1);
  }

  #open(one: number, other: number): void {
    this.#pairs.add(this.#key(one, other));
    for (const choice of [one, other]) this.#perChoice.set(choice, this.countOf(choice) + 1);
  }

  #key(one: number, other: number): number {
    return Math.min(one, other) * this.#choiceCount + Math.max(one, other);
  }
}

const candidateCount = 8;

/**
 * Rows in which every choice of every open point meets every choice of every other one. Greedy: of some candidates the
 * one with the most new pairs is taken, until no pair is left.
 */
export function coveringRows(points: readonly OpenPoint[]): Row[] {
  const sizes = points.map((point) => point.choices.length);
  const open = new OpenPairs(sizes);
  const rows: Row[] = [];
  while (open.size > 0) {
    const candidates = Array.from({ length: candidateCount }, (_, index) => candidate(open, sizes, index));
    const best = candidates.reduce((one, other) => (other.gain > one.gain ? other : one));
    forEachPair(numbersOf(open, best.row), (one, other) => open.close(one, other));
    rows.push(best.row);
  }
  return rows;
}

interface Candidate {
  row: Row;
  /** How many open pairs the row would close. */
  gain: number;
}

// The points one after the other, each candidate in another order; each point takes the choice that closes the most
// pairs with those taken before, or else the one that is in the most open pairs.
function candidate(open: OpenPairs, sizes: readonly number[], index: number): Candidate {
  const row = sizes.map(() => 0);
  const taken: number[] = [];
  let gain = 0;
  for (const point of orderOf(sizes, index)) {
    const choices = Array.from({ length: sizes[point] ?? 0 }, (_, choice) => {
      const number = open.numberOf(point, choice);
      return { choice, number, gain: taken.filter((other) => open.has(number, other)).length };
    });
    const best = choices.reduce((one, other) => (isBetter(open, other, one) ? other : one));
    row[point] = best.choice;
    taken.push(best.number);
    gain += best.gain;
  }
  return { row, gain };
}

function isBetter(open: OpenPairs, one: { number: number; gain: number }, other: { number: number; gain: number }) {
  return one.gain === other.gain ? open.countOf(one.number) > open.countOf(other.number) : one.gain > other.gain;
}

// The first candidate begins with the points of many choices; the others begin at other places of the same order.
function orderOf(sizes: readonly number[], index: number): number[] {
  const points = sizes.map((_, point) => point).sort((one, other) => (sizes[other] ?? 0) - (sizes[one] ?? 0));
  const start = Math.floor((index * points.length) / candidateCount);
  return [...points.slice(start), ...points.slice(0, start)];
}

function numbersOf(open: OpenPairs, row: Row): number[] {
  return row.map((choice, point) => open.numberOf(point, choice));
}

function forEachPair(numbers: readonly number[], visit: (one: number, other: number) => void): void {
  numbers.forEach((one, place) => {
    for (const other of numbers.slice(place + 1)) visit(one, other);
  });
}
