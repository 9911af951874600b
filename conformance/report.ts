import type { Choice } from '../openapi/contract/open-points.ts';
import type { OperationId } from '../openapi/contract/operations.ts';
import type { Exchange } from './target/exchange.ts';

/**
 * How one check ended. `failed`: a must is broken. `warned`: a should is broken. `unverified`: it could not be judged,
 * and the reason names what would let it be. `skipped`: it was not asked for.
 */
export type Outcome = 'passed' | 'failed' | 'warned' | 'unverified' | 'skipped';

export const outcomes: readonly Outcome[] = ['passed', 'failed', 'warned', 'unverified', 'skipped'];

/** `undetermined`: nothing failed, and something could not be judged. */
export type Verdict = 'conformant' | 'non-conformant' | 'undetermined';

/** What was seen where something else was expected, so that it can be understood without the run. Keys are redacted. */
export interface Evidence {
  /** All that would have been legal, in words. */
  expected: string;
  /** What came instead. */
  actual: string;
  /** The exchanges that show it, the telling one last. */
  exchanges: Exchange[];
  /** A line for a shell that sends the telling request again; the key stands in `$AGENT_PLATFORM_API_KEY`. */
  curl?: string;
  /** The smallest generated input that shows it, where inputs were generated. */
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
  /** Why, in one sentence; for `unverified` with the setting that would verify it. Empty for most that passed. */
  reason: string;
  evidence?: Evidence;
  /** What is required, in words, with its section and the pointers into the contract; where the check failed or warned. */
  required?: { text: string; sections: string[]; pointers: string[] }[];
  /** The setting that would verify it, for `unverified`: a flag, or a place in the config. */
  setting?: string;
  /** Whether the failure was expected, and why (`--expected-failures`). */
  expectedFailure?: string;
  durationMs: number;
}

/** Something that the run made or moved and could not take back. */
export interface Leftover {
  kind: 'drive' | 'mcpServer' | 'file' | 'deletedFile' | 'publication';
  id: string;
  /** What became of it, for people. */
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
  /** What the target does where the specification is silent; `other` where it is none of the listed choices. */
  observed: Record<string, Choice>;
  /** What was seen where `observed` says `other`. */
  samples: Record<string, string>;
  leftovers: Leftover[];
  /** Entries of `--expected-failures` that did not fail (`stale`) or were not judged. */
  expectedFailures: { stale: string[]; notJudged: string[] };
  run: RunFacts;
}

/** The circumstances of a run. */
export interface RunFacts {
  /** Names of what the run creates carry it. */
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
  /** Set when the suite broke off: its own error, never the target's violation. */
  suiteError?: string;
}
