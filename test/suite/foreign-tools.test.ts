import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { headlineText } from '../../conformance/reporters/headline.ts';
import { runSuite } from '../../conformance/run.ts';
import { exitCodeOf } from '../../conformance/verdict.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { startFront } from '../../proof/power/front.ts';
import { changeAnswer, on } from '../../proof/power/mutants/wire-faults.ts';
import { createMock } from '../../src/index.ts';

/** The only check of a run in which a foreign MCP server answers with these tools, and the headline of the run. */
async function judge(shown: unknown, foreignResources: 'hidden' | 'shared') {
  const mock = await createMock();
  const isForeign = (status: number, { headers }: IncomingMessage) =>
    status === 404 && JSON.stringify(headers).includes(`${mock.keys[1]}"`);
  const answer = { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(shown) };
  const front = await startFront(
    mock.url,
    on(
      'listMcpServerTools',
      changeAnswer(isForeign, () => answer),
    ),
  );
  const only = ['listMcpServerTools.foreign-resource'];
  const settings = { ...settingsForMock(mock, front.baseUrl, 'read'), foreignResources };
  const report = await runSuite(settings, { tool: 'test', only, observe: false });
  await front.close();
  await mock.close();
  const check = report.checks.find(({ id }) => only.includes(id));
  const { summary } = report;
  const whole = { ...report, summary: { ...summary, skipped: 0 } };
  const { outcome, reason, evidence } = check ?? {};
  return {
    ...{ outcome, actual: evidence?.actual, headline: headlineText(whole), exitCode: exitCodeOf(report, false) },
    saysHow: reason?.includes('declare openPoints.foreignResources: shared in the config'),
  };
}

const headline = expect.stringContaining('MCP tools of another organization can be listed');

it.each([
  [{ tools: [] }, 'status 200, with 0 tools'],
  [{ tools: [{ name: 'search' }] }, 'status 200, with 1 tool'],
  [[{ name: 'search' }, { name: 'create' }], 'status 200; its response is not an object with tools'],
  [{ tools: null }, 'status 200; its response is not an object with tools'],
])('tools of a foreign MCP server fail, and nothing says more than was seen: %j', async (shown, actual) => {
  expect(await judge(shown, 'hidden')).toEqual({ outcome: 'failed', actual, headline, exitCode: 1, saysHow: true });
});

it('tools of a foreign MCP server warn where the config declares that organizations share them', async () => {
  const expected = { outcome: 'warned', actual: 'status 200, with 0 tools', headline, exitCode: 0, saysHow: false };
  expect(await judge({ tools: [] }, 'shared')).toEqual(expected);
});
