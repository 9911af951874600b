import type { Choice } from '../openapi/contract/open-points.ts';
import type { OperationId } from '../openapi/contract/operations.ts';
import type { Exchange } from './target/exchange.ts';

/**
 * How one check ended. `failed`: a must is broken. `warned`: a should is broken. `unverified`: the check could not judge; the
 * reason says why. `skipped`: the check was not selected, or needs an option.
 */
export type Outcome = 'passed' | 'failed' | 'warned' | 'unverified' | 'skipped';

export const outcomes: readonly Outcome[] = ['passed', 'failed', 'warned', 'unverified', 'skipped'];

/** `undetermined`: nothing failed, but something could not be judged. */
export type Verdict = 'conformant' | 'non-conformant' | 'undetermined';

/** What was expected and what came, complete enough to be understood without the run. Keys are redacted. */
export interface Evidence {
  /** What would have been legal, in words. */
  expected: string;
  /** What came instead. */
  actual: string;
  /** The exchanges that show it, the decisive one last. */
  exchanges: Exchange[];
  /** A shell command that repeats the decisive request; the key comes from `$AGENT_PLATFORM_API_KEY`. */
  curl?: string;
  /** The smallest input that shows it, if inputs were generated. */
  smallest?: string;
}

/** The result of one check. */
export interface CheckResult {
  id: string;
  /** The first requirement that the check judges. */
  requirement: string;
  /** All requirements that it judges. */
  requirements: string[];
  level: 'must' | 'should';
  operation: OperationId;
  outcome: Outcome;
  /** Why, in one sentence. Empty for most checks that passed. */
  reason: string;
  evidence?: Evidence;
  /** The requirements in words, with sections and pointers into the contract; only if the check failed or warned. */
  required?: { text: string; sections: string[]; pointers: string[] }[];
  /** For `unverified`: the setting that would let the check judge, a flag or a place in the config. */
  setting?: string;
  /** Why the failure was expected (`--expected-failures`). */
  expectedFailure?: string;
  durationMs: number;
}

/** Something that the run created, moved or deleted and could not undo. */
export interface Leftover {
  kind: 'drive' | 'mcpServer' | 'file' | 'deletedFile' | 'publication';
  id: string;
  /** What happened to it, for people. */
  note: string;
  driveId?: string;
  name?: string;
}

export type Summary = Record<Outcome, number>;

/** What `--json` writes. The schema is `report.schema.json`. */
export interface Report {
  verdict: Verdict;
  summary: Summary;
  checks: CheckResult[];
  /** What the target does at each open point; `other` if it is none of the listed choices. */
  observed: Record<string, Choice>;
  /** What was seen, for each `other` in `observed`. */
  samples: Record<string, string>;
  leftovers: Leftover[];
  /** Entries of `--expected-failures` that did not fail (`stale`) or were not judged. */
  expectedFailures: { stale: string[]; notJudged: string[] };
  run: RunFacts;
}

/** The circumstances of a run. */
interface RunFacts {
  /** Part of the name of everything the run creates. */
  id: string;
  tool: string;
  contractVersion: string;
  baseUrl: string;
  startedAt: string;
  durationMs: number;
  requests: number;
  randomSeed: number;
  allowWrites: boolean;
  allowDestructive: boolean;
  /** Set if the suite stopped early: its own error, or that the target no longer answers; never a violation. */
  suiteError?: string;
}
