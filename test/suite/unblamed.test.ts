import { expect, it } from 'vitest';
import { toSettings } from '../../conformance/config/settings.ts';
import { runSuite } from '../../conformance/run.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { startFront } from '../../proof/power/front.ts';
import { createMock } from '../../src/index.ts';
import { startControlled } from '../support/control.ts';
import { sampleOf } from '../support/depth.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

// Which fields the pagination object has is open: what they would show does not apply where they are left out.

const ofPages = ['pagination-repeats-limit', 'pagination-repeats-offset', 'total-coherent'].map(
  (id) => `listDrives.${id}`,
);

it.each([
  ['all', ['passed', 'passed', 'passed'], 'conformant'],
  ['withoutTotal', ['passed', 'passed', 'skipped'], 'conformant'],
  ['none', ['skipped', 'skipped', 'skipped'], undefined],
] as const)('a server with paginationFields = %s is not inconclusive', async (paginationFields, outcomes, verdict) => {
  const { mock } = await startControlled({ set: { paginationFields } });
  const settings = toSettings({ baseUrl: mock.url, apiKey: mock.key, settleMs: 10 });
  const report = await runSuite(settings, { tool: 'test', only: ofPages });
  const chosen = report.checks.filter(({ id }) => ofPages.includes(id));
  expect(chosen.map(({ outcome }) => outcome)).toEqual(outcomes);
  if (verdict !== undefined) expect(report.verdict).toBe(verdict);
});

const ofTools = { tool: 'test', only: ['listMcpServerTools.*'] };

// The MCP server of the config is down, and the target says so in its way: no fault of the target.
it.each([...sampleOf([502, 503, 504] as const, 1), 424, 'none'] as const)(
  'an MCP server that is down fails no check with unreachableTools = %s',
  async (choice) => {
    const mock = await createMock({ liveMcp: true, set: { unreachableTools: choice, toolsOfNewServer: 'live' } });
    try {
      const settings = settingsForMock(mock, mock.url, 'read', { settleMs: 100 });
      expect(settings.fixtures.mcpServer).toBeDefined();
      const { checks } = await runSuite(settings, { ...ofTools, clock: createWaitingClock() });
      expect(checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([]);
      expect(checks.some(({ outcome }) => outcome === 'passed')).toBe(true);
    } finally {
      await mock.close();
    }
  },
);

// A list that cannot be read for the moment shows no agent: that is no sign that the agents are gone.
it.each(sampleOf([1, 2, 3, 4], 2))(
  'a list of the other organization that cannot be read after %i readings fails nothing',
  async (after) => {
    const mock = await createMock();
    let readings = 0;
    const front = await startFront(mock.url, async (request, response, forward) => {
      const isOthers =
        request.url?.endsWith('/agents') && JSON.stringify(request.headers).includes(mock.keys[1] ?? '?');
      if (isOthers && [after + 1, after + 2].includes(++readings)) return void response.writeHead(429).end();
      const { status, headers, body } = await forward();
      response.writeHead(status, headers).end(body);
    });
    try {
      const settings = settingsForMock(mock, front.baseUrl, 'write', { settleMs: 100 });
      const { checks } = await runSuite(settings, { tool: 'test', only: ['publishAgentRevision.*'] });
      expect(checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([]);
      expect(readings).toBeGreaterThan(3);
    } finally {
      await front.close();
      await mock.close();
    }
  },
);
