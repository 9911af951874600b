import { describe, expect, it } from 'vitest';
import type { Report } from '../../conformance/report.ts';
import { reporters } from '../../conformance/reporters/index.ts';
import { toTerminal } from '../../conformance/reporters/terminal.ts';
import { type RunOptions, runSuite } from '../../conformance/run.ts';
import { type Mode, settingsForMock } from '../../proof/power/fixtures.ts';
import { startFront } from '../../proof/power/front.ts';
import type { WireFault } from '../../proof/power/mutant.ts';
import { changeStatus, on, write } from '../../proof/power/mutants/wire-faults.ts';
import { createMock } from '../../src/index.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

/** A run of some checks over a mock of which a fault changes some answers. */
async function run(fault: WireFault, mode: Mode, only: string[], options: Partial<RunOptions> = {}): Promise<Report> {
  const mock = await createMock();
  const front = await startFront(mock.url, fault);
  const settings = settingsForMock(mock, front.baseUrl, mode);
  const report = await runSuite(settings, { tool: 'test', only, clock: createWaitingClock(), ...options });
  await front.close();
  await mock.close();
  return report;
}

/** A run over the mock with another status for some answers of the list of drives. */
const judge = (isMeant: (status: number) => boolean, status: number) =>
  run(on('listDrives', changeStatus(isMeant, status)), 'read', ['listDrives.*']);

const outcomeIn = ({ checks }: Report) => checks.find(({ id }) => id === 'listDrives.no-server-error')?.outcome;
const isRefusal = (status: number) => status >= 400 && status !== 401;

describe('server errors', () => {
  it('in response to bad input warn, and every report lists them with a curl line', async () => {
    const report = await judge(isRefusal, 500);
    expect(report.summary.failed).toBe(0);
    expect(outcomeIn(report)).toBe('warned');
    const [listed, ...others] = report.serverErrors ?? [];
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ method: 'GET', path: '/drives', status: 500 });
    expect(listed?.count).toBeGreaterThan(2);
    expect(listed?.curl).toMatch(
      /^curl -i '?http\S+\/drives\?\S+ -H '(?:X-API-Key|Authorization): (?:Bearer )?'"\$AGENT_PLATFORM_API_KEY"/,
    );
    const text = toTerminal(report, { color: false, command: '' });
    expect(text).toMatch(/Server errors \(1\)\n\n {2}GET \/drives: 500, \d+ times\n {4}curl -i /);
    for (const name of ['html', 'markdown', 'json'] as const)
      expect(reporters[name].write(report), name).toMatch(/500, \d+ times|"status": 500/);
  });

  it('to valid requests fail as well', async () => {
    const report = await judge((status) => status === 200, 500);
    const { outcome } = report.checks.find(({ id }) => id === 'listDrives.is-served') ?? {};
    expect({ outcome, rule: outcomeIn(report) }).toEqual({ outcome: 'failed', rule: 'warned' });
  });

  it('warn when they come only after the checks, while the run observes or tidies up', async () => {
    const fault = on(
      'updateDriveFile',
      changeStatus((status) => status === 409, 500),
    );
    const only = ['updateDriveFile.no-server-error', 'updateDriveFile.is-served'];
    const report = await run(fault, 'write', only, { observe: true });
    const { outcome, evidence } = report.checks.find(({ id }) => id === only[0]) ?? {};
    expect(outcome).toBe('warned');
    expect(evidence?.actual).toMatch(/^status 500/);
    expect(report.summary).toMatchObject({ failed: 0, warned: 1 });
  });

  it('of requests like others that succeed name the refused request before them', async () => {
    let wasRefused = false;
    const fault: WireFault = async (_, response, forward) => {
      const answer = await forward();
      const isMeant = wasRefused && answer.status === 200;
      wasRefused = answer.status === 404;
      return write(response, isMeant ? { status: 500, headers: {}, body: '' } : answer);
    };
    const report = await run(fault, 'read', ['getDriveFile.*']);
    const { evidence } = report.checks.find(({ id }) => id === 'getDriveFile.no-server-error') ?? {};
    expect(evidence?.actual).toMatch(
      /^status 500\b.*\. The failures began after GET \S+ was refused with status 404: since then, requests that otherwise succeed have failed too$/,
    );
    expect(evidence?.exchanges.map(({ response }) => response?.status)).toEqual([404, 500]);
  });

  it('of a gateway are listed, but neither fail nor warn', async () => {
    const report = await judge(isRefusal, 503);
    expect(report.summary).toMatchObject({ failed: 0, warned: 0 });
    expect(outcomeIn(report)).toBe('passed');
    expect(report.serverErrors?.map(({ status }) => status)).toEqual([503]);
  });

  it('are not mentioned where there are none', async () => {
    const report = await judge(() => false, 500);
    expect(report.serverErrors).toBeUndefined();
    expect(outcomeIn(report)).toBe('passed');
    expect(toTerminal(report, { color: false, command: '' })).not.toMatch(/Server errors/);
  });
});
