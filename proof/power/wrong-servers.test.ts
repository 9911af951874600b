import { expect, it } from 'vitest';
import { runSuite } from '../../conformance/run/run.ts';
import { exitCodeOf } from '../../conformance/run/verdict.ts';
import { isFull, sampleOf } from '../../test/support/depth.ts';
import { createWaitingClock } from '../../test/support/waiting-clock.ts';
import { degenerateServers } from './degenerate-servers.ts';
import { settingsForMock } from './fixtures.ts';
import { startMutant } from './start-mutant.ts';
import { wrongServers } from './wrong-servers.ts';

// A sound server takes five to six seconds, five of them the walk's. Besides, each of three kinds of change may be waited for
// once, five seconds; two checks that wait for the same at the same time both count. Findings are read again for some seconds.
const mostWaitedMs = 30_000;

const waiting = wrongServers.filter(({ id, isSlow }) => id !== 'sound' && !isSlow);

// What hangs takes its time.
const quick = waiting.filter(({ id }) => isFull || id !== 'some-requests-hang');

it.each(sampleOf(quick, 1).map((server) => [server.id, server] as const))(
  'a run waits for what does not come once for each kind of change, and is not green: %s',
  async (_, server) => {
    const { mock, baseUrl, fixtures, close } = await startMutant(server);
    const clock = createWaitingClock();
    const settings = settingsForMock(mock, baseUrl, 'write', { fixtures, settleMs: 5_000, timeoutMs: 2_000 });
    const report = await runSuite(settings, { tool: 'test', clock });
    await close();
    expect(clock.waitedMs()).toBeLessThan(mostWaitedMs);
    expect(exitCodeOf(report, false)).toBeGreaterThan(0);
    expect(report.run.suiteError).toBeUndefined();
  },
);

// The servers that are wrong in everything, and look enough like the service for a run to begin.
const judged = ['always-empty-object', 'always-empty-array', 'always-null', 'always-500', 'echo'];

it.each(judged)('nor does a run wait longer where everything is wrong: %s', async (id) => {
  const { baseUrl, close } = (await degenerateServers.find((server) => server.id === id)?.start()) ?? {};
  const clock = createWaitingClock();
  const { mock, fixtures, close: closeMock } = await startMutant({});
  const settings = settingsForMock(mock, String(baseUrl), 'write', { fixtures, settleMs: 5_000, timeoutMs: 2_000 });
  const report = await runSuite(settings, { tool: 'test', clock }).finally(() => Promise.all([close?.(), closeMock()]));
  expect(clock.waitedMs()).toBeLessThan(20_000);
  expect(report.summary.failed).toBeGreaterThan(0);
});
