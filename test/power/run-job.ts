import { type Settings, toSettings } from '../../conformance/config/settings.ts';
import type { Report } from '../../conformance/report.ts';
import { runSuite } from '../../conformance/run.ts';
import { SuiteError } from '../../conformance/suite-error.ts';
import { exitCodeOf } from '../../conformance/verdict.ts';
import type { Mock } from '../../src/index.ts';
import { degenerateServers } from './degenerate-servers.ts';
import { settingsForMock, settingsForSecondServer } from './fixtures.ts';
import type { Job, JobResult } from './jobs.ts';
import { legalProfiles } from './legal-servers.ts';
import { mutants } from './mutants/index.ts';
import { settingsForOdd } from './odd/run-odd.ts';
import { oddLegalServers } from './odd-legal-servers.ts';
import { startSecondServer } from './second-server/start.ts';
import { receiptErrors, type Snapshot, takeSnapshot } from './snapshot.ts';
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
  const startedMs = performance.now();
  const prepared = await prepare(job);
  const before = prepared.mock === undefined ? undefined : takeSnapshot(prepared.mock);
  try {
    const report = await runSuite(prepared.settings, { tool: 'power', ...shuffleOf(job) });
    return {
      ...judged(job, report),
      ...seen(prepared.mock, before, report),
      durationMs: performance.now() - startedMs,
    };
  } catch (error) {
    return { ...notJudged(job, error), durationMs: performance.now() - startedMs };
  } finally {
    await prepared.close();
  }
}

function shuffleOf({ shuffleSeed }: Job): { shuffleSeed?: number } {
  return shuffleSeed === undefined ? {} : { shuffleSeed };
}

function judged(job: Job, report: Report): Omit<JobResult, 'durationMs'> {
  const others = report.checks.flatMap(({ id, outcome }) => (outcome === 'passed' ? [] : [[id, outcome] as const]));
  return {
    job,
    verdict: report.verdict,
    exitCode: exitCodeOf(report, false),
    outcomes: Object.fromEntries(others),
    passed: report.summary.passed,
    requests: report.run.requests,
    ...(report.run.suiteError === undefined ? {} : { suiteError: report.run.suiteError }),
  };
}

function seen(mock: Mock | undefined, before: Snapshot | undefined, report: Report): Partial<JobResult> {
  if (mock === undefined || before === undefined) return {};
  const after = takeSnapshot(mock);
  return { isUnchanged: before.text === after.text, receiptErrors: receiptErrors(before, after, report.leftovers) };
}

// What cannot be reached is told from what breaks the suite.
function notJudged(job: Job, error: unknown): Omit<JobResult, 'durationMs'> {
  const common = { job, verdict: 'not judged' as const, exitCode: 2, outcomes: {}, passed: 0, requests: 0 };
  if (error instanceof SuiteError && error.code === 'TARGET_UNREACHABLE') return common;
  return { ...common, suiteError: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function prepare(job: Job): Promise<Prepared> {
  const preparations = {
    mutant: prepareMutant,
    legal: prepareLegal,
    second: prepareSecond,
    odd: prepareOdd,
    degenerate: prepareDegenerate,
  };
  return preparations[job.kind](job);
}

/** An entry of a table by its id. */
function named<T extends { id: string }>(table: readonly T[], id: string): T {
  const entry = table.find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`there is no ${id}`);
  return entry;
}

// A mutant settles at once, unless its profile says otherwise.
async function prepareMutant({ id, mode, shuffleSeed }: Job): Promise<Prepared> {
  const mutant = named(mutants, id);
  const running = await startMutant(mutant, shuffleSeed === undefined ? {} : { latencySeed: shuffleSeed });
  const { mock, baseUrl, fixtures, close } = running;
  const settleMs = mutant.profile === undefined ? 500 : 1_500;
  const hostMcpServer = mutant.tools !== undefined;
  return { settings: settingsForMock(mock, baseUrl, mode, { fixtures, settleMs, hostMcpServer }), mock, close };
}

async function prepareLegal({ id, mode, shuffleSeed }: Job): Promise<Prepared> {
  const server = named(legalProfiles(), id);
  const latency = shuffleSeed === undefined ? {} : { latencySeed: shuffleSeed };
  const { mock, baseUrl, close } = await startMutant(server, latency);
  const hostMcpServer = server.tools !== undefined;
  return { settings: settingsForMock(mock, baseUrl, mode, { hostMcpServer }), mock, close };
}

async function prepareSecond({ id, mode }: Job): Promise<Prepared> {
  const server = await startSecondServer({ variant: id as 'odd' | 'plain' });
  return { settings: settingsForSecondServer(server, mode), close: () => server.close() };
}

// Other clients may be at work there: its state says nothing of the run alone.
async function prepareOdd({ id, mode }: Job): Promise<Prepared> {
  const running = await named(oddLegalServers, id).start();
  return { settings: settingsForOdd(running, mode), close: running.close };
}

async function prepareDegenerate({ id }: Job): Promise<Prepared> {
  const { baseUrl, close } = await named(degenerateServers, id).start();
  const settings = toSettings({
    baseUrl: `${baseUrl.replace(/\/v0\.1$/, '')}/v0.1`,
    apiKey: 'some-key',
    otherApiKey: 'some-other-key',
    allowWrites: true,
    allowDestructive: true,
    fixtures: {
      agent: { id: 'agent', revisionId: 'revision' },
      files: [{ driveId: 'drive', id: 'file' }],
      disposableFiles: [{ driveId: 'drive', id: 'other-file' }],
      mcpServer: { id: 'server' },
    },
    openPoints: { treePathParameter: 'path' },
    timeoutMs: 500,
    settleMs: 300,
  });
  return { settings, close };
}
