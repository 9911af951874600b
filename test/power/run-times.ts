/**
 * How long a run takes on servers that are wrong in one way each, with the limits that a user has by default:
 * `node test/power/run-times.ts [id …]`.
 */
import { performance } from 'node:perf_hooks';
import { toSettings } from '../../conformance/config/settings.ts';
import { runSuite } from '../../conformance/run.ts';
import { exitCodeOf } from '../../conformance/verdict.ts';
import { startMutant } from './start-mutant.ts';
import { wrongServers } from './wrong-servers.ts';

const ids = process.argv.slice(2);
for (const server of wrongServers.filter(({ id }) => ids.length === 0 || ids.includes(id))) {
  const { mock, baseUrl, fixtures, close } = await startMutant(server);
  const [apiKey = '', otherApiKey] = mock.keys;
  const settings = toSettings({
    ...{ baseUrl, apiKey, otherApiKey, fixtures, allowWrites: true, allowDestructive: true },
    openPoints: { treePathParameter: mock.profile.treePathParameter },
  });
  const startedMs = performance.now();
  const report = await runSuite(settings, { tool: 'run-times', signal: AbortSignal.timeout(600_000) }).catch(String);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  const ended = typeof report === 'string' ? report : JSON.stringify({ exit: exitCodeOf(report, false), ...report.summary, requests: report.run.requests, suiteError: report.run.suiteError });
  console.log(`${server.id.padEnd(32)} ${seconds.padStart(6)} s  ${ended}`);
  await close();
}
