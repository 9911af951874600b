import type { OpenPoint } from '../../openapi/points/open-point.ts';

/** One choice of each open point, as its place among the listed ones. */
export type Row = readonly number[];

/** For each choice, as a number, the choices of other open points that no row has together with it yet. */
type OpenPairs = readonly Set<number>[];

const candidateCount = 8;

/**
 * Rows in which every choice of every open point meets every choice of every other one. Greedy: of some candidates the
 * one with the most new pairs is taken, until no pair is left.
 */
export function coveringRows(points: readonly OpenPoint[]): Row[] {
  const sizes = points.map((point) => point.choices.length);
  let next = 0;
  const numbers = sizes.map((size) => Array.from({ length: size }, () => next++));
  const open = numbers.flatMap((own) => own.map(() => new Set(numbers.filter((other) => other !== own).flat())));
  const rows: Row[] = [];
  while (open.some(({ size }) => size > 0)) {
    const candidates = Array.from({ length: candidateCount }, (_, index) => candidate(open, numbers, index));
    const best = candidates.reduce((one, other) => (other.gain > one.gain ? other : one));
    const chosen = best.row.map((choice, point) => numbers[point]?.[choice] ?? -1);
    for (const one of chosen) for (const other of chosen) open[one]?.delete(other);
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
function candidate(open: OpenPairs, numbers: readonly (readonly number[])[], index: number): Candidate {
  const row = numbers.map(() => 0);
  const taken: number[] = [];
  let gain = 0;
  for (const point of orderOf(numbers, index)) {
    const choices = (numbers[point] ?? []).map((number, choice) => {
      const partners = open[number] ?? new Set();
      return { choice, number, gain: taken.filter((other) => partners.has(other)).length, openCount: partners.size };
    });
    const best = choices.reduce((one, other) =>
      other.gain > one.gain || (other.gain === one.gain && other.openCount > one.openCount) ? other : one,
    );
    row[point] = best.choice;
    taken.push(best.number);
    gain += best.gain;
  }
  return { row, gain };
}

// The first candidate begins with the points of many choices; the others begin at other places of the same order.
function orderOf(numbers: readonly (readonly number[])[], index: number): number[] {
  const sizeOf = (point: number) => numbers[point]?.length ?? 0;
  const points = numbers.map((_, point) => point).sort((one, other) => sizeOf(other) - sizeOf(one));
  const start = Math.floor((index * points.length) / candidateCount);
  return [...points.slice(start), ...points.slice(0, start)];
}
