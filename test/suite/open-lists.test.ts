import { describe, expect, it } from 'vitest';
import { runSuite } from '../../conformance/run.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { mutants } from '../../proof/power/mutants/index.ts';
import { startMutant } from '../../proof/power/start-mutant.ts';

/** The findings of some checks over a mutant. */
async function judge(id: string, only: string[]) {
  const mutant = mutants.find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`there is no ${id}`);
  const { mock, baseUrl, fixtures, close } = await startMutant(mutant);
  const settings = settingsForMock(mock, baseUrl, 'write', { fixtures, settleMs: 500 });
  const report = await runSuite(settings, { tool: 'test', only });
  await close();
  const findings = report.checks.filter(({ outcome }) => outcome === 'failed');
  return new Map(findings.map(({ id: check, because, evidence }) => [check, { because, actual: evidence?.actual }]));
}

const rules = ['organization-in-body', 'own-organization-at-once', 'belongs-to-organization'];

describe('a list that shows the resources of all organizations', () => {
  it.each([
    ['createDrive', 'listDrives', 'drives-of-all-organizations-are-listed'],
    ['createMcpServer', 'listMcpServers', 'mcp-servers-of-all-organizations-are-listed'],
  ])('is named as the cause where it shows what %s created', async (create, list, mutant) => {
    const cause = `${list}.hides-other-organization`;
    const found = await judge(mutant, [cause, ...rules.map((rule) => `${create}.${rule}`)]);
    expect(found.get(cause)?.because).toBeUndefined();
    for (const rule of rules) {
      expect(found.get(`${create}.${rule}`), rule).toEqual({
        because: cause,
        actual: expect.stringMatching(/^the list of the other organization shows it: \{"id":/),
      });
    }
  });

  it('is not the cause where a resource belongs to the organization in the body', async () => {
    const check = 'createMcpServer.organization-in-body';
    const only = [check, 'listMcpServers.hides-other-organization'];
    const found = await judge('an-mcp-server-belongs-to-the-organization-in-the-body', only);
    expect([...found.keys()]).toEqual([check]);
    expect(found.get(check)).toEqual({
      because: undefined,
      actual: expect.stringMatching(/^the organization in the body: "/),
    });
  });
});
