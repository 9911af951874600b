/*
 * A run: settings (precedence: flags, environment, file); `reach.ts` tries the server; the phases of `check.ts`,
 * ordered so that requests that must have no effect come before those that have it; every successful response is
 * judged; open points are observed, without judging; files are moved back, and the receipt is written. What several
 * checks need is created once per run (`once.ts`). A check returns if it passes. Otherwise it throws `Violated`,
 * `Inconclusive` or `NotRequested` (`signals.ts`); anything else that is thrown is an error in the suite, never the
 * target's. A failure comes from there, from `atEnd`, from a crash at a request of the check (`run-check.ts`), or from the
 * model, which judges every exchange, those of the walk and of trials of groups too (`rules/verdicts.ts`).
 */
import { createHash } from 'node:crypto';
import { guarded } from '../../lib/guarded.ts';
import { missingPackage } from '../../lib/optional-packages.ts';
import type { MoreTypes } from '../../lib/options.ts';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { SharedEffect } from '../checks/check.ts';
import { type Check, notSelected, phases, type Selection, selectIds } from '../checks/check.ts';
import { allChecks, type RegisteredCheck } from '../checks/index.ts';
import { type Observed, observe } from '../observe/observe.ts';
import type { Observer } from '../observe/observer.ts';
import { observers, observersFor } from '../observe/table.ts';
import { initialReadings } from '../probing/files.ts';
import { type ExpectedFailure, markExpected } from '../report/expected-failures.ts';
import { toReportDigest } from '../report/parse-report.ts';
import type { CheckResult, EndedBy, Report } from '../report/report.ts';
import { withFindings } from '../rules/verdicts.ts';
import { moveLogComplaint, usualMoveLog } from '../safety/move-log.ts';
import { collectLeftovers, collectLostFiles, moveAllBack } from '../safety/tidy-up.ts';
import { type Clock, currentClock } from '../target/clock.ts';
import type { Session } from '../target/session.ts';
import { inSession } from '../target/session.ts';
import { deleteFullTree, prepareVolume } from '../walk/volume.ts';
import { walk } from '../walk/walk.ts';
import { settingsFor } from './plan.ts';
import { reach } from './reach.ts';
import {
  cutOff,
  type JudgedCheck,
  nameCauses,
  runCheck,
  serverErrorsOf,
  skipped,
  toNote,
  withLateAnswers,
} from './run-check.ts';
import { runTogether, tryTogether, type Unit, unitsOf } from './schedule.ts';
import { requireSettings, type Settings } from './settings.ts';
import { Inconclusive, obstacleAfter, Stopped } from './signals.ts';
import { stoppedEarly } from './stopped-early.ts';
import { requireOptions, SuiteError } from './suite-error.ts';
import { TraceFile, traceInto } from './trace.ts';
import { judgeChoices, summarize, verdictOf } from './verdict.ts';

/** How to run the suite. */
export interface RunOptions extends Partial<Selection> {
  /** Name and version of the suite, for reports and the User-Agent. */
  tool: string;
  /**
   * Whether to observe what the target does where the specification is silent, which takes additional requests. Default:
   * if all checks are selected; otherwise only the choices that the settings require.
   */
  observe?: boolean;
  /** Shuffles the checks within their phases, for tests of the suite. */
  shuffleSeed?: number;
  /** The existing checks, for tests of the suite that disable the judgement of some. Default: all. */
  checks?: readonly RegisteredCheck[];
  /**
   * Called once the target has responded a few dozen times, with the duration of its fastest response in milliseconds. A
   * short run ends before.
   */
  onReached?: (latencyMs: number) => void;
  /** Called with each result. */
  onResult?: (result: CheckResult) => void;
  /** Called before the first request. */
  onStart?: (session: Session) => void;
  /** Expected failures. */
  expectedFailures?: readonly ExpectedFailure[];
  /** Stops the run: no further check runs, files are moved back, and the report has the results so far. */
  signal?: AbortSignal;
  /** The file in which moves are recorded until every file is back. Default: a new file in the temporary directory. */
  moveLog?: string;
  /** The file for a HAR 1.2 trace of all exchanges. It is overwritten. */
  trace?: string;
  /** Called with a problem that does not end the run. */
  onProblem?: (problem: Sentence) => void;
  /** The clock that paces the run. Default: the clock of the process. */
  clock?: Clock;
}

const optionTypes: Readonly<Record<keyof RunOptions, MoreTypes[string]>> = {
  ...{ tool: ['string'], observe: ['boolean'], shuffleSeed: ['number'], checks: ['list'], clock: ['object'] },
  ...{ onReached: ['function'], onResult: ['function'], onStart: ['function'], onProblem: ['function'] },
  ...{ expectedFailures: ['list'], signal: ['AbortSignal'], moveLog: ['string'], trace: ['string'] },
  ...{ only: ['strings'], skip: ['strings'] },
};

// Before the first request: a run must not stop halfway because of something that could be checked at the start.
function requirePackages({ hostMcpServer }: Settings): void {
  const missing = hostMcpServer ? missingPackage('--host-mcp-server', '@modelcontextprotocol/sdk') : undefined;
  if (missing !== undefined) throw new SuiteError('PACKAGE_MISSING', own(missing));
}

/**
 * Judges a target. Rejects with a `SuiteError` if the target cannot be reached, no check is selected, or an option does not
 * exist.
 */
export async function runSuite(settings: Settings, options: RunOptions): Promise<Report> {
  requireSettings(settings);
  requireOptions({}, options, optionTypes);
  if (typeof options.tool !== 'string') throw new SuiteError('OPTION_INVALID', 'tool must be a string.');
  requirePackages(settings);
  const { tool, signal, moveLog = usualMoveLog(), clock, only = [], skip = [] } = options;
  const checks = inOrder(options.checks ?? allChecks(), options.shuffleSeed);
  const all = checks.map(({ id }) => id);
  const ids = selectIds(all, { only, skip });
  const selected = { checks, ids };
  const observers = observersFor(settings, ids.size === checks.length, options.observe);
  const chosen = checks.filter(({ id }) => ids.has(id));
  const used = settingsFor(chosen, settings, observers);
  const complaint = moveLogComplaint(moveLog, used.allowWrites);
  if (complaint !== undefined) throw new SuiteError('FILE_UNWRITABLE', complaint);
  return inSession(used, { tool, signal, reason: say`the run was interrupted`, moveLog, clock }, async (session) => {
    const heard = { ...options, ...guardedListeners(session, options) };
    startTrace(session, heard);
    heard.onStart?.(session);
    return judgeTarget(session, { ...selected, observers }, heard);
  });
}

type Listeners = Required<Pick<RunOptions, 'onStart' | 'onReached' | 'onResult' | 'onProblem'>>;

/** The listeners of the user. An error in one, also of its promise, ends the run, and files are moved back. */
function guardedListeners(session: Session, { onStart, onReached, onResult, onProblem }: RunOptions): Listeners {
  const guard = <T>(name: keyof Listeners, listener: (value: T) => void = () => undefined) =>
    guarded(listener, (error) =>
      session.target.stop(say`${own(name)} threw an error: ${error instanceof Error ? error.message : String(error)}`),
    );
  return {
    ...{ onStart: guard('onStart', onStart), onReached: guard('onReached', onReached) },
    ...{ onResult: guard('onResult', onResult), onProblem: guard('onProblem', onProblem) },
  };
}

function startTrace(session: Session, { trace: file, tool, onProblem }: RunOptions): void {
  if (file === undefined) return;
  const trace = new TraceFile(file, tool);
  traceInto(trace, session, tool);
  session.onClose(async () => {
    trace.close();
    if (trace.problem !== undefined) onProblem?.(trace.problem);
  });
}

/** All checks in order, the ids of those that run, and the observers. */
interface Selected {
  checks: readonly RegisteredCheck[];
  ids: ReadonlySet<string>;
  observers: readonly Observer[];
}

async function judgeTarget(session: Session, selected: Selected, options: RunOptions): Promise<Report> {
  const startedAt = new Date();
  await reach(session).catch((error: unknown) => {
    throw stoppedEarly(error, 'The run was stopped before its first check', session);
  });
  await readInitialFiles(session, selected);
  const tellLatency = latencyTeller(session, options);
  const results: JudgedCheck[] = [];
  const suiteError = await runEach(session, selected, (result) => {
    tellLatency();
    results.push(result);
    options.onResult?.(result);
  });
  session.checksEndedAtMs = currentClock().nowMs();
  const isObserving = suiteError === undefined && selected.observers.length > 0;
  const { observed, observerError } = isObserving
    ? await tryObserve(session, selected.observers)
    : { observed: nothingObserved };
  const { checks, ids } = selected;
  const { walk: steps, volume } = session.settings;
  const isWalking = suiteError === undefined && observerError === undefined && (steps > 0 || volume);
  const walkError = isWalking ? await tryWalk(session, results) : undefined;
  const tidyingError = await tidyUp(session);
  const error = suiteError ?? observerError ?? walkError ?? tidyingError;
  const judged = withFindings(session, checks, ids, await withLateAnswers(session, checks, results));
  const choices = judgeChoices(session.settings, observed, observers);
  const report = { ...toReport(session, judged, options, startedAt, error), ...observed, ...choices };
  const { only = [], skip = [] } = options;
  return { ...report, digest: toReportDigest(report, session.settings, { only, skip }, session.redact) };
}

/** How many responses show what is usual: the first of a target that has just started take longer than all others. */
const enoughReplies = 40;

/** Tells the latency of the target once it is known. If the user sets the pace, it does not matter. */
function latencyTeller({ settings, replies }: Session, { onReached }: RunOptions): () => void {
  let isTold = false;
  return () => {
    if (isTold || (settings.rate === undefined && replies.length < enoughReplies)) return;
    isTold = true;
    onReached?.(Math.min(...replies.map((reply) => reply.receivedAtMs - reply.sentAtMs)));
  };
}

const aboutFiles: readonly OperationId[] = ['getDriveFile', 'updateDriveFile', 'deleteDriveTree'];

// Before anything is done to the files. Checks report unreadable ones.
async function readInitialFiles(session: Session, { checks, ids }: Selected): Promise<void> {
  if (!checks.some(({ id, operation }) => ids.has(id) && aboutFiles.includes(operation))) return;
  await initialReadings(session).catch((error: unknown) => {
    if (!(error instanceof Inconclusive || error instanceof Stopped)) throw error;
  });
}

/**
 * An error in a check says nothing about the target: the run ends there and keeps the results so far. The remaining checks
 * could not be judged, or were not enabled.
 */
async function runEach(
  session: Session,
  { checks, ids }: Selected,
  note: (result: JudgedCheck) => void,
): Promise<Sentence | undefined> {
  for (const check of checks.filter(({ id }) => !ids.has(id))) note(skipped(check, notSelected));
  let problem: Sentence | undefined;
  const judged = new Set<string>();
  const noteJudged = (result: JudgedCheck) => {
    judged.add(result.id);
    note(result);
  };
  const runOne = async (check: RegisteredCheck) => {
    try {
      const result = await runCheck(session, check);
      problem ??= session.target.stopReason;
      // A result after a stop means nothing.
      if (problem === undefined) noteJudged(result);
    } catch (error) {
      problem ??= session.target.stopReason ?? say`${own(check.id)}: ${describeError(error)}`;
    }
  };
  const runUnit = async (unit: Unit) => {
    const tried = await tryTogether(session, unit, (check) => runCheck(session, check));
    for (const check of unit) {
      const result = tried.get(check.id);
      if (result === undefined || session.target.stopReason !== undefined) await runOne(check);
      else noteJudged(result);
    }
    return problem === undefined;
  };
  const done = new Set<SharedEffect>();
  for (const phase of phases) {
    const ofPhase = checks.filter((check) => ids.has(check.id) && check.phase === phase);
    if (problem === undefined) problem = await orProblem(session, 'making many', () => prepareVolume(session, phase));
    if (problem === undefined) await runTogether(session, unitsOf(ofPhase), done, runUnit);
  }
  const left = checks.filter(({ id }) => ids.has(id) && !judged.has(id));
  for (const result of cutOffChecks(session, left, problem)) note(result);
  return problem;
}

function cutOffChecks(
  session: Session,
  left: readonly RegisteredCheck[],
  problem: Sentence | undefined,
): CheckResult[] {
  if (problem === undefined) return [];
  const [obstacle, why] = [obstacleAfter(endedBy(session)), problem.shown(session.redact)];
  return left.map((check) => cutOff(session, check, obstacle, why));
}

const nothingObserved: Observed = { observed: {}, samples: {} };

// Observing judges nothing, so an error in it must not lose the results.
async function tryObserve(
  session: Session,
  observers: readonly Observer[],
): Promise<{ observed: Observed; observerError?: Sentence | undefined }> {
  try {
    return { observed: await observe(session, observers), observerError: session.target.stopReason };
  } catch (error) {
    const observerError = session.target.stopReason ?? say`while observing: ${describeError(error)}`;
    return { observed: nothingObserved, observerError };
  }
}

// What the checks found must not be lost.
async function tryWalk(session: Session, results: readonly JudgedCheck[]): Promise<Sentence | undefined> {
  const told = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
  const rules = new Set(told.flatMap(({ requirements }) => requirements));
  return orProblem(session, 'walking', async () => {
    if (session.settings.walk > 0) await walk(session, (rule) => rules.has(rule));
    await deleteFullTree(session);
  });
}

/** Does some work. Returns what ended the run, if anything did. */
async function orProblem(session: Session, doing: string, work: () => Promise<void>): Promise<Sentence | undefined> {
  try {
    await work();
    return session.target.stopReason;
  } catch (error) {
    return session.target.stopReason ?? say`while ${own(doing)}: ${describeError(error)}`;
  }
}

// Quoted, so that it is redacted: an error in the suite may contain anything.
function describeError(error: unknown): Sentence | string {
  // It is about files or options, so the place in the code helps nobody.
  if (error instanceof SuiteError) return error.sentence;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function tidyUp(session: Session): Promise<Sentence | undefined> {
  // A read-only run leaves nothing behind, and nothing can be done if the target is gone.
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
  results: JudgedCheck[],
  options: RunOptions,
  startedAt: Date,
  suiteError: Sentence | undefined,
): Omit<Report, keyof Observed> {
  const sorted = nameCauses(results).toSorted((a, b) => a.id.localeCompare(b.id, 'en'));
  const summary = summarize(sorted);
  const serverErrors = serverErrorsOf(session);
  const isWhole = suiteError === undefined && session.target.crashes.length === 0;
  return {
    verdict: verdictOf(summary, isWhole),
    summary,
    ...markExpected(sorted, options.expectedFailures ?? [], startedAt.toISOString().slice(0, 10)),
    leftovers: session.receipt.all(),
    ...(serverErrors.length === 0 ? {} : { serverErrors }),
    run: toFacts(session, options.tool, startedAt, suiteError),
  };
}

function toFacts(session: Session, tool: string, startedAt: Date, suiteError: Sentence | undefined): Report['run'] {
  const { settings, target, redact } = session;
  const crashes = target.crashes.map(toNote);
  const troubles = [...target.troubles].map(([what, count]) => ({ what, count })).sort((a, b) => b.count - a.count);
  return {
    id: session.runId,
    tool,
    contractVersion: session.contract.info.version,
    baseUrl: redact(settings.baseUrl),
    ...(settings.targetName === undefined ? {} : { targetName: redact(settings.targetName) }),
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requests: target.requests,
    randomSeed: settings.randomSeed,
    allowWrites: settings.allowWrites,
    allowDestructive: settings.allowDestructive,
    ...(crashes.length === 0 ? {} : { crashes }),
    ...(troubles.length === 0 ? {} : { troubles }),
    ...(target.waitedMs === 0 ? {} : { waitedMs: target.waitedMs }),
    ...(suiteError === undefined ? {} : { suiteError: suiteError.shown(redact), endedBy: endedBy(session) }),
    ...(session.moveLog.isOpen ? { moveLog: redact(session.moveLog.path) } : {}),
  };
}

function endedBy({ target }: Session): EndedBy {
  return target.endedBy ?? 'suite';
}

/** The checks phase by phase, in the order of the table or shuffled within each. */
function inOrder<T extends Check>(checks: readonly T[], shuffleSeed: number | undefined): T[] {
  return phases.flatMap((phase) => {
    const ofPhase = checks.filter((check) => check.phase === phase);
    const mixed = shuffleSeed === undefined ? ofPhase : shuffled(ofPhase, shuffleSeed);
    return mixed.toSorted((a, b) => Number(a.isLast ?? false) - Number(b.isLast ?? false));
  });
}

// Adjacent seeds must give different orders.
function shuffled<T>(values: readonly T[], seed: number): T[] {
  const rank = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
  const ranked = values.map((value, index) => ({ value, rank: rank(index) }));
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ value }) => value);
}
