import { expect, it } from 'vitest';
import { runSuite } from '../../conformance/run/run.ts';
import { exitCodeOf } from '../../conformance/run/verdict.ts';
import { isFull, sampleOf } from '../../test/support/depth.ts';
import { createWaitingClock } from '../../test/support/waiting-clock.ts';
import { settingsForMock } from './fixtures.ts';
import { startMutant } from './start-mutant.ts';
import { wrongServers } from './wrong-servers.ts';

// A sound server takes five to six seconds. Each of three kinds of change may be waited for once besides, five seconds.
const mostWaitedMs = 20_000;

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
