/** What the plugin of Stryker, in the main thread, and the runner in the thread of the tests say to each other. */

export const channelName = 'mutation';

/** Runs tests without a fault, or with one. */
export interface Order {
  order: number;
  /** Undefined runs all tests and counts which faults each of them reaches. */
  mutant?: MutantOrder;
}

export interface MutantOrder {
  id: string;
  testIds: readonly string[];
  hitLimit?: number;
  /** Loads all modules anew. */
  isFresh: boolean;
}

export interface TestResult {
  id: string;
  name: string;
  timeSpentMs: number;
  failure?: string;
}

/** How often each fault is reached, by its id. */
export type Hits = Record<string, number>;

export interface Coverage {
  static: Hits;
  perTest: Record<string, Hits>;
}

export interface Answer {
  order: number;
  tests: TestResult[];
  coverage?: Coverage;
  /** A fault that was reached so often that it probably makes a loop endless. */
  isEndless?: boolean;
  error?: string;
}

/** The switches of the faults, in code that Stryker has changed. */
interface Switchboard {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number | undefined;
  mutantCoverage?: Coverage;
}

const shared = globalThis as { __stryker__?: Switchboard };
shared.__stryker__ ??= {};
export const switchboard = shared.__stryker__;
