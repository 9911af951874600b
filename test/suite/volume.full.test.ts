/** `--volume`: many of everything. */
import { describe, expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.ts';
import { describePlan, planOf } from '../../conformance/run/plan.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { on, passOn, withBody, write } from '../../proof/power/mutants/wire-faults.ts';
import { type Startable, startMutant } from '../../proof/power/start-mutant.ts';
import { judgeRunning } from '../support/judged-server.ts';

async function judge(server: Startable) {
  const running = await startMutant(server);
  const config = { settleMs: 300, volume: true, walk: 0 };
  const settings = settingsForMock(running.mock, running.baseUrl, 'write', config);
  const judged = await judgeRunning(running, [], { config, observe: false });
  return { ...judged, settings, drives: running.mock.engine.store.organizations[0]?.drives.all().length ?? 0 };
}

interface Page {
  data: unknown[];
  pagination: { total: number };
}

/** A server that shows no more than a hundred drives in all. */
const capped: Startable = {
  wire: () =>
    on('listDrives', async (request, response, forward) => {
      const answer = await forward();
      const offset = Number(new URLSearchParams(request.url?.split('?')[1]).get('offset') ?? 0);
      if (answer.status !== 200) return write(response, answer);
      const page = JSON.parse(String(answer.body)) as Page;
      const data = page.data.slice(0, Math.max(0, 100 - offset));
      const pagination = { ...page.pagination, total: Math.min(100, page.pagination.total) };
      write(response, withBody(answer, JSON.stringify({ data, pagination })));
    }),
};

describe('--volume', () => {
  it('finds nothing on a sound server, which then has more drives than a page', async () => {
    const { ids, drives, settings, receiptErrors } = await judge({ wire: () => passOn });
    expect(ids('failed', 'warned')).toEqual([]);
    expect(drives).toBeGreaterThan(101);
    expect(receiptErrors).toEqual([]);
    expect(describePlan(planOf(allChecks(), settings), settings).join('\n')).toMatch(
      /With --volume, it will also create 101 drives, publish 50 revisions, and delete up to \d+ disposable files\./,
    );
  });

  it('finds a server that shows a hundred drives at most', async () => {
    const { ids } = await judge(capped);
    expect(ids('failed').some((id) => id.startsWith('listDrives.'))).toBe(true);
  });
});
