import { expect, it } from 'vitest';
import { runSuite } from '../../conformance/run.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { createMock } from '../../src/index.ts';
import { sampleOf } from '../support/depth.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

const of = { tool: 'test', only: ['listMcpServerTools.*'] };

// The MCP server of the config is down, and the target says so in its way: no fault of the target.
it.each([...sampleOf([502, 503, 504] as const, 1), 424, 'none'] as const)(
  'an MCP server that is down fails no check with unreachableTools = %s',
  async (choice) => {
    const mock = await createMock({ liveMcp: true, set: { unreachableTools: choice, toolsOfNewServer: 'live' } });
    try {
      const settings = settingsForMock(mock, mock.url, 'read', { settleMs: 100 });
      expect(settings.fixtures.mcpServer).toBeDefined();
      const { checks } = await runSuite(settings, { ...of, clock: createWaitingClock() });
      expect(checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([]);
      expect(checks.some(({ outcome }) => outcome === 'passed')).toBe(true);
    } finally {
      await mock.close();
    }
  },
);
