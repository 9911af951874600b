import { expect, it } from 'vitest';
import { toSettings } from '../../conformance/config/settings.ts';
import { runSuite } from '../../conformance/run.ts';
import { startControlled } from '../support/control.ts';

// Which fields the pagination object has is open: what they would show does not apply where they are left out.

const only = ['pagination-repeats-limit', 'pagination-repeats-offset', 'total-coherent'].map(
  (id) => `listDrives.${id}`,
);

it.each([
  ['all', ['passed', 'passed', 'passed'], 'conformant'],
  ['withoutTotal', ['passed', 'passed', 'skipped'], 'conformant'],
  ['none', ['skipped', 'skipped', 'skipped'], undefined],
] as const)('a server with paginationFields = %s is not inconclusive', async (paginationFields, outcomes, verdict) => {
  const { mock } = await startControlled({ set: { paginationFields } });
  const settings = toSettings({ baseUrl: mock.url, apiKey: mock.key, settleMs: 10 });
  const report = await runSuite(settings, { tool: 'test', only });
  const chosen = report.checks.filter(({ id }) => only.includes(id));
  expect(chosen.map(({ outcome }) => outcome)).toEqual(outcomes);
  if (verdict !== undefined) expect(report.verdict).toBe(verdict);
});
