/*
 * A search: the base must pass. Each profile gets one run; the drawn ones (`profiles.ts`, `covering.ts`) try what no
 * passing run has tried. If one fails, it is reduced to one choice, or to those that fail together
 * (`smallest-red.ts`); these are suspects, and go back to the base until the profile passes. In the end each suspect
 * is confirmed alone (`confidence.ts`); one that passes is dropped, and its profiles are tried again. No profile is
 * tried twice for the same question. Why a search ends: `ledger.ts`, `report.ts`.
 */
import { type Confidence, confidenceFrom } from './confidence.ts';
import { allOf, type Choices, isMixed, type Ledger, SearchEnded } from './ledger.ts';
import { namesOf, type Suspect, toProbes, withoutSuspects } from './probes.ts';
import { smallestRed } from './smallest-red.ts';

/** A legal profile to try. */
export interface DrawnProfile {
  name: string;
  /** Its choices that differ from the base profile. */
  choices: Choices;
}

/** A smallest set of choices that makes the tests fail. */
export interface Cause extends Suspect {
  /** The profile in which it was found. */
  variant: string;
  /** The number of failed runs in a row that confirm it. */
  confirmedBy: number;
}

/** The result for one profile, after the known causes in it were reset to the base profile. */
export interface VariantResult {
  variant: DrawnProfile;
  /** The choices that were left in the end. */
  remaining: Choices;
  /** `red`: the tests still fail, and the cause was not found. `unfinished`: the search ended earlier. */
  outcome: 'green' | 'flaky' | 'red' | 'unfinished';
}

export interface SearchResult {
  isBaseGreen: boolean;
  causes: Cause[];
  variants: VariantResult[];
  /** Set when the search ended early. */
  endedBy: SearchEnded['reason'] | undefined;
}

export interface SearchOptions {
  /** How many runs must fail before the base profile counts as failing. */
  baseRepeat: number;
  /** How many runs in a row must fail before a cause is reported; more if the tests are flaky. See {@link confidenceFrom}. */
  repeat: number | undefined;
  /** Called when the tests have passed with the base profile. */
  onBase?: () => void;
  /** Called with a cause that is not confirmed yet. */
  onSuspect?: (cause: Cause) => void;
  onCause?: (cause: Cause) => void;
  /** Further profiles, based on the runs and causes so far. None ends the search. */
  draw?: (causes: readonly Suspect[]) => DrawnProfile[];
}

/** A profile and what is known about it. */
interface Tried {
  variant: DrawnProfile;
  isDrawn: boolean;
  /** The causes found in it, whether confirmed or not. */
  found: number;
  /** Failed attempts to find or confirm a cause. */
  attempts: number;
  /** Set once it is settled, with the causes that were reset for it. */
  settled?: { result: VariantResult; suspects: readonly Cause[] };
}

interface Search {
  ledger: Ledger;
  options: SearchOptions;
  tried: Tried[];
  /** Causes in the order found. `confirmedBy` is 0 until they are confirmed. */
  suspects: Cause[];
}

const baseName = 'the base profile';
/** The base profile always gets this many runs, to detect flaky tests at the start. */
const baseRuns = 3;
/** After this many unconfirmed causes, the search in a profile ends. */
const mostAttempts = 10;

/**
 * Searches the profiles for causes. Confirms them last, because each passing run lowers the number of failing runs
 * needed. Rethrows errors of the ledger except {@link SearchEnded}.
 */
export async function search(
  ledger: Ledger,
  variants: readonly DrawnProfile[],
  options: SearchOptions,
): Promise<SearchResult> {
  const all: Search = { ledger, options, tried: variants.map((variant) => toTried(variant, false)), suspects: [] };
  let isGreen = false;
  let endedBy: SearchResult['endedBy'];
  try {
    isGreen = await isBaseGreen(ledger, options.baseRepeat);
    if (isGreen) {
      options.onBase?.();
      await explore(all);
    }
  } catch (error) {
    if (!(error instanceof SearchEnded)) throw error;
    endedBy = error.reason;
  }
  const causes = all.suspects.filter(isConfirmed);
  return {
    isBaseGreen: isGreen,
    causes,
    variants: isGreen ? all.tried.map((one) => resultOf(one, causes, ledger)) : [],
    endedBy,
  };
}

async function isBaseGreen(ledger: Ledger, repeat: number): Promise<boolean> {
  for (let done = 0; done < baseRuns; done += ledger.parallel) {
    const count = Math.min(ledger.parallel, baseRuns - done);
    await allOf(Array.from({ length: count }, () => ledger.run({}, baseName)));
  }
  return !(await ledger.isRed({}, repeat, baseName));
}

/** Settles all profiles until every suspect is confirmed; repeats those from which a wrong suspect was removed. */
async function explore(all: Search): Promise<void> {
  do {
    for (let some = nextOf(all); some.length > 0; some = nextOf(all)) {
      const firstRuns = some.map(async ({ variant }) => {
        const { remaining } = withoutSuspects(variant.choices, all.suspects);
        if (all.ledger.of(remaining).runs === 0) await all.ledger.run(remaining, variant.name);
      });
      await allOf(firstRuns);
      for (const one of some) await settle(all, one);
    }
  } while (!(await confirmAll(all)));
}

function nextOf(all: Search): Tried[] {
  const waiting = all.tried.filter(({ settled }) => settled === undefined).slice(0, all.ledger.parallel);
  if (waiting.length > 0) return waiting;
  const drawn = all.options.draw?.(all.suspects).map((variant) => toTried(variant, true)) ?? [];
  all.tried.push(...drawn);
  return drawn;
}

/** Searches a profile for causes until the tests pass without them, or prove flaky. */
async function settle(all: Search, one: Tried): Promise<void> {
  const { ledger, suspects } = all;
  while (one.attempts < mostAttempts) {
    const { remaining } = withoutSuspects(one.variant.choices, suspects);
    const probes = toProbes(remaining, one.found, ledger);
    const purposeOf = purposeIn(one, remaining);
    const index = await ledger.firstRed(probes, confidence(all).perStep, purposeOf);
    const probe = index === undefined ? undefined : probes[index];
    if (probe !== undefined) await suspect(all, one, probe, purposeOf);
    else if (probes.includes(remaining)) return end(all, one, 'green');
  }
  end(all, one, 'red');
}

function end({ suspects }: Search, one: Tried, outcome: 'green' | 'red'): void {
  const { remaining, reset } = withoutSuspects(one.variant.choices, suspects);
  one.settled = { result: { variant: one.variant, remaining, outcome }, suspects: reset };
}

/** Reduces a failing set of choices to a smallest part and adds that to the suspects. */
async function suspect(
  all: Search,
  one: Tried,
  probe: Choices,
  purposeOf: (choices: Choices) => string,
): Promise<void> {
  const { ledger } = all;
  const times = () => confidence(all).perStep;
  const found = await smallestRed(Object.entries(probe), {
    width: ledger.parallel,
    firstRed: (candidates) => ledger.firstRed(candidates.map(Object.fromEntries), times(), purposeOf),
    isRed: (set) => ledger.isRed(Object.fromEntries(set), times(), purposeOf(Object.fromEntries(set))),
    isStillRed: (set) => ledger.staysRed(Object.fromEntries(set), times() + 1, purposeOf(Object.fromEntries(set))),
  });
  if (found === undefined) {
    one.attempts++;
    return;
  }
  one.found++;
  dropWider(all, Object.fromEntries(found));
  const cause = { choices: Object.fromEntries(found), variant: one.variant.name, confirmedBy: 0 };
  all.suspects.push(cause);
  // With --repeat 1, the search's own runs are enough.
  if (missingRuns(all, cause) === 0) name(all, cause);
  else all.options.onSuspect?.(cause);
}

/** Whether all suspects are confirmed. The others are dropped, and their profiles must be settled again. */
async function confirmAll(all: Search): Promise<boolean> {
  const waiting = all.suspects.filter((one) => !isConfirmed(one));
  for (const cause of waiting) {
    const purpose = `${cause.variant}, confirming ${namesOf(cause.choices)}`;
    if (
      !isMixed(all.ledger.of(cause.choices)) &&
      (await all.ledger.staysRed(cause.choices, missingRuns(all, cause), purpose))
    )
      name(all, cause);
    else {
      for (const one of all.tried.filter(({ variant }) => variant.name === cause.variant)) one.attempts++;
      drop(all, cause);
    }
  }
  return waiting.every(isConfirmed);
}

function missingRuns(all: Search, { choices }: Cause): number {
  const { toConfirm, areEarlierRunsCounted } = confidence(all);
  return Math.max(0, toConfirm - (areEarlierRunsCounted ? all.ledger.of(choices).red : 0));
}

function name({ ledger, options }: Search, cause: Cause): void {
  cause.confirmedBy = ledger.of(cause.choices).red;
  options.onCause?.(cause);
}

function drop(all: Search, cause: Cause): void {
  all.suspects.splice(all.suspects.indexOf(cause), 1);
  for (const one of all.tried) if (one.settled?.suspects.includes(cause)) delete one.settled;
}

/** In a drawn profile, a cause that contains a smaller one says nothing new. */
function dropWider(all: Search, found: Choices): void {
  const ids = Object.keys(found);
  const isWithin = (larger: Choices) =>
    ids.length < Object.keys(larger).length && ids.every((id) => Object.hasOwn(larger, id));
  const drawn = new Set(all.tried.filter(({ isDrawn }) => isDrawn).map(({ variant }) => variant.name));
  const wider = all.suspects.filter(({ choices, variant }) => drawn.has(variant) && isWithin(choices));
  for (const one of wider) drop(all, one);
}

function isConfirmed({ confirmedBy }: Cause): boolean {
  return confirmedBy > 0;
}

function confidence({ ledger, options }: Search): Confidence {
  return confidenceFrom(ledger.tallies, options.repeat);
}

function purposeIn({ variant }: Tried, remaining: Choices): (choices: Choices) => string {
  const total = Object.keys(remaining).length;
  return (choices) => {
    const count = Object.keys(choices).length;
    return count === total ? variant.name : `${variant.name}, ${count} of ${total} choices`;
  };
}

function toTried(variant: DrawnProfile, isDrawn: boolean): Tried {
  return { variant, isDrawn, found: 0, attempts: 0 };
}

function resultOf({ variant, settled }: Tried, causes: readonly Cause[], ledger: Ledger): VariantResult {
  const { remaining } = withoutSuspects(variant.choices, causes);
  if (settled === undefined || !settled.suspects.every(isConfirmed))
    return { variant, remaining, outcome: 'unfinished' };
  const { result } = settled;
  const isFlaky = result.outcome === 'green' && isMixed(ledger.of(result.remaining));
  return isFlaky ? { ...result, outcome: 'flaky' } : result;
}
