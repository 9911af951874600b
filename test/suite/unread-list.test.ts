import { expect, it } from 'vitest';
import { runSuite } from '../../conformance/run.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { startFront } from '../../proof/power/front.ts';
import { createMock } from '../../src/index.ts';
import { sampleOf } from '../support/depth.ts';

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
