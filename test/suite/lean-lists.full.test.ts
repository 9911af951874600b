import { expect, it } from 'vitest';
import { runSuite } from '../../conformance/run.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { oddLegalServers } from '../../proof/power/odd-legal-servers.ts';

// The proof of the suite runs over all lean lists; these two lack the most.
it.concurrent.each(['listed-items-have-ids-only', 'listed-items-are-empty'])(
  '%s: no check fails, and the missing things warn',
  async (id) => {
    const server = oddLegalServers.find((odd) => odd.id === id);
    if (server === undefined) throw new Error(`there is no ${id}`);
    const { mock, baseUrl, keys, fixtures, close } = await server.start();
    const [apiKey = '', otherApiKey = ''] = keys;
    try {
      const settings = settingsForMock(mock, baseUrl, 'write', { apiKey, otherApiKey, fixtures, settleMs: 50 });
      const { checks } = await runSuite(settings, { tool: 'test' });
      expect(checks.filter(({ outcome }) => outcome === 'failed').map((check) => check.id)).toEqual([]);
    } finally {
      await close();
    }
  },
);
