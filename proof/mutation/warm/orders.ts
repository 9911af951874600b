import { relative } from 'node:path';
import { type Answer, type MutantOrder, type Order, switchboard } from './messages.ts';
import { spread, type TestRun } from './test-run.ts';

type Outcome = Omit<Answer, 'order'>;

/** Runs what the order asks for. */
export async function carryOut(
  { order, mutant }: Order,
  files: readonly string[],
  newRun: () => TestRun,
): Promise<Answer> {
  try {
    return { order, ...(await (mutant === undefined ? runAll(files, newRun()) : runWith(mutant, files, newRun))) };
  } catch (error) {
    return { order, tests: [], error: String(error) };
  }
}

async function runAll(files: readonly string[], run: TestRun): Promise<Outcome> {
  switchboard.activeMutant = undefined;
  for (const file of files) await run.runFile(file);
  if (run.failure !== undefined) return { tests: [], error: `${run.failure.name}: ${run.failure.failure}` };
  const { static: atLoading = {}, perTest = {} } = switchboard.mutantCoverage ?? {};
  return { tests: run.results, coverage: { static: atLoading, perTest: spread(perTest, run.suites) } };
}

/**
 * What the modules keep from earlier runs can mislead. A value from before the fault hides it: so what nobody notices is
 * tried again by an order with `isFresh`. A value that an earlier fault has spoiled makes a test fail: so the test that
 * fails has to pass without the fault, or else the modules are loaded anew. A test that fails without the fault even then
 * tells nothing of it, and is left out.
 */
async function runWith(mutant: MutantOrder, files: readonly string[], newRun: () => TestRun): Promise<Outcome> {
  if (!mutant.isFresh) {
    const { tests, failure, isEndless } = await runOnce(mutant, files, newRun());
    if (isEndless || failure === undefined || (await passes(failure.id, files, newRun()))) return { tests, isEndless };
  }
  for (let { testIds } = mutant; ; ) {
    newRun().forgetModules();
    const { tests, failure, isEndless } = await runOnce({ ...mutant, testIds }, files, newRun());
    newRun().forgetModules();
    if (isEndless || failure === undefined || (await passes(failure.id, files, newRun()))) return { tests, isEndless };
    const others = testIds.filter((id) => id !== failure.id);
    if (others.length === testIds.length) throw new Error(`${failure.name} fails without a fault: ${failure.failure}`);
    testIds = others;
  }
}

async function runOnce({ id, testIds, hitLimit }: MutantOrder, files: readonly string[], run: TestRun) {
  run.activate = () => Object.assign(switchboard, { activeMutant: id, hitCount: 0, hitLimit });
  await runNamed(testIds, files, run);
  switchboard.activeMutant = undefined;
  const isEndless = hitLimit !== undefined && (switchboard.hitCount ?? 0) > hitLimit;
  return { tests: run.results, failure: run.failure, isEndless };
}

async function passes(testId: string, files: readonly string[], run: TestRun): Promise<boolean> {
  await runNamed([testId], files, run);
  return run.failure === undefined;
}

async function runNamed(testIds: readonly string[], files: readonly string[], run: TestRun): Promise<void> {
  for (const file of files) {
    const name = `${relative(process.cwd(), file)}#`;
    const inFile = testIds.filter((id) => id.startsWith(name));
    // While a file is loaded, nothing in it is a test yet.
    switchboard.activeMutant = undefined;
    if (inFile.length > 0) await run.runFile(file, inFile);
  }
}
