import { expect, it } from 'vitest';
import { runSuite } from '../../conformance/index.ts';
import { withoutReferences } from '../../openapi/contract/profile.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { depth, isFull } from '../support/depth.ts';
import { fixturesOf } from '../support/fixtures.ts';
import { startProxied } from '../support/proxied.ts';

// The suite through the proxy, in the full run all of it: a thousand requests, most of them wrong on purpose.

const some = ['listDrives.*', 'updateDriveFile.*-path*', '*.is-served'];

it('finds the mock conformant through the proxy, which reports no server violations', async () => {
  const { mock, proxy, close } = await startProxied({ seed: 'demo' });
  // The judge is loaded with the first request: the suite does not wait for that.
  await fetch(`${proxy.url}/agents`);
  const settings = settingsForMock(mock, proxy.url, 'write', { fixtures: fixturesOf(mock), timeoutMs: 10_000 });
  const report = await runSuite(settings, { tool: 'proxy', only: isFull ? [] : some, observe: isFull });
  const { server, client, requests, judged, learned } = proxy.summary();
  await close();
  expect(report.verdict).toBe('conformant');
  expect(server).toEqual([]);
  expect(client.length).toBeGreaterThan(10);
  expect(requests).toBeGreaterThan(depth(100, 1_000));
  expect(requests - judged).toBeLessThan(5);
  expect(withoutReferences(mock.profile)).toMatchObject(learned.observed);
  expect(learned.unclear).toEqual({});
}, 120_000);
