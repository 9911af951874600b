import type { Outcome } from '../../conformance/report/report.ts';
import { type RunOptions, runSuite } from '../../conformance/run/run.ts';
import type { Config, Fixtures } from '../../conformance/run/settings.ts';
import { type Mode, settingsForMock } from '../../proof/power/fixtures.ts';
import { mutants } from '../../proof/power/mutants/index.ts';
import { receiptErrors, takeSnapshot } from '../../proof/power/snapshot.ts';
import { type Startable, startMutant } from '../../proof/power/start-mutant.ts';
import type { Mock } from '../../src/index.ts';
import { fixturesOf } from './fixtures.ts';

interface Judging extends Partial<RunOptions> {
  mode?: Mode;
  config?: Partial<Config>;
  /** Which fixtures to declare. Default: all. */
  declare?(all: Fixtures): Fixtures;
}

/** A run of some checks over a server that is started for it: one with a fault, by itself or by its id, or a sound one. */
export async function judgeServer(server: Startable | string, only: readonly string[], judging: Judging = {}) {
  const started = typeof server === 'string' ? mutants.find(({ id }) => id === server) : server;
  if (started === undefined) throw new Error(`there is no ${server}`);
  return judgeRunning(await startMutant(started), only, judging);
}

interface Running {
  mock: Mock;
  baseUrl: string;
  fixtures?: Fixtures;
  close(): Promise<void>;
}

/** The same over a server that runs already, and is closed afterwards. */
export async function judgeRunning(
  { mock, baseUrl, fixtures = fixturesOf(mock), close }: Running,
  only: readonly string[],
  { mode = 'write', config = {}, declare = (all) => all, ...options }: Judging = {},
) {
  const before = takeSnapshot(mock);
  const settings = settingsForMock(mock, baseUrl, mode, { ...config, fixtures: declare(fixtures) });
  const report = await runSuite(settings, { tool: 'test', only: [...only], ...options }).finally(close);
  const { checks, leftovers } = report;
  return {
    report,
    of: (id: string) => checks.find((check) => check.id === id),
    /** The ids of the checks with one of these outcomes. */
    ids: (...outcomes: Outcome[]) => checks.filter(({ outcome }) => outcomes.includes(outcome)).map(({ id }) => id),
    /** How the receipt differs from what became of the server. */
    receiptErrors: receiptErrors(before, takeSnapshot(mock), leftovers),
  };
}
