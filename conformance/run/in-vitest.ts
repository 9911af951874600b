import type { TestContext } from 'vitest';
import { defineOptions } from '../../lib/options.ts';
import { say } from '../../lib/sentence.ts';
import { type Selection, selectIds } from '../checks/check.ts';
import { allChecks } from '../checks/index.ts';
import { observersFor } from '../observe/table.ts';
import { againRows, exchangeRow, findingRows, layOut } from '../report/failure-text.ts';
import type { CheckResult, Report } from '../report/report.ts';
import { toReceipt } from '../report/terminal.ts';
import { inWords } from '../report/words.ts';
import { usualMoveLog } from '../safety/move-log.ts';
import { describeMoveLog, describePlan, planOf, restoreHint } from './plan.ts';
import { runSuite } from './run.ts';
import { type Config, type Settings, toSettings } from './settings.ts';
import { obstacleAfter } from './signals.ts';
import { requireOptions } from './suite-error.ts';

/** A config with what every run needs. */
export type VitestConfig = Config & { baseUrl: string; apiKey: string };

/** Which checks to register, and how long a run may take. */
export interface VitestOptions extends Partial<Selection> {
  /** In milliseconds. Then the run stops and moves files back. Default: two minutes. */
  runTimeoutMs?: number;
  /** The file in which moves are recorded until every file is back. Default: a new file in the temporary directory. */
  moveLog?: string;
}

const timeLimit = defineOptions({
  // A timer cannot be set for longer.
  runTimeoutMs: { kind: 'integer', minimum: 1, maximum: 2 ** 31 - 1, help: 'In milliseconds' },
});

/** Creates the config when the first test runs. */
export type LoadConfig = () => VitestConfig | Promise<VitestConfig>;

// The suite limits a run itself: Vitest would not wait for files to be moved back.
const noTimeLimit = 0;

/** What the suite uses from Vitest to register its tests. */
interface VitestApi {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: (context: TestContext) => Promise<void>, timeoutMs: number): unknown;
  afterAll(body: () => Promise<void>, timeoutMs: number): unknown;
}

/** Registers every check as a test. */
export function registerWith(
  { describe, it, afterAll }: VitestApi,
  config: VitestConfig | LoadConfig,
  options: VitestOptions,
): void {
  requireOptions(timeLimit, options, { only: ['strings'], skip: ['strings'], moveLog: ['string'] });
  const { only = [], skip = [] } = options;
  const all = allChecks().map(({ id }) => id);
  const ids = selectIds(all, { only, skip });
  const run = new VitestRun(typeof config === 'function' ? config : () => config, options);
  describe('conformance', () => {
    for (const id of all.filter((candidate) => ids.has(candidate))) {
      it(id, async (context) => showResult(await run.resultOf(id, context), context), noTimeLimit);
    }
    afterAll(() => run.end(), noTimeLimit);
  });
}

/** The one run behind the tests. */
class VitestRun {
  readonly #loadConfig: LoadConfig;
  readonly #options: VitestOptions;
  readonly #stop = new AbortController();
  #report: Promise<Report> | undefined;

  constructor(loadConfig: LoadConfig, options: VitestOptions) {
    this.#loadConfig = loadConfig;
    this.#options = options;
  }

  /** The result of a check; undefined if the run ended before. */
  async resultOf(id: string, { task, signal }: TestContext): Promise<CheckResult | undefined> {
    signal.addEventListener('abort', () => this.#stop.abort(say`stopped by Vitest`), { once: true });
    this.#report ??= this.#start(selectedIds(task));
    // Its error is shown once, at the end.
    const report = await this.#report.catch(() => undefined);
    return report?.checks.find((check) => check.id === id);
  }

  async #start(ids: readonly string[]): Promise<Report> {
    const settings = toSettings(await this.#loadConfig());
    const { runTimeoutMs = 120_000, moveLog = usualMoveLog() } = this.#options;
    announce(settings, ids, moveLog);
    const limit = say`stopped after the ${runTimeoutMs} ms that runTimeoutMs allows`;
    const timer = setTimeout(() => this.#stop.abort(limit), runTimeoutMs);
    const { signal } = this.#stop;
    const options = { tool: 'agent-platform-contract/vitest', only: ids, signal, moveLog };
    return runSuite(settings, options).finally(() => clearTimeout(timer));
  }

  /** Waits until files are moved back and prints what the run left behind. Throws if the run ended early. */
  async end(): Promise<void> {
    const report = await this.#report;
    if (report === undefined) return;
    const receipt = toReceipt(report.leftovers, { color: false });
    if (receipt !== '') console.log(receipt);
    const { suiteError, moveLog } = report.run;
    if (moveLog !== undefined) console.warn(restoreHint(moveLog));
    if (suiteError !== undefined) throw new Error(`The suite stopped: ${suiteError}`);
  }
}

/** The ids of the tests of this suite that run: those not excluded by a filter or `.only`. */
function selectedIds({ suite, name }: TestContext['task']): string[] {
  const tests = (suite?.tasks ?? []).filter(({ type, mode }) => type === 'test' && mode !== 'skip' && mode !== 'todo');
  return tests.length === 0 ? [name] : tests.map((test) => test.name);
}

function announce(settings: Settings, ids: readonly string[], moveLog: string): void {
  if (!settings.allowWrites) return;
  const checks = allChecks();
  const selected = checks.filter(({ id }) => ids.includes(id));
  const plan = planOf(selected, settings, observersFor(settings, selected.length === checks.length));
  const lines = [`Judging ${settings.baseUrl}`, ...describePlan(plan, settings), describeMoveLog(settings, moveLog)];
  console.log(lines.join('\n'));
}

async function showResult(result: CheckResult | undefined, context: TestContext): Promise<void> {
  if (result === undefined || wasStopped(result)) return context.skip('not judged: the suite stopped early');
  const { id, outcome, reason } = result;
  const text = () => [`${reason}\n`, ...inFull(result)].join('\n');
  if (outcome === 'failed') throw new Error(text());
  // For configurations that require an assertion in each test.
  context.expect(outcome).not.toBe('failed');
  if (outcome === 'warned') {
    console.warn(`WARNED ${id}: ${text()}`);
    await context.annotate(reason, 'warning');
  }
  // A failure that another test already shows is not red a second time.
  if (outcome === 'inconclusive' && result.because === undefined) throw new Error(`inconclusive: ${reason}`);
  if (outcome !== 'passed' && outcome !== 'warned') context.skip(`${inWords(outcome)}: ${reason}`);
}

/** Whether the run ended before for a reason that is not the target's. */
function wasStopped({ obstacle }: CheckResult): boolean {
  return obstacle === obstacleAfter('user') || obstacle === obstacleAfter('suite');
}

function inFull(result: CheckResult): string[] {
  const again = againRows(result, `npx vitest run -t '${result.id}$'`);
  return layOut([...findingRows(result), ...exchangeRow(result), ...again]);
}
