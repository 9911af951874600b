import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.ts';
import { type Config, toSettings } from '../../conformance/config/settings.ts';
import { runSuite } from '../../conformance/run.ts';
import { mutants } from '../../proof/power/mutants/index.ts';
import { startMutant } from '../../proof/power/start-mutant.ts';
import { demo, keys } from '../support/judging.ts';

const ids = allChecks().map(({ id }) => id);
const config: Config = JSON.parse(readFileSync(demo, 'utf8'));

/** What a run of some checks against a broken server says about those that it did not judge. */
async function unjudgedOn(mutant: string, only: string[], more: Partial<Config> = {}) {
  const { baseUrl, close } = await startMutant(mutants.find(({ id }) => id === mutant) ?? {});
  const { AGENT_PLATFORM_API_KEY: apiKey, AGENT_PLATFORM_OTHER_API_KEY: otherApiKey } = keys;
  const settings = toSettings({ ...config, ...more, baseUrl, apiKey, otherApiKey, settleMs: 50 });
  const report = await runSuite(settings, { tool: 'test', only, observe: false }).finally(close);
  expect(report.checks.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  return report.checks.filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'not-enabled');
}

it('owners that cannot be compared are not called missing data if a list names several', async () => {
  const unjudged = await unjudgedOn('the-first-mcp-server-names-another-organization', [
    'listMcpServers.same-organization-as-drives',
    'listMcpServers.items-name-one-organization*',
  ]);
  expect(unjudged).toMatchObject([
    {
      id: 'listMcpServers.same-organization-as-drives',
      outcome: 'inconclusive',
      because: 'listMcpServers.items-name-one-organization.each-answer',
    },
  ]);
});

it('disposable files are not called too few if the server deleted one that it must keep', async () => {
  const { fixtures } = config;
  const driveId = fixtures?.disposableFiles?.[0]?.driveId;
  const ofOne = fixtures?.disposableFiles?.filter((file) => file.driveId === driveId).slice(0, 5) ?? [];
  const few = { fixtures: { ...fixtures, disposableFiles: ofOne } };
  const unjudged = await unjudgedOn('a-tree-deletion-takes-one-file-more', ['deleteDriveTree.file-be*'], few);
  expect(unjudged.filter(({ setting }) => setting?.startsWith('more files in'))).toEqual([]);
  expect(unjudged.map(({ because }) => because)).toContain('deleteDriveTree.file-beside-is-kept');
});
