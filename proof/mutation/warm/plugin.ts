import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { BroadcastChannel } from 'node:worker_threads';
import { createVitest } from 'vitest/node';
import { type Draw, drawnIds, type MutationPlan } from './drawing.ts';
import { type Answer, channelName, type Order } from './messages.ts';

// A test runner for Stryker. The one that Stryker has starts a thread for each fault, which loads all modules: 2 s. This
// one keeps a thread with the modules loaded, where a fault is switched on and off: see runner.ts.

export const strykerPlugins = [{ kind: 'TestRunner', name: 'warm', factory: () => new WarmTestRunner() }];

interface MutantRunOptions {
  testFilter?: string[];
  hitLimit?: number;
  activeMutant: { id: string };
}

/** In the copy of the sources in which this runs: how long each test takes without a fault. */
const timesFile = 'times-of-tests.json';

interface Plan {
  drawn: ReadonlySet<string>;
  isFresh: boolean;
  /** The quickest tests that take no longer together than the budget; at least one, unless all are too slow. */
  choose(testIds: readonly string[]): string[];
}

class WarmTestRunner {
  readonly #channel = new BroadcastChannel(channelName);
  readonly #answers = new Map<number, (answer: Answer) => void>();
  #orders = 0;
  #plan: Plan | undefined;

  capabilities(): object {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    process.env.NODE_ENV = 'test';
    process.env.VITEST = '1';
    const ready = new Promise<void>((resolve) => {
      this.#answers.set(0, () => resolve());
    });
    this.#channel.onmessage = ({ data }: { data: unknown }) => {
      const answer = data as Answer;
      this.#answers.get(answer.order)?.(answer);
      this.#answers.delete(answer.order);
    };
    const vitest = await createVitest('test', {
      ...{ config: 'proof/mutation/vitest.config.ts', pool: 'threads', maxWorkers: 1, watch: false, maxConcurrency: 1 },
      onConsoleLog: () => false,
    });
    void vitest.start();
    await ready;
  }

  async dryRun(): Promise<object> {
    const { tests, coverage, error } = await this.#ask({});
    if (error !== undefined) return { status: 'error', errorMessage: error };
    writeFileSync(timesFile, JSON.stringify(Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]))));
    return { status: 'complete', tests: tests.map(toStrykerResult), mutantCoverage: coverage };
  }

  async mutantRun({ testFilter = [], hitLimit, activeMutant: { id } }: MutantRunOptions): Promise<object> {
    this.#plan ??= readPlan();
    if (!this.#plan.drawn.has(id)) return { status: 'error', errorMessage: 'not drawn' };
    const { isFresh } = this.#plan;
    const testIds = this.#plan.choose(testFilter);
    const mutant = { id, testIds, isFresh, ...(hitLimit === undefined ? {} : { hitLimit }) };
    return toStrykerOutcome(await this.#ask({ mutant }));
  }

  #ask(order: Omit<Order, 'order'>): Promise<Answer> {
    this.#orders += 1;
    const number = this.#orders;
    return new Promise((resolve) => {
      this.#answers.set(number, resolve);
      this.#channel.postMessage({ ...order, order: number });
    });
  }
}

function toStrykerOutcome({ tests, isEndless, error }: Answer): object {
  if (error !== undefined) return { status: 'error', errorMessage: error };
  if (isEndless === true) return { status: 'timeout', reason: 'endless' };
  const failed = tests.find(({ failure }) => failure !== undefined);
  if (failed === undefined) return { status: 'survived', nrOfTests: tests.length };
  return { status: 'killed', killedBy: [failed.id], failureMessage: failed.failure, nrOfTests: tests.length };
}

function toStrykerResult({ id, name, timeSpentMs, failure }: Answer['tests'][number]): object {
  const result = { id, name, timeSpentMs };
  return failure === undefined ? { ...result, status: 0 } : { ...result, status: 1, failureMessage: failure };
}

/** A test that takes longer without a fault may come to its limit of 20 s with any fault, on a busy machine. */
const slowestMs = 5_000;

function readPlan(): Plan {
  const { isFresh, budgetMs, ...draw } = JSON.parse(process.env.MUTATION_PLAN ?? '') as Draw & MutationPlan;
  const times = JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>;
  const timeOf = (id: string) => times[id] ?? 0;
  const choose = (testIds: readonly string[]) => {
    let spentMs = 0;
    const quickestFirst = testIds.filter((id) => timeOf(id) <= slowestMs).sort((a, b) => timeOf(a) - timeOf(b));
    return quickestFirst.filter((id) => {
      const fits = spentMs < budgetMs;
      spentMs += timeOf(id);
      return fits;
    });
  };
  return { drawn: drawnIds(idsOfFaults(), draw), isFresh, choose };
}

/** Stryker writes the ids of the faults into the copy of the sources in which this runs. */
function idsOfFaults(): string[] {
  const files = globSync(JSON.parse(process.env.MUTATION_FILES ?? '[]') as string[]);
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  return [
    ...new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/stry(?:MutAct|Cov)_\w+\(("[^)]*)\)/g)].flatMap(([, ids = '']) => ids.match(/\d+/g) ?? []),
      ),
    ),
  ];
}
