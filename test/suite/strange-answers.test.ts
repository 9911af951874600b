import { stripVTControlCharacters } from 'node:util';
import { parse, type TestSuites } from 'junit2json';
import { describe, expect, it } from 'vitest';
import { toAnnotations } from '../../conformance/report/github.ts';
import { reporters } from '../../conformance/report/index.ts';
import { parseReport } from '../../conformance/report/parse-report.ts';
import type { Report } from '../../conformance/report/report.ts';
import { toTerminal } from '../../conformance/report/terminal.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { toSettings } from '../../conformance/run/settings.ts';
import { startFront } from '../../proof/power/front.ts';
import { createMock } from '../../src/index.ts';
import { depth, isFull, randomSeed } from '../support/depth.ts';
import { strangeAnswers } from '../support/strange-answers.ts';
import { wholeConfig } from '../support/whole-settings.ts';

/** The report on a mock of whose answers about one in `every` is strange. */
async function judgeStrange(seed: number, every: number): Promise<Report> {
  const mock = await createMock();
  const front = await startFront(mock.url, strangeAnswers(seed, every));
  try {
    const limits = { settleMs: 20, timeoutMs: 10_000, maxRequests: 4_000 };
    const settings = toSettings({ ...wholeConfig(mock), ...limits, baseUrl: front.baseUrl });
    return await runSuite(settings, {
      tool: 'test',
      only: isFull ? [] : ['listDrives.*', 'getDriveFile.*', 'createDrive.*'],
    });
  } finally {
    await front.close();
    await mock.close();
  }
}

const known =
  /^<\/?(html|head|meta|title|style|body|a|header|p|h[1-4]|nav|ul|li|b|br|main|section|div|table|caption|thead|tbody|tr|th|td|dl|dt|dd|code|span|q|strong|pre|details|summary|article|form|label|select|option|input|output|footer|script|noscript|time)\b/;

/** Tags that no report has, unless a text became one. */
function foreignTags(html: string): string[] {
  const text = html.replace(/<style>[\s\S]*?<\/style>/, '').replace(/<script>[\s\S]*?<\/script>/, '');
  return (text.match(/<[^!][^>]*>?/g) ?? []).filter((tag) => !known.test(tag) || /\son\w+=|\ssrc=/.test(tag));
}

/** Every format shows the report, and nothing in it becomes markup, a command or a control character. */
async function expectReadable(report: Report): Promise<void> {
  expect(parseReport(JSON.stringify(report), 'the report')).toEqual(report);
  const plain = toTerminal(report, { color: false, command: 'npx agent-platform-contract conformance' });
  expect(plain).not.toMatch(/[^\P{Cc}\n\t]|\p{Cs}/u);
  expect(
    stripVTControlCharacters(toTerminal(report, { color: true, command: 'npx agent-platform-contract conformance' })),
  ).toBe(plain);
  expect(foreignTags(reporters.html.write(report))).toEqual([]);
  const suites = (await parse(reporters.junit.write(report), {})) as TestSuites;
  expect(suites.testsuite?.[0]?.testcase).toHaveLength(report.checks.length);
  expect(reporters.markdown.write(report)).toContain('| failed | warned |');
  expect(
    toAnnotations(report, 'x')
      .split('\n')
      .filter((line) => !/^(::(error|warning) title=[^:,]*::.*)?$/.test(line)),
  ).toEqual([]);
}

describe('a run over a target with strange answers', () => {
  const cases = Array.from({ length: depth(1, 40) }, (_, index) => [randomSeed + index, [3, 10, 40][index % 3] ?? 3]);

  it.each(cases)('ends with a report that every format can show: seed %i, one in %i', async (seed, every) => {
    const report = await judgeStrange(seed, every);
    expect(report.run.suiteError).toBeUndefined();
    await expectReadable(report);
  });
});
