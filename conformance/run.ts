import { loadDocument } from '../openapi/contract/load.ts';
import type { OperationId } from '../openapi/contract/operations.ts';
import { type Check, phases } from './check.ts';
import { allChecks, type RegisteredCheck } from './checks/index.ts';
import { type ExpectedFailure, markExpected } from './expected-failures.ts';
import { judge, skipped } from './judge.ts';
import { collectLeftovers, collectLostFiles } from './leftovers.ts';
import { moveAllBack } from './moves.ts';
import { type Observed, observe } from './observe/observe.ts';
import { reach } from './reach.ts';
import { redactDeep } from './redact.ts';
import type { CheckResult, Report } from './report.ts';
import { startReadings } from './samples.ts';
import { type Selection, selectIds } from './selection.ts';
import { Session } from './session.ts';
import type { Settings } from './settings.ts';
import { Stopped, Unverified } from './signals.ts';
import { SuiteError } from './suite-error.ts';
import { summarize, verdictOf } from './verdict.ts';

/** How to run the suite. */
export interface RunOptions extends Partial<Selection> {
  /** Name and version of the suite, as reports and the User-Agent show it. */
  tool: string;
  /**
   * Whether to see what the target does where the specification is silent; it takes some requests of its own. Default:
   * when all checks are selected.
   */
  observe?: boolean;
  /** Shuffles the checks within their phases, for proofs. */
  shuffleSeed?: number;
  /** Told of each check when it is done. */
  onResult?: (result: CheckResult) => void;
  /** Told of the run before its first request. */
  onStart?: (session: Session) => void;
  /** Checks that are known to fail. */
  expectedFailures?: readonly ExpectedFailure[];
  /** Ends the run early: nothing more is judged, files are moved back, and the report has what was found. */
  signal?: AbortSignal;
}

/** Judges a target. Rejects with a `SuiteError` when it cannot be reached or nothing is selected. */
export async function runSuite(settings: Settings, options: RunOptions): Promise<Report> {
  const checks = inOrder(allChecks(), options.shuffleSeed);
  const ids = selectIds(
    checks.map(({ id }) => id),
    { only: options.only ?? [], skip: options.skip ?? [] },
  );
  const session = new Session(settings, options.tool);
  const stop = () => session.target.stop();
  if (options.signal?.aborted) stop();
  options.signal?.addEventListener('abort', stop);
  try {
    options.onStart?.(session);
    return await judgeAll(session, checks, ids, options);
  } finally {
    options.signal?.removeEventListener('abort', stop);
    await session.close();
  }
}

async function judgeAll(
  session: Session,
  checks: readonly RegisteredCheck[],
  ids: ReadonlySet<string>,
  options: RunOptions,
): Promise<Report> {
  const startedAt = new Date();
  await reach(session).catch((error: unknown) => {
    if (error instanceof Stopped) throw new SuiteError('STOPPED', 'The run was stopped before its first check.');
    throw error instanceof Unverified ? new SuiteError('TARGET_UNREACHABLE', error.message) : error;
  });
  await lookAtFiles(session, checks, ids);
  const results: CheckResult[] = [];
  const suiteError = await runEach(session, checks, ids, (result) => {
    results.push(redactDeep(result, session.redact));
    options.onResult?.(results.at(-1) as CheckResult);
  });
  const isWanted = suiteError === undefined && (options.observe ?? ids.size === checks.length);
  const { observed, observerError } = await observeIf(session, isWanted);
  const teardownError = await tidyUp(session);
  const error = suiteError ?? observerError ?? teardownError;
  return { ...toReport(session, results, options, startedAt, error), ...observed };
}

// It ends no run and judges nothing.
async function observeIf(session: Session, isWanted: boolean): Promise<{ observed: Observed; observerError?: string }> {
  const nothing: Observed = { observed: {}, samples: {} };
  if (!isWanted) return { observed: nothing };
  try {
    return { observed: await observe(session) };
  } catch (error) {
    const observerError = session.target.isStopped ? stopped : `while observing: ${inWords(error)}`;
    return { observed: nothing, observerError };
  }
}

function inWords(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const aboutFiles: readonly OperationId[] = ['getDriveFile', 'updateDriveFile', 'deleteDriveTree'];

// Before anything is done to them; what cannot be read is for the checks to say.
async function lookAtFiles(
  session: Session,
  checks: readonly RegisteredCheck[],
  ids: ReadonlySet<string>,
): Promise<void> {
  if (!checks.some(({ id, operation }) => ids.has(id) && aboutFiles.includes(operation))) return;
  await startReadings(session).catch((error: unknown) => {
    if (!(error instanceof Unverified || error instanceof Stopped)) throw error;
  });
}

// A check that breaks says nothing of the target: the run ends there, and what was found is kept.
async function runEach(
  session: Session,
  checks: readonly RegisteredCheck[],
  ids: ReadonlySet<string>,
  note: (result: CheckResult) => void,
): Promise<string | undefined> {
  for (const check of checks) {
    if (!ids.has(check.id)) {
      note(skipped(check, notSelected));
      continue;
    }
    try {
      const result = await judge(session, check);
      // What was judged while requests were held back means nothing.
      if (session.target.isStopped) return stopped;
      note(result);
    } catch (error) {
      if (session.target.isStopped) return stopped;
      return `${check.id}: ${inWords(error)}`;
    }
  }
  return undefined;
}

async function tidyUp(session: Session): Promise<string | undefined> {
  session.target.startTidying();
  try {
    await moveAllBack(session);
    await collectLeftovers(session);
    await collectLostFiles(session);
    return undefined;
  } catch (error) {
    return `while tidying up: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function toReport(
  session: Session,
  results: CheckResult[],
  options: RunOptions,
  startedAt: Date,
  suiteError: string | undefined,
): Omit<Report, keyof Observed> {
  const { settings, target, redact } = session;
  const summary = summarize(results);
  const today = startedAt.toISOString().slice(0, 10);
  const sorted = results.toSorted((a, b) => a.id.localeCompare(b.id, 'en'));
  return {
    verdict: verdictOf(summary, suiteError === undefined && results.every(({ reason }) => reason !== notSelected)),
    summary,
    ...markExpected(sorted, options.expectedFailures ?? [], today),
    leftovers: redactDeep(session.receipt.all(), redact),
    run: {
      id: session.runId,
      tool: options.tool,
      contractVersion: loadDocument().info.version,
      baseUrl: redact(settings.baseUrl),
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests: target.requests,
      randomSeed: settings.randomSeed,
      allowWrites: settings.allowWrites,
      allowDestructive: settings.allowDestructive,
      ...(suiteError === undefined ? {} : { suiteError: redact(suiteError) }),
    },
  };
}

const stopped = 'stopped before its end';
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
