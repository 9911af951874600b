import type { Choice } from '../../openapi/points/open-point.ts';

/** Choices that differ from the base, by open point. */
export type Choices = Readonly<Record<string, Choice>>;

/** One run of the tests with one profile. Red means that they failed. */
export interface Trial {
  isRed: boolean;
  durationMs: number;
  /** How the run ended, such as `exit code 1`. */
  ending: string;
  /** The lines of its output that tell most: see `child.ts`. */
  output: string;
  /** The number of requests to the mock. */
  requests: number;
  /** How many of them got a 401. */
  unauthorized: number;
  /** The open points that shaped a response. */
  met: readonly string[];
}

/** Runs the tests with these choices over the base profile. */
export type RunTests = (choices: Choices) => Promise<Trial>;

/** A finished run, for progress. */
export interface Run extends Trial {
  /** From 1. */
  number: number;
  /** The profile, and the reason of the run. */
  purpose: string;
}

/** The runs with one profile so far. */
export interface Tally {
  readonly choices: Choices;
  /** Of the first run. */
  purpose: string;
  runs: number;
  red: number;
  latestRed: Trial | undefined;
  /** The open points that shaped a response. */
  readonly met: Set<string>;
}

/** The search ends early: the maximum number of runs was reached, or the user stopped it. */
export class SearchEnded extends Error {
  readonly reason: 'maxRuns' | 'stopped';

  constructor(reason: SearchEnded['reason']) {
    super(reason);
    this.reason = reason;
  }
}

interface LedgerOptions {
  maxRuns: number;
  /** Maximum number of runs at the same time. */
  parallel: number;
  onRun?: (run: Run) => void;
}

/** All runs by set of choices, so that known results are not tried again. */
export class Ledger {
  readonly parallel: number;
  readonly #runTests: RunTests;
  readonly #maxRuns: number;
  readonly #onRun: (run: Run) => void;
  readonly #tallies = new Map<string, Tally>();
  #started = 0;
  #done = 0;

  constructor(runTests: RunTests, { maxRuns, parallel, onRun = () => undefined }: LedgerOptions) {
    this.#runTests = runTests;
    this.#maxRuns = maxRuns;
    this.parallel = parallel;
    this.#onRun = onRun;
  }

  /** The open points that shaped a response in some run. */
  readonly met = new Set<string>();

  /** The number of finished runs. */
  get runs(): number {
    return this.#done;
  }

  /** Every set of choices tried, in the order of their first runs. */
  get tallies(): readonly Tally[] {
    return [...this.#tallies.values()].filter(({ runs }) => runs > 0);
  }

  of(choices: Choices): Tally {
    const key = JSON.stringify(Object.entries(choices).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = this.#tallies.get(key);
    if (known !== undefined) return known;
    const tally: Tally = { choices, purpose: '', runs: 0, red: 0, latestRed: undefined, met: new Set() };
    this.#tallies.set(key, tally);
    return tally;
  }

  /** Runs the tests once. Throws {@link SearchEnded} after the last allowed run. */
  async run(choices: Choices, purpose: string): Promise<Trial> {
    if (this.#started >= this.#maxRuns) throw new SearchEnded('maxRuns');
    this.#started++;
    const trial = await this.#runTests(choices);
    note(this.of(choices), trial, purpose);
    for (const id of trial.met) this.met.add(id);
    this.#done++;
    this.#onRun({ ...trial, number: this.#done, purpose });
    return trial;
  }

  /** Whether the tests always fail: true after `times` failed runs, false as soon as one passes. */
  async isRed(choices: Choices, times: number, purpose: string): Promise<boolean> {
    const tally = this.of(choices);
    while (!isSeenGreen(tally) && tally.red < times) await this.run(choices, purpose);
    return !isSeenGreen(tally);
  }

  /** The same with new runs, several at a time; earlier runs do not count. */
  async staysRed(choices: Choices, times: number, purpose: string): Promise<boolean> {
    for (let done = 0; done < times; ) {
      const count = Math.min(this.parallel, times - done);
      const trials = await allOf(Array.from({ length: count }, () => this.run(choices, purpose)));
      if (trials.some(({ isRed }) => !isRed)) return false;
      done += count;
    }
    return true;
  }

  /**
   * The index of the first candidate with which the tests always fail; tries several at a time. Skips parts of a set
   * that passed.
   */
  async firstRed(
    candidates: readonly Choices[],
    times: number,
    purposeOf: (candidate: Choices) => string,
  ): Promise<number | undefined> {
    const isRed = (candidate: Choices) => this.isRed(candidate, times, purposeOf(candidate));
    for (let index = 0; index < candidates.length; index += this.parallel) {
      const some = candidates.slice(index, index + this.parallel);
      const verdicts = await allOf(some.map(async (one) => !this.clears(one) && isRed(one)));
      const found = verdicts.indexOf(true);
      if (found >= 0) return index + found;
    }
    return undefined;
  }

  /** Whether the tests passed with all of these choices together, possibly with more. */
  clears(choices: Choices): boolean {
    const wanted = Object.entries(choices);
    return this.tallies.some((tally) => isSeenGreen(tally) && wanted.every(([id, one]) => tally.choices[id] === one));
  }
}

function note(tally: Tally, trial: Trial, purpose: string): void {
  if (tally.runs === 0) tally.purpose = purpose;
  tally.runs++;
  for (const id of trial.met) tally.met.add(id);
  if (!trial.isRed) return;
  tally.red++;
  tally.latestRed = trial;
}

/** Whether the tests passed at least once. */
export function isSeenGreen({ runs, red }: Tally): boolean {
  return runs > red;
}

/** Whether the tests failed and also passed. */
export function isMixed(tally: Tally): boolean {
  return tally.red > 0 && isSeenGreen(tally);
}

/** Waits for all, even if one rejects, so that no run is left behind. */
export async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(promises);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
