import type { Choice } from '../../../openapi/contract/open-points.ts';
import { type Care, careFor } from './care.ts';
import { ddmin } from './ddmin.ts';
import { allOf, type Choices, isMixed, isSeenGreen, type Ledger, SearchEnded } from './ledger.ts';

/** A legal world to try. */
export interface World {
  name: string;
  /** What it plays otherwise than the base. */
  choices: Choices;
}

/** A smallest set of choices that turns the tests red. */
export interface Cause {
  choices: Choices;
  /** The world in which it was found. */
  world: string;
  /** The red runs, one after the other, that confirm it. */
  confirmedBy: number;
}

/** What became of one world, once the known causes in it were set to the base. */
export interface WorldResult {
  world: World;
  /** What was left of it in the end. */
  remaining: Choices;
  /** `red`: it stays red, and what turns it red was not found. `unfinished`: the search ended before. */
  outcome: 'green' | 'flaky' | 'red' | 'unfinished';
}

export interface SearchResult {
  isBaseGreen: boolean;
  causes: Cause[];
  worlds: WorldResult[];
  /** Why it ended early, if it did. */
  endedBy: SearchEnded['reason'] | undefined;
}

export interface SearchOptions {
  /** How often a red base is run before it is believed. */
  baseRepeat: number;
  /** How many runs in a row have to be red before a cause is named; more where the tests are flaky. See {@link careFor}. */
  repeat: number | undefined;
  onCause?: (cause: Cause) => void;
}

const baseName = 'the base';
/** The base is run this often whatever comes: a flaky command is best known from the start. */
const baseRuns = 3;
/** How often a cause is looked for in one world, when what was found is not confirmed. */
const mostAttempts = 10;

/** Looks for every cause in the worlds, one after the other. What the ledger throws, beside its end, is passed on. */
export async function search(ledger: Ledger, worlds: readonly World[], options: SearchOptions): Promise<SearchResult> {
  const state: SearchResult = { isBaseGreen: false, causes: [], worlds: [], endedBy: undefined };
  try {
    state.isBaseGreen = await isBaseGreen(ledger, options.baseRepeat);
    if (state.isBaseGreen) await explore(ledger, worlds, options, state);
  } catch (error) {
    if (!(error instanceof SearchEnded)) throw error;
    state.endedBy = error.reason;
  }
  const left = worlds.filter((world) => !state.worlds.some((result) => result.world === world));
  const unfinished = left.map((world) => toResult(ledger, world, state.causes, 'unfinished'));
  return { ...state, worlds: [...state.worlds, ...(state.isBaseGreen ? unfinished : [])] };
}

async function isBaseGreen(ledger: Ledger, repeat: number): Promise<boolean> {
  for (let done = 0; done < baseRuns; done += ledger.parallel) {
    const count = Math.min(ledger.parallel, baseRuns - done);
    await allOf(Array.from({ length: count }, () => ledger.run({}, baseName)));
  }
  return !(await ledger.isRed({}, repeat, baseName));
}

async function explore(
  ledger: Ledger,
  worlds: readonly World[],
  options: SearchOptions,
  state: SearchResult,
): Promise<void> {
  let waiting = [...worlds];
  while (waiting.length > 0) {
    const some = waiting.slice(0, ledger.parallel);
    await allOf(some.map((world) => glance(ledger, world, state.causes)));
    const green = some.filter((world) => isSeenGreen(ledger.of(remainingOf(world, state.causes))));
    state.worlds.push(...green.map((world) => toResult(ledger, world, state.causes, 'green')));
    const red = some.find((world) => !green.includes(world));
    if (red !== undefined) state.worlds.push(await settle(ledger, red, options, state));
    waiting = waiting.filter((world) => !green.includes(world) && world !== red);
  }
}

/** One run, where there was none. */
async function glance(ledger: Ledger, world: World, causes: readonly Cause[]): Promise<void> {
  const choices = remainingOf(world, causes);
  if (ledger.of(choices).runs === 0) await ledger.run(choices, world.name);
}

/** Looks for causes in a red world until it is green without them, or proves to be flaky. */
async function settle(
  ledger: Ledger,
  world: World,
  { repeat, onCause = () => undefined }: SearchOptions,
  state: SearchResult,
): Promise<WorldResult> {
  for (let attempt = 0; attempt < mostAttempts; ) {
    const remaining = remainingOf(world, state.causes);
    const { atFirst } = careFor(ledger.standings, repeat);
    if (!(await ledger.isRed(remaining, atFirst, world.name))) return toResult(ledger, world, state.causes, 'green');
    const cause = await findCause(ledger, world, remaining, repeat);
    attempt = cause === undefined ? attempt + 1 : 0;
    if (cause === undefined) continue;
    state.causes.push(cause);
    onCause(cause);
  }
  return toResult(ledger, world, state.causes, 'red');
}

/** A smallest set of choices that turns the tests red, when it does so each time. */
async function findCause(
  ledger: Ledger,
  world: World,
  remaining: Choices,
  repeat: number | undefined,
): Promise<Cause | undefined> {
  const care = (): Care => careFor(ledger.standings, repeat);
  const total = Object.keys(remaining).length;
  const purposeOf = (choices: Choices) => `${world.name}, ${Object.keys(choices).length} of ${total} choices`;
  const found = await ddmin<Named>(Object.entries(remaining), {
    firstRed: async (candidates) => {
      const red = await ledger.firstRed(candidates.map(toChoices), care().perStep, purposeOf);
      return red === undefined ? undefined : Object.entries(red);
    },
    isStillRed: (set) => ledger.staysRed(toChoices(set), care().perStep + 1, purposeOf(toChoices(set))),
  });
  if (found === undefined) return undefined;
  const choices = toChoices(found);
  const { toConfirm } = care();
  if (!(await ledger.staysRed(choices, toConfirm, `${world.name}, confirming ${namesOf(choices)}`))) return undefined;
  return { choices, world: world.name, confirmedBy: toConfirm };
}

/** The choices of a world without the known causes: those of which it has every open point are set to the base. */
export function remainingOf(world: World, causes: readonly Cause[]): Choices {
  const present = causes.filter(({ choices }) => Object.keys(choices).every((id) => Object.hasOwn(world.choices, id)));
  const known = new Set(present.flatMap(({ choices }) => Object.keys(choices)));
  return toChoices(Object.entries(world.choices).filter(([id]) => !known.has(id)));
}

function toResult(
  ledger: Ledger,
  world: World,
  causes: readonly Cause[],
  outcome: WorldResult['outcome'],
): WorldResult {
  const remaining = remainingOf(world, causes);
  const isFlaky = outcome === 'green' && isMixed(ledger.of(remaining));
  return { world, remaining, outcome: isFlaky ? 'flaky' : outcome };
}

type Named = readonly [openPoint: string, choice: Choice];

function toChoices(entries: readonly Named[]): Choices {
  return Object.fromEntries(entries);
}

/** `createStatus=200, errorBody=empty` */
export function namesOf(choices: object): string {
  return Object.entries(choices)
    .map(([id, choice]) => `${id}=${choice}`)
    .join(', ');
}
