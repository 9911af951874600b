import type { Report } from '../../conformance/report/report.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { type Settings, toSettings } from '../../conformance/run/settings.ts';
import { SuiteError } from '../../conformance/run/suite-error.ts';
import { exitCodeOf } from '../../conformance/run/verdict.ts';
import type { Mock } from '../../src/index.ts';
import { type CatalogueName, catalogues, settingsForHeldOut } from '../held-out/catalogue.ts';
import { faultsIn } from '../held-out/combined.ts';
import { degenerateServers } from './degenerate-servers.ts';
import { limitsOf, settingsForMock, settingsForSecondServer } from './fixtures.ts';
import type { Job, JobResult } from './jobs.ts';
import { legalProfiles } from './legal-servers.ts';
import { mutants } from './mutants/index.ts';
import { oddLegalServers } from './odd-legal-servers.ts';
import { startSecondServer } from './second-server/start.ts';
import { receiptErrors, takeSnapshot } from './snapshot.ts';
import { startMutant } from './start-mutant.ts';

/** A server of the proof that is listening, and the settings for it. */
interface Prepared {
  settings: Settings;
  /** Where its state can be seen. */
  mock?: Mock;
  close(): Promise<void>;
}

/** Runs the suite over one server. */
export async function runJob(job: Job): Promise<JobResult> {
  const prepared = await preparations[job.kind](job).catch((error: unknown) => notJudged(job, error));
  return 'job' in prepared ? prepared : judge(job, prepared);
}

async function judge(job: Job, { settings, mock, close }: Prepared): Promise<JobResult> {
  const before = mock && takeSnapshot(mock);
  try {
    const { shuffleSeed } = job;
    const report = await runSuite(settings, { tool: 'power', ...(shuffleSeed === undefined ? {} : { shuffleSeed }) });
    if (mock === undefined || before === undefined) return judged(job, report);
    const after = takeSnapshot(mock);
    const isUnchanged = before.text === after.text;
    return { ...judged(job, report), isUnchanged, receiptErrors: receiptErrors(before, after, report.leftovers) };
  } catch (error) {
    return notJudged(job, error);
  } finally {
    await close();
  }
}

function judged(job: Job, report: Report): JobResult {
  const others = report.checks.flatMap(({ id, outcome }) => (outcome === 'passed' ? [] : [[id, outcome] as const]));
  const { requests, suiteError } = report.run;
  return {
    ...{ job, exitCode: exitCodeOf(report, false), outcomes: Object.fromEntries(others), requests },
    ...(suiteError === undefined ? {} : { suiteError }),
  };
}

// What cannot be reached is told from what breaks the suite.
function notJudged(job: Job, error: unknown): JobResult {
  const common = { job, exitCode: 2, outcomes: {}, requests: 0 };
  if (error instanceof SuiteError && error.code === 'TARGET_UNREACHABLE') return common;
  return { ...common, suiteError: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

const legalServers = legalProfiles();

/** How to start the server of a job. */
export const preparations: Record<Job['kind'], (job: Job) => Promise<Prepared>> = {
  // A mutant settles at once, unless its profile says otherwise.
  mutant: async ({ id, mode, shuffleSeed }) => {
    const mutant = named(mutants, id);
    const { mock, baseUrl, fixtures, close } = await startMutant(mutant, { latencySeed: shuffleSeed });
    const settleMs = mutant.profile === undefined ? 500 : 1_500;
    const given = { fixtures, settleMs, ...limitsOf(mutant), hostMcpServer: mutant.tools !== undefined };
    return { settings: settingsForMock(mock, baseUrl, mode, given), mock, close };
  },
  legal: async ({ id, mode, shuffleSeed }) => {
    const server = named(legalServers, id);
    const { mock, baseUrl, close } = await startMutant(server, { latencySeed: shuffleSeed });
    const hostMcpServer = server.tools !== undefined;
    return { settings: settingsForMock(mock, baseUrl, mode, { hostMcpServer }), mock, close };
  },
  // Other clients may be at work there: its state says nothing of the run alone.
  odd: async ({ id, mode }) => {
    const { start, settleMs } = named(oddLegalServers, id);
    const { mock, baseUrl, keys, fixtures, close } = await start();
    const [apiKey = '', otherApiKey = ''] = keys;
    const overrides = { apiKey, otherApiKey, fixtures, settleMs };
    return { settings: settingsForMock(mock, baseUrl, mode, overrides), close };
  },
  second: async ({ id, mode }) => {
    const server = await startSecondServer({ variant: id as 'odd' | 'plain' });
    return { settings: settingsForSecondServer(server, mode), close: () => server.close() };
  },
  heldOut: async ({ id, mode }) => {
    const [catalogue, name = ''] = id.split('/');
    const started = await catalogues[catalogue as CatalogueName].start(name === 'base' ? [] : faultsIn(name));
    const settings = await settingsForHeldOut(started, mode).catch(async (error: unknown) => {
      await started.stop();
      throw error;
    });
    return { settings, close: () => started.stop() };
  },
  degenerate: async ({ id }) => {
    const { baseUrl, close } = await named(degenerateServers, id).start();
    const fixtures = {
      agent: { id: 'agent', revisionId: 'revision' },
      files: [{ driveId: 'drive', id: 'file' }],
      disposableFiles: [{ driveId: 'drive', id: 'other-file' }],
      mcpServer: { id: 'server' },
    };
    const settings = toSettings({
      ...{ baseUrl, apiKey: 'some-key', otherApiKey: 'some-other-key', fixtures },
      ...{ allowWrites: true, allowDestructive: true, timeoutMs: 500, settleMs: 300 },
      openPoints: { treePathParameter: 'path' },
    });
    return { settings, close };
  },
};

/** An entry of a table by its id. */
function named<T extends { id: string }>(table: readonly T[], id: string): T {
  const entry = table.find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`there is no ${id}`);
  return entry;
}
