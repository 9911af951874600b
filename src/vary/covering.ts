import type { OpenPointId, Profile } from '../../openapi/contract/profile.ts';
import { type Choice, type OpenPoint, unlistedChoices, withoutNeeds } from '../../openapi/points/open-point.ts';
import { createRandom, type Random } from '../domain/random.ts';
import { type Choices, isSeenGreen, type Ledger, type Tally } from './ledger.ts';

/** An open point and the choices to try: the listed ones and one that is not listed, except the base's. */
export interface Variable {
  id: string;
  choices: readonly Choice[];
}

/** How many were tried, in runs that passed. */
export interface Coverage {
  choices: { tried: number; all: number };
  /** Two choices of different open points. */
  pairs: { tried: number; all: number };
}

export function toVariables(points: readonly OpenPoint[], base: Profile, randomSeed: number): Variable[] {
  return withoutNeeds(points).flatMap((point) => {
    const unlisted = unlistedChoices(point);
    const one = unlisted[createRandom(`${randomSeed}/vary/${point.id}/unlisted`).uint32() % unlisted.length];
    const all = [...point.choices.map(({ value }) => value), ...(one === undefined ? [] : [one])];
    const choices = all.filter((choice) => choice !== base[point.id as OpenPointId]);
    return choices.length === 0 ? [] : [{ id: point.id, choices }];
  });
}

/** A choice counts as tried after this many passing runs in which the tests did not meet its open point. */
const mostMisses = 3;
/** How many orders of the open points are tried for a profile; the best is taken. */
const mostOrders = 10;

/** What passing runs have tried. */
export function seenIn(tallies: readonly Tally[], pending: readonly Choices[] = []): ReadonlySet<string> {
  const green = tallies.filter(isSeenGreen);
  const seen = new Set<string>();
  const missed = new Map<string, number>();
  const add = (choices: Choices, isMet: (id: string) => boolean) => {
    const entries = Object.entries(choices).map(([id, choice]) => ({ id, one: nameOf(id, choice) }));
    for (const { id, one } of entries) {
      const misses = (missed.get(one) ?? 0) + 1;
      missed.set(one, misses);
      if (isMet(id) || misses >= mostMisses) seen.add(one);
    }
    for (const { one } of entries) for (const { one: other } of entries) if (one < other) seen.add(pairOf(one, other));
  };
  for (const { choices, met } of green) add(choices, (id) => met.has(id));
  for (const choices of pending) add(choices, () => true);
  return seen;
}

/** What a new profile should try. */
export interface Wanted {
  variables: readonly Variable[];
  /** What was tried. See {@link seenIn}. */
  seen: ReadonlySet<string>;
  /** The choices with which it begins. */
  start: Choices;
  /** Sets of open points of which one must stay as in the base. */
  apart: readonly (readonly string[])[];
}

/**
 * The choices of a profile that tries as many untried things as possible: first each choice, then each pair.
 * Undefined if nothing is left to try.
 */
export function cover(wanted: Wanted, random: Random): Choices | undefined {
  const rows = Array.from({ length: mostOrders }, () => fill(wanted, random));
  const best = rows.reduce((one, other) => (other.gain > one.gain ? other : one), { choices: {}, gain: 0 });
  if (best.gain > 0) return best.choices;
  // Adding one choice at a time hardly ever finds the last pairs.
  const pair = untriedPair(wanted);
  return pair === undefined ? undefined : fill({ ...wanted, start: pair }, random).choices;
}

function untriedPair({ variables, seen, apart }: Wanted): Choices | undefined {
  const all = variables.flatMap(({ id, choices }) => choices.map((choice) => ({ id, choice })));
  const areApart = (...ids: string[]) => apart.some((one) => one.every((id) => ids.includes(id)));
  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1)) {
      if (one.id === other.id || areApart(one.id, other.id)) continue;
      const isSeen = seen.has(pairOf(nameOf(one.id, one.choice), nameOf(other.id, other.choice)));
      if (!isSeen) return { [one.id]: one.choice, [other.id]: other.choice };
    }
  }
  return undefined;
}

/** A new choice is worth more than any number of new pairs. */
const worthOfChoice = 1_000;

function fill({ variables, seen, start, apart }: Wanted, random: Random): { choices: Choices; gain: number } {
  const row: Record<string, Choice> = { ...start };
  let gain = 0;
  const isFull = (id: string) => apart.some((ids) => ids.includes(id) && ids.every((one) => one === id || one in row));
  for (const { id, choices } of shuffled(variables, random)) {
    if (id in row || isFull(id)) continue;
    const gains = choices.map((choice) => {
      const one = nameOf(id, choice);
      const pairs = Object.entries(row).filter((other) => !seen.has(pairOf(one, nameOf(...other))));
      return pairs.length + (seen.has(one) ? 0 : worthOfChoice);
    });
    const most = Math.max(...gains);
    const best = most > 0 ? choices.filter((_, index) => gains[index] === most) : [undefined, ...choices];
    const choice = best[random.uint32() % best.length];
    if (choice !== undefined) row[id] = choice;
    gain += most;
  }
  return { choices: row, gain };
}

/** How many of all choices and pairs were tried. */
export function coverageOf(variables: readonly Variable[], seen: ReadonlySet<string>): Coverage {
  const names = variables.map(({ id, choices }) => choices.map((choice) => nameOf(id, choice)));
  const pairs = names.flatMap((some, index) =>
    names.slice(index + 1).flatMap((others) => some.flatMap((one) => others.map((other) => pairOf(one, other)))),
  );
  const count = (all: readonly string[]) => ({ tried: all.filter((one) => seen.has(one)).length, all: all.length });
  return { choices: count(names.flat()), pairs: count(pairs) };
}

/** The choices with which the tests first met an open point; none if they meet it on the base. */
export function contextOf(id: string, { tallies }: Ledger): Choices {
  return tallies.find((tally) => isSeenGreen(tally) && tally.met.has(id))?.choices ?? {};
}

export function nameOf(id: string, choice: Choice): string {
  return `${id}=${choice}`;
}

function pairOf(one: string, other: string): string {
  return one < other ? `${one}\n${other}` : `${other}\n${one}`;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.uint32() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
