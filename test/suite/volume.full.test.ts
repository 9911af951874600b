/** `--volume`: many of everything. */
import { describe, expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.ts';
import { describePlan, planOf } from '../../conformance/run/plan.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { on, passOn, withBody, write } from '../../proof/power/mutants/wire-faults.ts';
import { receiptErrors, takeSnapshot } from '../../proof/power/snapshot.ts';
import { type Startable, startMutant } from '../../proof/power/start-mutant.ts';

async function judge(server: Startable) {
  const { mock, baseUrl, fixtures, close } = await startMutant(server);
  const settings = settingsForMock(mock, baseUrl, 'write', { fixtures, settleMs: 300, volume: true, walk: 0 });
  const before = takeSnapshot(mock);
  const report = await runSuite(settings, { tool: 'test', observe: false }).finally(close);
  const drives = mock.engine.store.organizations[0]?.drives.all().length ?? 0;
  return { report, drives, settings, errors: receiptErrors(before, takeSnapshot(mock), report.leftovers) };
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
    const { report, drives, settings, errors } = await judge({ wire: () => passOn });
    expect(report.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')).toEqual([]);
    expect(drives).toBeGreaterThan(101);
    expect(errors).toEqual([]);
    expect(describePlan(planOf(allChecks(), settings), settings).join('\n')).toMatch(
      /With --volume, it will also create 101 drives, publish 50 revisions, and delete up to \d+ disposable files\./,
    );
  });

  it('finds a server that shows a hundred drives at most', async () => {
    const { report } = await judge(capped);
    const failed = report.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
    expect(failed.some((id) => id.startsWith('listDrives.'))).toBe(true);
  });
});
