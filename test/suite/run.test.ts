import { describe, expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.ts';
import { runSuite } from '../../conformance/run.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { mutants } from '../../proof/power/mutants/index.ts';
import { receiptErrors, takeSnapshot } from '../../proof/power/snapshot.ts';
import { startMutant } from '../../proof/power/start-mutant.ts';
import { createMock } from '../../src/index.ts';

const hosted = ['listMcpServerTools.hosted-tools.sse', 'listMcpServerTools.hosted-tools.streamable-http'];

describe('register and checks', () => {
  const checks = allChecks();
  const listed = loadRequirements().flatMap(({ checks: ids = [] }) => ids);

  it('name the same checks', () => {
    expect(checks.map(({ id }) => id).sort()).toEqual([...new Set(listed)].sort());
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  });

  it('give each check one level and one operation', () => {
    for (const { id, operation, requirements } of checks) {
      expect(new Set(requirements.map(({ level }) => level)).size, id).toBe(1);
      expect(id.startsWith(`${operation}.`), id).toBe(true);
      for (const requirement of requirements) expect(requirement.operations, id).toContain(operation);
    }
  });

  it('have ids of words, not numbers', () => {
    expect(checks.filter(({ id }) => !/^[a-z][A-Za-z]+(\.[a-z]+(-[a-z0-9]+)*){1,2}$/.test(id))).toEqual([]);
    expect(checks.filter(({ id }) => /\.\d+$/.test(id))).toEqual([]);
  });
});

describe('suite against the mock', () => {
  it('passes every check but those with hosted tools, and lists all leftovers', async () => {
    const mock = await createMock();
    const before = takeSnapshot(mock);
    const report = await runSuite(settingsForMock(mock, mock.url, 'write'), { tool: 'test' });
    const after = takeSnapshot(mock);
    await mock.close();
    expect(report.checks.flatMap(({ id, outcome, reason }) => (outcome === 'passed' ? [] : [{ id, reason }]))).toEqual(
      hosted.map((id) => ({ id, reason: 'Runs only with --host-mcp-server.' })),
    );
    expect(report.verdict).toBe('conformant');
    expect(receiptErrors(before, after, report.leftovers)).toEqual([]);
  });

  it('changes nothing without write permission', async () => {
    const mock = await createMock();
    const before = takeSnapshot(mock);
    const report = await runSuite(settingsForMock(mock, mock.url, 'read'), { tool: 'test' });
    const after = takeSnapshot(mock);
    await mock.close();
    expect(after.text).toBe(before.text);
    expect(report).toMatchObject({
      verdict: 'conformant',
      summary: { failed: 0, warned: 0, inconclusive: 0 },
      leftovers: [],
    });
    expect(report.summary.passed).toBeGreaterThan(150);
    const disabled = report.checks.filter(({ outcome }) => outcome === 'not-enabled');
    expect(disabled.length).toBeGreaterThan(0);
    expect(disabled.filter(({ setting, reason }) => !setting || !reason)).toEqual([]);
  });
});

describe('receipt', () => {
  const checks = ['updateDriveFile.unknown-file', 'updateDriveFile.file-of-another-drive'];
  const accepting = mutants.filter((mutant) => mutant.class === 'state' && checks.includes(mutant.check));

  it.each(accepting)('lists each file that the run moved or created: $id', async (mutant) => {
    const running = await startMutant(mutant);
    const before = takeSnapshot(running.mock);
    const settings = settingsForMock(running.mock, running.baseUrl, 'write');
    const { leftovers } = await runSuite(settings, { tool: 'test', only: [mutant.check], observe: false });
    const errors = receiptErrors(before, takeSnapshot(running.mock), leftovers);
    await running.close();
    expect(errors.filter((error) => error.endsWith('is not in the receipt'))).toEqual([]);
  });
});
