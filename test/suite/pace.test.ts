import { describe, expect, it } from 'vitest';
import { headlineText } from '../../conformance/report/words.ts';
import type { Config } from '../../conformance/run/settings.ts';
import { exitCodeOf } from '../../conformance/run/verdict.ts';
import type { WireFault } from '../../proof/power/mutant.ts';
import { passOn, write } from '../../proof/power/mutants/wire-faults.ts';
import { judgeServer } from '../support/judged-server.ts';
import { createBench } from '../support/judging.ts';
import { createWaitingClock, type WaitingClock } from '../support/waiting-clock.ts';

const { conformance, reading } = await createBench();

/** Judges the mock behind a fault, by reading, on a clock that does not wait. */
async function judge(fault: (clock: WaitingClock) => WireFault, config: Partial<Config> = {}, only: string[] = []) {
  const clock = createWaitingClock();
  const { report } = await judgeServer({ wire: () => fault(clock) }, only, {
    ...{ mode: 'read', config, clock, observe: false },
  });
  return { report, clock, exitCode: exitCodeOf(report, false), headline: headlineText(report) };
}

/** Sixty requests a minute, with the seconds until the next minute in Retry-After. */
const sixtyAMinute = (clock: WaitingClock): WireFault => {
  let [window, count] = [0, 0];
  return async (request, response, forward) => {
    const nowMs = clock.nowMs();
    const minute = Math.floor(nowMs / 60_000);
    if (minute !== window) [window, count] = [minute, 0];
    if (++count <= 60) return passOn(request, response, forward);
    const seconds = Math.ceil(((minute + 1) * 60_000 - nowMs) / 1_000);
    write(response, { status: 429, headers: { 'retry-after': String(seconds) }, body: '' });
  };
};

/** Four connections to a database, of which each answer with 404 loses one. */
const losingConnections = (): WireFault => {
  let left = 4;
  return async (_, response, forward) => {
    const answer = left > 0 ? await forward() : { status: 500, headers: {}, body: '' };
    if (answer.status === 404) left--;
    write(response, answer);
  };
};

const lists = ['list*'];

describe('a target that', () => {
  it('takes sixty requests a minute ends with a true verdict, slowly', async () => {
    const { report, clock, exitCode, headline } = await judge(sixtyAMinute);
    expect({ exitCode, verdict: report.verdict }).toEqual({ exitCode: 0, verdict: 'conformant' });
    expect(headline).toMatch(/^CONFORMANT in \d+ of \d+ checks; \d+ need --allow-writes/);
    expect(report.summary).toMatchObject({ failed: 0, warned: 0, inconclusive: 0 });
    expect(clock.waitedMs()).toBeGreaterThan(5 * 60_000);
  });

  it('takes sixty requests a minute is never refused at that rate', async () => {
    const { report, clock, exitCode } = await judge(sixtyAMinute, { rate: 0.9 }, ['listDrives.*']);
    expect({ exitCode, troubles: report.run.troubles }).toEqual({ exitCode: 0, troubles: undefined });
    // One at once, each other one 1 / 0.9 seconds after the one before.
    expect(report.run.requests).toBeGreaterThan(120);
    expect(clock.waitedMs()).toBeGreaterThan((report.run.requests - 1) * 1_050);
  });

  it('takes sixty requests a minute is inconclusive within less time, and 429 is the reason', async () => {
    const { report, exitCode, headline } = await judge(sixtyAMinute, { timeLimitMs: 150_000 }, lists);
    expect({ exitCode, verdict: report.verdict }).toEqual({ exitCode: 3, verdict: 'inconclusive' });
    expect(headline).toMatch(
      /^INCONCLUSIVE: the run reached --time-limit, after \d+ checks \(status 429, \d+ times\); /,
    );
  });

  it('refuses nearly everything as one too many is inconclusive, and 429 is the reason', async () => {
    let count = 0;
    const { exitCode, headline } = await judge(
      () => async (request, response, forward) => {
        if (++count <= 30) return passOn(request, response, forward);
        write(response, { status: 429, headers: {}, body: '' });
      },
      {},
      lists,
    );
    expect(exitCode).toBe(3);
    expect(headline).toMatch(/^INCONCLUSIVE: \d+ checks could not be judged \(status 429, \d+ times/);
    expect(headline).not.toMatch(/fixtures|otherApiKey/);
  });

  it('loses a connection with each 404 fails, with status 500 as the reason', async () => {
    const { report, exitCode, headline } = await judge(losingConnections, {}, [...lists, 'getDriveFile.*']);
    expect({ exitCode, verdict: report.verdict }).toEqual({ exitCode: 1, verdict: 'non-conformant' });
    expect(report.run.troubles).toEqual([{ what: 'status 500', count: expect.any(Number) }]);
    expect(headline).toMatch(/^NON-CONFORMANT: \d+ checks failed \(\w+\.is-served/);
    const settings = new Set(report.checks.map(({ setting }) => setting));
    expect([...settings].filter((setting) => /fixtures|otherApiKey/.test(setting ?? ''))).toEqual([]);
  });
});

/** A run against a server that counts the requests in progress, and is too busy for more than `most` at once. */
async function run(concurrency: number, most = Number.POSITIVE_INFINITY) {
  let [inProgress, highest, refused] = [0, 0, 0];
  const counting: WireFault = async (_, response, forward) => {
    inProgress++;
    highest = Math.max(highest, inProgress);
    const isTooBusy = inProgress > most;
    const { status, headers, body } = await forward();
    inProgress--;
    if (isTooBusy) refused++;
    response.writeHead(isTooBusy ? 503 : status, isTooBusy ? {} : headers).end(isTooBusy ? '' : body);
  };
  const only = ['listAgents.*', 'getDriveFile.*'];
  const { report } = await judgeServer({ wire: () => counting }, only, { mode: 'read', config: { concurrency } });
  return { report, highest, refused };
}

describe('requests at the same time', () => {
  it.each([1, 3])('never exceed the limit of --concurrency: %i', async (limit) => {
    const { report, highest } = await run(limit);
    expect(highest).toBe(limit);
    expect(report.summary.failed).toBe(0);
  });

  it('become one at a time on a target that is too busy for more', async () => {
    const { report, refused } = await run(8, 1);
    // At most those that were in progress when the first refusal came.
    expect(refused).toBeLessThanOrEqual(8);
    expect(refused).toBeGreaterThan(0);
    expect(report.summary).toMatchObject({ failed: 0, warned: 0 });
  });

  it('are limited by a flag of the command line', async () => {
    const { code, stderr } = await conformance(['--concurrency', '0'], reading);
    expect([code, stderr]).toEqual([2, expect.stringContaining('concurrency')]);
    const { code: fine } = await conformance(['--concurrency', '1', '--only', 'listAgents.is-served'], reading);
    expect(fine).toBe(0);
  });
});
