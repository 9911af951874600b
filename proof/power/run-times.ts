/**
 * How long a run takes on servers that are wrong in one way each, with the limits that a user has by default:
 * `node proof/power/run-times.ts [id …]`. `--waits` counts the time that the suite waits in place of waiting.
 */

import { runSuite } from '../../conformance/run/run.ts';
import { toSettings } from '../../conformance/run/settings.ts';
import { exitCodeOf } from '../../conformance/run/verdict.ts';
import { createWaitingClock } from '../../test/support/waiting-clock.ts';
import { startMutant } from './start-mutant.ts';
import { wrongServers } from './wrong-servers.ts';

const ids = process.argv.slice(2).filter((word) => word !== '--waits');
const isCounting = process.argv.includes('--waits');
for (const server of wrongServers.filter(({ id }) => ids.length === 0 || ids.includes(id))) {
  const { mock, baseUrl, fixtures, close } = await startMutant(server);
  const [apiKey = '', otherApiKey = ''] = mock.keys;
  const settings = toSettings({
    ...{ baseUrl, apiKey, otherApiKey, fixtures, allowWrites: true, allowDestructive: true },
    openPoints: { treePathParameter: mock.profile.treePathParameter },
  });
  const clock = createWaitingClock();
  const startedMs = performance.now();
  const report = await runSuite(settings, { tool: 'run-times', ...(isCounting && { clock }) });
  const seconds = (performance.now() - startedMs) / 1_000;
  const waited = isCounting ? `${(clock.waitedMs() / 1_000).toFixed(1).padStart(6)} s waited` : '';
  const { summary, run } = report;
  const counts = Object.entries(summary).map(([outcome, count]) => `${count} ${outcome}`);
  console.log(
    `${server.id.padEnd(30)} ${seconds.toFixed(1).padStart(6)} s ${waited}  exit ${exitCodeOf(report, false)}, ${counts.join(', ')}, ${run.requests} requests`,
  );
  await close();
}
