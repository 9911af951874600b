import type { OperationId } from '../openapi/contract/operations.ts';
import { own, type Sentence, say } from '../openapi/reading/sentence.ts';
import { type Check, phases } from './check.ts';
import { allChecks, type RegisteredCheck } from './checks/index.ts';
import type { Settings } from './config/settings.ts';
import { type ExpectedFailure, markExpected } from './expected-failures.ts';
import { type Observed, observe } from './observe/observe.ts';
import { moveAllBack } from './probing/file-moves.ts';
import { initialReadings } from './probing/initial-files.ts';
import { collectLeftovers, collectLostFiles } from './probing/leftovers.ts';
import { reach } from './reach.ts';
import type { CheckResult, Report } from './report.ts';
import { runCheck, skipped } from './run-check.ts';
import { type Selection, selectIds } from './selection.ts';
import { inSession, type Session } from './session.ts';
import { Stopped, Unverified } from './signals.ts';
import { SuiteError } from './suite-error.ts';
import { summarize, verdictOf } from './verdict.ts';

/** How to run the suite. */
export interface RunOptions extends Partial<Selection> {
  /** Name and version of the suite, for reports and the User-Agent. */
  tool: string;
  /**
   * Whether to observe what the target does where the specification is silent, which takes some requests of its own. Default:
   * if all checks are selected.
   */
  observe?: boolean;
  /** Shuffles the checks within their phases, for the proof of the suite. */
  shuffleSeed?: number;
  /** Called with each result. */
  onResult?: (result: CheckResult) => void;
  /** Called before the first request. */
  onStart?: (session: Session) => void;
  /** Checks that are known to fail. */
  expectedFailures?: readonly ExpectedFailure[];
  /** Stops the run: no further check runs, files are moved back, and the report has the results so far. */
  signal?: AbortSignal;
}

/** Judges a target. Rejects with a `SuiteError` if the target cannot be reached or no check is selected. */
export async function runSuite(settings: Settings, options: RunOptions): Promise<Report> {
  const { tool, signal, only = [], skip = [] } = options;
  const checks = inOrder(allChecks(), options.shuffleSeed);
  const all = checks.map(({ id }) => id);
  const selected = { checks, ids: selectIds(all, { only, skip }) };
  return inSession(settings, { tool, signal, reason: say`stopped before its end` }, async (session) => {
    options.onStart?.(session);
    return judgeTarget(session, selected, options);
  });
}

/** All checks in their order, and the ids of those that run. */
interface Selected {
  checks: readonly RegisteredCheck[];
  ids: ReadonlySet<string>;
}

async function judgeTarget(session: Session, selected: Selected, options: RunOptions): Promise<Report> {
  const { checks, ids } = selected;
  const startedAt = new Date();
  await reach(session).catch((error: unknown) => {
    if (error instanceof Stopped) throw new SuiteError('STOPPED', 'The run was stopped before its first check.');
    if (!(error instanceof Unverified)) throw error;
    throw new SuiteError('TARGET_UNREACHABLE', error.reason.shown(session.redact));
  });
  await readInitialFiles(session, selected);
  const results: CheckResult[] = [];
  const suiteError = await runEach(session, selected, (result) => {
    results.push(result);
    options.onResult?.(result);
  });
  const isObserving = suiteError === undefined && (options.observe ?? ids.size === checks.length);
  const { observed, observerError } = isObserving ? await tryObserve(session) : { observed: nothingObserved };
  const tidyingError = await tidyUp(session);
  const error = suiteError ?? observerError ?? tidyingError;
  return { ...toReport(session, results, options, startedAt, error), ...observed };
}

const aboutFiles: readonly OperationId[] = ['getDriveFile', 'updateDriveFile', 'deleteDriveTree'];

// Before anything is done to the files. The checks report what cannot be read.
async function readInitialFiles(session: Session, { checks, ids }: Selected): Promise<void> {
  if (!checks.some(({ id, operation }) => ids.has(id) && aboutFiles.includes(operation))) return;
  await initialReadings(session).catch((error: unknown) => {
    if (!(error instanceof Unverified || error instanceof Stopped)) throw error;
  });
}

// An error in a check says nothing about the target: the run ends there, and keeps the results so far.
async function runEach(
  session: Session,
  { checks, ids }: Selected,
  note: (result: CheckResult) => void,
): Promise<Sentence | undefined> {
  for (const check of checks) {
    if (!ids.has(check.id)) {
      note(skipped(check, notSelected));
      continue;
    }
    try {
      const result = await runCheck(session, check);
      // After a stop, a result means nothing.
      if (session.target.stopReason !== undefined) return session.target.stopReason;
      note(result);
    } catch (error) {
      return session.target.stopReason ?? say`${own(check.id)}: ${describeError(error)}`;
    }
  }
  return undefined;
}

const nothingObserved: Observed = { observed: {}, samples: {} };

// It judges nothing, and an error in it does not lose the results.
async function tryObserve(session: Session): Promise<{ observed: Observed; observerError?: Sentence | undefined }> {
  try {
    return { observed: await observe(session), observerError: session.target.stopReason };
  } catch (error) {
    const observerError = session.target.stopReason ?? say`while observing: ${describeError(error)}`;
    return { observed: nothingObserved, observerError };
  }
}

// Quoted, so that it is redacted: an error of the suite may contain anything.
function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function tidyUp(session: Session): Promise<Sentence | undefined> {
  // A run that only reads leaves nothing behind, and nothing can be done on a target that is gone.
  if (!session.settings.allowWrites || !(await session.target.startTidying())) return undefined;
  try {
    await moveAllBack(session);
    await collectLeftovers(session);
    await collectLostFiles(session);
    return session.target.stopReason;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return session.target.stopReason ?? say`while tidying up: ${message}`;
  }
}

function toReport(
  session: Session,
  results: CheckResult[],
  options: RunOptions,
  startedAt: Date,
  suiteError: Sentence | undefined,
): Omit<Report, keyof Observed> {
  const { settings, target, redact } = session;
  const summary = summarize(results);
  const today = startedAt.toISOString().slice(0, 10);
  const sorted = results.toSorted((a, b) => a.id.localeCompare(b.id, 'en'));
  return {
    verdict: verdictOf(summary, suiteError === undefined && results.every(({ reason }) => reason !== notSelected)),
    summary,
    ...markExpected(sorted, options.expectedFailures ?? [], today),
    leftovers: session.receipt.all(),
    run: {
      id: session.runId,
      tool: options.tool,
      contractVersion: session.contract.info.version,
      baseUrl: redact(settings.baseUrl),
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests: target.requests,
      randomSeed: settings.randomSeed,
      allowWrites: settings.allowWrites,
      allowDestructive: settings.allowDestructive,
      ...(suiteError === undefined ? {} : { suiteError: suiteError.shown(redact) }),
    },
  };
}

const notSelected = 'It was not selected.';

/** The checks phase by phase, in the order of the table or shuffled within each. */
function inOrder<T extends Check>(checks: readonly T[], shuffleSeed: number | undefined): T[] {
  return phases.flatMap((phase) => {
    const ofPhase = checks.filter((check) => check.phase === phase);
    return shuffleSeed === undefined ? ofPhase : shuffled(ofPhase, shuffleSeed);
  });
}

function shuffled<T>(values: readonly T[], seed: number): T[] {
  const keyed = values.map((value, index) => ({ value, key: Math.imul(index + 1, 0x9e3779b1 ^ seed) >>> 0 }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}
