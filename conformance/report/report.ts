// What a report contains: here, in `report.schema.json` and `run.ts`; outcomes also in the guide to reports in `docs/`.

import type { ReportWords } from '../../lib/report-words.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Choice } from '../../openapi/points/open-point.ts';
import type { Exchange } from '../target/reply.ts';

/**
 * How one check ended. `failed`: a must is broken. `warned`: a should is broken. `inconclusive`: the check was enabled, and
 * could not judge; `not-enabled`: it needs a setting or data that the user did not give. `skipped`: it was not selected,
 * needs an option, or does not apply to this target. The reason says why.
 */
export type Outcome = 'passed' | 'failed' | 'warned' | 'inconclusive' | 'not-enabled' | 'skipped';

export const outcomes: readonly Outcome[] = ['passed', 'failed', 'warned', 'inconclusive', 'not-enabled', 'skipped'];

/** `inconclusive`: nothing failed, but something enabled could not be judged, or nothing was judged. */
export type Verdict = 'conformant' | 'non-conformant' | 'inconclusive';

/** What was expected and what was received, complete enough to be understood without the run. Keys are redacted. */
export interface Evidence {
  /** What would have been legal, in words. */
  expected: string;
  /** What was received instead. */
  actual: string;
  /** The exchanges that show it, the decisive one last. */
  exchanges: Exchange[];
  /** Shell commands to reproduce it, one per line; they take the key from `$AGENT_PLATFORM_API_KEY`. */
  curl?: string;
  /** The smallest failing input, if inputs were generated. */
  smallest?: string;
  /**
   * The checks that sent the exchanges: to see the finding again, run them as well. Absent if requests that belong to no
   * check show it, after the last check.
   */
  sentBy?: string[];
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
  /** For `not-enabled`: the setting that would enable the check, a flag or a place in the config. */
  setting?: string;
  /** For `inconclusive` and checks that do not apply: what prevented them, such as `status 429`. */
  obstacle?: string;
  /** The check whose failure caused this result. */
  because?: string;
  /** Why the failure was expected (`--expected-failures`). */
  expectedFailure?: string;
  /** Until when and why the failure was expected, if that day has passed. */
  noLongerExpected?: string;
  durationMs: number;
}

/** Something that the run created, moved or deleted and could not undo. */
export interface Leftover {
  kind: 'drive' | 'mcpServer' | 'file' | 'deletedFile' | 'publication';
  id: string;
  /** What happened to it, in words. */
  note: string;
  driveId?: string;
  name?: string;
  /** For a moved file: where the run found it. */
  originalPath?: string;
}

export type Summary = Record<Outcome, number>;

/** What `--json` writes. The schema is `report.schema.json`. */
export interface Report {
  verdict: Verdict;
  summary: Summary;
  checks: CheckResult[];
  /** The target's choice at each open point; `other` if it is not a listed one. */
  observed: Record<string, Choice>;
  /** What was seen, for each `other` in `observed`. */
  samples: Record<string, string>;
  leftovers: Leftover[];
  /** Responses with a status of 500 and above; absent if there were none. */
  serverErrors?: ServerError[];
  /** Entries of `--expected-failures` that did not fail (`stale`) or were not judged. */
  expectedFailures: { stale: string[]; notJudged: string[] };
  /** What the target had to choose at open points (`--require`); absent if nothing was required. */
  requiredChoices?: RequiredChoice[];
  run: RunFacts;
  /** Absent in reports of earlier versions. */
  digest?: ReportDigest;
  /** What follows from the rest, in sentences, for those who draw the report. Added when it is written. */
  words?: ReportWords;
}

/** A choice that the target had to make at an open point. */
export interface RequiredChoice {
  openPoint: string;
  required: Choice;
  /** The target's choice; `other` if it is not a listed one. Absent if it was not seen. */
  seen?: Choice;
  /** Why it was not seen, if known. */
  reason?: string;
}

/** Responses in which a server reports that it failed, by operation and status. */
export interface ServerError {
  method: string;
  /** As in the contract. */
  path: string;
  status: number;
  count: number;
  /** A shell command that repeats the first of the requests. */
  curl: string;
}

/** What ended a run early. */
export type EndedBy = 'suite' | 'target' | 'key' | 'time-limit' | 'user';

/** Missing responses, or ones that say nothing about the contract, in words: `status 429`, `time-outs`. */
interface Trouble {
  what: string;
  count: number;
}

/** A request during which the target crashed. */
export interface CrashNote {
  /** Method and URL. */
  request: string;
  /** The check that sent it; absent if there is none. */
  check?: string;
  /** Whether the target crashed again when the request was repeated. */
  isRepeated: boolean;
}

/** The circumstances of a run. */
interface RunFacts {
  /** Part of the name of everything the run creates. */
  id: string;
  tool: string;
  contractVersion: string;
  baseUrl: string;
  /** The user's name for the target. */
  targetName?: string;
  startedAt: string;
  durationMs: number;
  requests: number;
  randomSeed: number;
  allowWrites: boolean;
  allowDestructive: boolean;
  /** The requests during which the target crashed and came back; absent if it never did. */
  crashes?: CrashNote[];
  /** What came in place of usable responses, with counts, most frequent first; absent if nothing did. */
  troubles?: Trouble[];
  /** For how long the target let requests wait (429, 503); absent if it did not. */
  waitedMs?: number;
  /** Set if the run ended early: why; never a violation. */
  suiteError?: string;
  /** What ended the run early: an error in the suite, a target that is gone, a key that it no longer accepts, the limit on time, or the user. */
  endedBy?: EndedBy;
  /** The move log, if some file may not be back; read by `agent-platform-contract conformance restore`. */
  moveLog?: string;
}

/** Makes runs comparable: two runs with the same digests and config had the same results under the same rules. */
export interface ReportDigest {
  /** The digest of the contract, its requirements and its open points. */
  contract: string;
  /** The digest of the outcomes and of the observed choices. */
  results: string;
  /** The settings of the run, without keys and header values. */
  config: Record<string, unknown>;
}
