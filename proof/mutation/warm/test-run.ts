import { relative } from 'node:path';
import {
  type RunnerTestCase,
  type RunnerTestFile,
  type RunnerTestSuite,
  TestRunner,
  type TestRunnerConfig,
} from 'vitest';
import { startTests } from 'vitest/internal/browser';
import { type Hits, switchboard, type TestResult } from './messages.ts';

/** What a runner has that Vitest has made for it. */
interface Outer {
  readonly moduleRunner: ModuleRunner;
  readonly _otel: object;
}

interface ModuleRunner {
  readonly evaluatedModules: { idToModuleMap: Map<string, ModuleNode> };
}

interface ModuleNode {
  promise?: unknown;
  exports?: unknown;
  evaluated: boolean;
  importers: Set<string>;
}

/** One run of some tests, which ends with the first that fails. */
export class TestRun extends TestRunner {
  readonly results: TestResult[] = [];
  /** The tests below each suite, by the name under which what its hooks reach is counted. */
  readonly suites = new Map<string, string[]>();
  /** Switches the fault on, once the tests are known. */
  activate: () => void = () => {};
  #isOver = false;

  constructor(config: TestRunnerConfig, outer: TestRunner) {
    super(config);
    const { moduleRunner, _otel } = outer as unknown as Outer;
    Object.assign(this, { moduleRunner, _otel });
  }

  get failure(): TestResult | undefined {
    return this.results.find(({ failure }) => failure !== undefined);
  }

  /** Runs the tests in a file; all, or those with these ids. */
  async runFile(filepath: string, testIds?: readonly string[]): Promise<void> {
    if (this.#isOver) return;
    const spec = testIds === undefined ? { filepath } : { filepath, testNamePattern: patternOf(testIds) };
    for (const file of await startTests([spec] as never, this as never)) this.#noteFileError(file);
  }

  /** Forgets every module of the project, so that the next import loads it again. */
  forgetModules(): void {
    const { moduleRunner } = this as unknown as Outer;
    for (const [id, node] of moduleRunner.evaluatedModules.idToModuleMap) {
      if (id.includes('/node_modules/') || id.includes('/mutation/warm/')) continue;
      Object.assign(node, { promise: undefined, exports: undefined, evaluated: false });
      node.importers.clear();
    }
  }

  onBeforeRunFiles(): void {
    this.activate();
  }

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    if (this.#isOver) suite.mode = 'skip';
    await super.onBeforeRunSuite(suite);
    const name = `suite ${suite.id}`;
    this.suites.set(name, testsIn(suite).map(idOf));
    switchboard.currentTestId = name;
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (this.#isOver) test.mode = 'skip';
    await super.onBeforeRunTask(test);
    switchboard.currentTestId = idOf(test);
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test);
    switchboard.currentTestId = undefined;
    if (test.mode === 'skip' || test.mode === 'todo') return;
    this.#add(idOf(test), nameOf(test), test.result?.duration ?? 0, test.result?.state, test.result?.errors);
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    switchboard.currentTestId = undefined;
    await super.onAfterRunSuite(suite);
    const test = testsIn(suite)[0];
    if (test === undefined || suite.result?.errors === undefined || suite.result.errors.length === 0) return;
    this.#add(idOf(test), nameOf(test), 0, 'fail', suite.result.errors);
  }

  #noteFileError(file: RunnerTestFile): void {
    if (file.tasks.length > 0 || file.result?.state !== 'fail') return;
    this.#add(`${relative(process.cwd(), file.filepath)}#`, file.name, 0, 'fail', file.result.errors);
  }

  #add(
    id: string,
    name: string,
    timeSpentMs: number,
    state = 'fail',
    errors: readonly { message: string }[] = [],
  ): void {
    const failure = state === 'pass' ? {} : { failure: errors[0]?.message ?? 'It did not pass.' };
    this.results.push({ id, name, timeSpentMs, ...failure });
    this.#isOver ||= state !== 'pass';
  }
}

/** Counts what the hooks of a suite reach for each of its tests. */
export function spread(
  perTest: Record<string, Hits>,
  suites: ReadonlyMap<string, readonly string[]>,
): Record<string, Hits> {
  const all: Record<string, Hits> = {};
  for (const [name, hits] of Object.entries(perTest)) {
    for (const id of suites.get(name) ?? [name]) {
      all[id] ??= {};
      for (const [mutant, count] of Object.entries(hits)) all[id][mutant] = (all[id][mutant] ?? 0) + count;
    }
  }
  return all;
}

function patternOf(testIds: readonly string[]): RegExp {
  const names = testIds.map((id) => id.slice(id.indexOf('#') + 1).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`(?:^|\\s)(?:${names.join('|')})\\s*$`);
}

function testsIn(suite: RunnerTestSuite): RunnerTestCase[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? testsIn(task) : [task]));
}

function idOf(test: RunnerTestCase): string {
  return `${relative(process.cwd(), test.file.filepath)}#${nameOf(test)}`;
}

function nameOf({ name, suite }: RunnerTestCase): string {
  const names = [name];
  for (let outer = suite; outer !== undefined; outer = outer.suite) names.unshift(outer.name);
  return names.join(' > ').trim();
}
