import type { Choice } from '../../../openapi/contract/open-points.ts';

/** Choices that differ from those of the base, by open point. */
export type Choices = Readonly<Record<string, Choice>>;

/** One run of the tests in one world. */
export interface Trial {
  isRed: boolean;
  durationMs: number;
  /** How it ended, such as `exit code 1`. */
  ending: string;
  /** The last lines of what it printed. */
  output: string;
  /** How many requests it sent to the mock. */
  requests: number;
  /** The open points that shaped an answer to it. */
  met: readonly string[];
}

/** Runs the tests in the base with these choices over it. */
export type Play = (choices: Choices) => Promise<Trial>;

/** A run that is over, for those who look on. */
export interface Run extends Trial {
  /** From 1. */
  number: number;
  /** In which world, and what for. */
  purpose: string;
}

/** How the tests have done in one world so far. */
export interface Standing {
  readonly choices: Choices;
  /** That of the first run. */
  purpose: string;
  runs: number;
  red: number;
  /** The latest red run. */
  latestRed: Trial | undefined;
}

/** The search ends before its end: it may run the tests no more, or somebody asked it to stop. */
export class SearchEnded extends Error {
  readonly reason: 'maxRuns' | 'stopped';

  constructor(reason: SearchEnded['reason']) {
    super(reason);
    this.reason = reason;
  }
}

export interface LedgerOptions {
  maxRuns: number;
  /** How many runs there may be at once. */
  parallel: number;
  onRun?: (run: Run) => void;
}

/** Every run, by the set of choices: what is known of a world is not tried again. */
export class Ledger {
  readonly parallel: number;
  readonly #play: Play;
  readonly #maxRuns: number;
  readonly #onRun: (run: Run) => void;
  readonly #standings = new Map<string, Standing>();
  #started = 0;
  #done = 0;

  constructor(play: Play, { maxRuns, parallel, onRun = () => undefined }: LedgerOptions) {
    this.#play = play;
    this.#maxRuns = maxRuns;
    this.parallel = parallel;
    this.#onRun = onRun;
  }

  /** The open points that shaped an answer in some run. */
  readonly met = new Set<string>();

  /** How many runs are over. */
  get runs(): number {
    return this.#done;
  }

  /** Every world that was tried, in the order of the first runs. */
  get standings(): readonly Standing[] {
    return [...this.#standings.values()].filter(({ runs }) => runs > 0);
  }

  of(choices: Choices): Standing {
    const key = JSON.stringify(Object.entries(choices).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = this.#standings.get(key);
    if (known !== undefined) return known;
    const standing: Standing = { choices, purpose: '', runs: 0, red: 0, latestRed: undefined };
    this.#standings.set(key, standing);
    return standing;
  }

  /** Runs the tests once. Throws {@link SearchEnded} when they may not run any more. */
  async run(choices: Choices, purpose: string): Promise<Trial> {
    if (this.#started >= this.#maxRuns) throw new SearchEnded('maxRuns');
    this.#started++;
    const trial = await this.#play(choices);
    note(this.of(choices), trial, purpose);
    for (const id of trial.met) this.met.add(id);
    this.#done++;
    this.#onRun({ ...trial, number: this.#done, purpose });
    return trial;
  }

  /** Whether the tests are red here each time: true after `times` red runs, false as soon as one is green. */
  async isRed(choices: Choices, times: number, purpose: string): Promise<boolean> {
    const standing = this.of(choices);
    while (!isSeenGreen(standing) && standing.red < times) await this.run(choices, purpose);
    return !isSeenGreen(standing);
  }

  /** The same with runs of its own, several at once: what is known already does not count. */
  async staysRed(choices: Choices, times: number, purpose: string): Promise<boolean> {
    for (let done = 0; done < times; ) {
      const count = Math.min(this.parallel, times - done);
      const trials = await allOf(Array.from({ length: count }, () => this.run(choices, purpose)));
      if (trials.some(({ isRed }) => !isRed)) return false;
      done += count;
    }
    return true;
  }

  /** The first candidate that is red each time; several are tried at once. */
  async firstRed(
    candidates: readonly Choices[],
    times: number,
    purposeOf: (candidate: Choices) => string,
  ): Promise<Choices | undefined> {
    for (let index = 0; index < candidates.length; index += this.parallel) {
      const some = candidates.slice(index, index + this.parallel);
      const verdicts = await allOf(some.map((candidate) => this.isRed(candidate, times, purposeOf(candidate))));
      const found = verdicts.indexOf(true);
      if (found >= 0) return some[found];
    }
    return undefined;
  }
}

function note(standing: Standing, trial: Trial, purpose: string): void {
  if (standing.runs === 0) standing.purpose = purpose;
  standing.runs++;
  if (!trial.isRed) return;
  standing.red++;
  standing.latestRed = trial;
}

/** Whether nothing here turns the tests red each time. */
export function isSeenGreen({ runs, red }: Standing): boolean {
  return runs > red;
}

/** Whether the tests were red here and green, too. */
export function isMixed(standing: Standing): boolean {
  return standing.red > 0 && isSeenGreen(standing);
}

/** Waits until all are over, whatever becomes of them: no run is left behind. */
export async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(promises);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
