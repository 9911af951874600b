import type { Choice } from '../../openapi/contract/open-points.ts';
import { type Confidence, confidenceFrom } from './confidence.ts';
import { ddmin } from './ddmin.ts';
import { allOf, type Choices, isMixed, isSeenGreen, type Ledger, SearchEnded } from './ledger.ts';

/** A legal profile to try. */
export interface DrawnProfile {
  name: string;
  /** Its choices that differ from the base profile. */
  choices: Choices;
}

/** A smallest set of choices that makes the tests fail. */
export interface Cause {
  choices: Choices;
  /** The profile in which it was found. */
  world: string;
  /** The number of failed runs in a row that confirm it. */
  confirmedBy: number;
}

/** The result for one profile, after the known causes in it were reset to the base profile. */
export interface WorldResult {
  world: DrawnProfile;
  /** The choices that were left in the end. */
  remaining: Choices;
  /** `red`: the tests still fail, and the cause was not found. `unfinished`: the search ended earlier. */
  outcome: 'green' | 'flaky' | 'red' | 'unfinished';
}

export interface SearchResult {
  isBaseGreen: boolean;
  causes: Cause[];
  worlds: WorldResult[];
  /** Set when the search ended early. */
  endedBy: SearchEnded['reason'] | undefined;
}

interface SearchOptions {
  /** How many runs must fail before the base profile counts as failing. */
  baseRepeat: number;
  /** How many runs in a row must fail before a cause is reported; more if the tests are flaky. See {@link confidenceFrom}. */
  repeat: number | undefined;
  onCause?: (cause: Cause) => void;
}

const baseName = 'the base profile';
/** The base profile always gets this many runs, to detect flaky tests at the start. */
const baseRuns = 3;
/** How many unconfirmed causes in a row end the search in one profile. */
const mostAttempts = 10;

/** Searches the profiles for causes, one after the other. Errors of the ledger other than its end are passed on. */
export async function search(
  ledger: Ledger,
  worlds: readonly DrawnProfile[],
  options: SearchOptions,
): Promise<SearchResult> {
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
  worlds: readonly DrawnProfile[],
  options: SearchOptions,
  state: SearchResult,
): Promise<void> {
  let waiting = [...worlds];
  while (waiting.length > 0) {
    const some = waiting.slice(0, ledger.parallel);
    await allOf(some.map((world) => firstRun(ledger, world, state.causes)));
    const green = some.filter((world) => isSeenGreen(ledger.of(remainingOf(world, state.causes))));
    state.worlds.push(...green.map((world) => toResult(ledger, world, state.causes, 'green')));
    const red = some.find((world) => !green.includes(world));
    if (red !== undefined) state.worlds.push(await findCauses(ledger, red, options, state));
    waiting = waiting.filter((world) => !green.includes(world) && world !== red);
  }
}

/** The first run with a profile. */
async function firstRun(ledger: Ledger, world: DrawnProfile, causes: readonly Cause[]): Promise<void> {
  const choices = remainingOf(world, causes);
  if (ledger.of(choices).runs === 0) await ledger.run(choices, world.name);
}

/** Searches a failing profile for causes until the tests pass without them, or prove flaky. */
async function findCauses(
  ledger: Ledger,
  world: DrawnProfile,
  { repeat, onCause = () => undefined }: SearchOptions,
  state: SearchResult,
): Promise<WorldResult> {
  for (let attempt = 0; attempt < mostAttempts; ) {
    const remaining = remainingOf(world, state.causes);
    const { atFirst } = confidenceFrom(ledger.tallies, repeat);
    if (!(await ledger.isRed(remaining, atFirst, world.name))) return toResult(ledger, world, state.causes, 'green');
    const cause = await findCause(ledger, world, remaining, repeat);
    attempt = cause === undefined ? attempt + 1 : 0;
    if (cause === undefined) continue;
    state.causes.push(cause);
    onCause(cause);
  }
  return toResult(ledger, world, state.causes, 'red');
}

/** A smallest set of choices with which the tests always fail. */
async function findCause(
  ledger: Ledger,
  world: DrawnProfile,
  remaining: Choices,
  repeat: number | undefined,
): Promise<Cause | undefined> {
  const confidence = (): Confidence => confidenceFrom(ledger.tallies, repeat);
  const total = Object.keys(remaining).length;
  const purposeOf = (choices: Choices) => `${world.name}, ${Object.keys(choices).length} of ${total} choices`;
  const found = await ddmin<Named>(Object.entries(remaining), {
    firstRed: async (candidates) => {
      const red = await ledger.firstRed(candidates.map(toChoices), confidence().perStep, purposeOf);
      return red === undefined ? undefined : Object.entries(red);
    },
    isStillRed: (set) => ledger.staysRed(toChoices(set), confidence().perStep + 1, purposeOf(toChoices(set))),
  });
  if (found === undefined) return undefined;
  const choices = toChoices(found);
  const { toConfirm } = confidence();
  if (!(await ledger.staysRed(choices, toConfirm, `${world.name}, confirming ${namesOf(choices)}`))) return undefined;
  return { choices, world: world.name, confirmedBy: toConfirm };
}

/** The choices of a profile without the known causes: a cause whose open points it has is reset to the base profile. */
function remainingOf(world: DrawnProfile, causes: readonly Cause[]): Choices {
  const present = causes.filter(({ choices }) => Object.keys(choices).every((id) => Object.hasOwn(world.choices, id)));
  const known = new Set(present.flatMap(({ choices }) => Object.keys(choices)));
  return toChoices(Object.entries(world.choices).filter(([id]) => !known.has(id)));
}

function toResult(
  ledger: Ledger,
  world: DrawnProfile,
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
