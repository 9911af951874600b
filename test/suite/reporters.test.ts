import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { parse, type TestCase, type TestSuites } from 'junit2json';
import { describe, expect, it } from 'vitest';
import { toAnnotations, withoutCommands } from '../../conformance/report/github.ts';
import { toHtml } from '../../conformance/report/html.ts';
import { reporters } from '../../conformance/report/index.ts';
import { toJunit } from '../../conformance/report/junit.ts';
import { toMarkdown } from '../../conformance/report/markdown.ts';
import type { CheckResult, Report } from '../../conformance/report/report.ts';
import { toTerminal } from '../../conformance/report/terminal.ts';
import { cut, oneLine } from '../../lib/text.ts';
import { createMock } from '../../src/index.ts';
import { conformanceFlags } from '../../src/options/conformance-options.ts';
import { runCommand } from '../support/command.ts';
import { anyReport } from '../support/hostile.ts';
import { believableReport, evidenceOf, failing, many, sampleReport, sampleResult } from '../support/sample-report.ts';

// Without options the parser makes numbers of what looks like them.
const asStrings = {};

describe('JUnit', () => {
  const parsed = async (report: Report) => (await parse(toJunit(report), asStrings)) as TestSuites;
  const casesOf = async (report: Report): Promise<TestCase[]> => (await parsed(report)).testsuite?.[0]?.testcase ?? [];
  const caseOf = async (report: Report, id: string) => (await casesOf(report)).find(({ name }) => name === id);

  it('has one case per check and correct counts', async () => {
    const report = believableReport();
    const suites = await parsed(report);
    const counts = { tests: '40', failures: '4', errors: '0', skipped: '9', time: '12.431' };
    expect(suites).toMatchObject(counts);
    expect(suites.testsuite).toHaveLength(1);
    expect(suites.testsuite?.[0]).toMatchObject({ ...counts, timestamp: '2026-11-20T09:14:03.000Z' });
    const cases = await casesOf(report);
    const rows = cases.slice(0, -1).map(({ classname, name, time }) => [classname, name, time].join(' '));
    expect(rows.toSorted()).toEqual(
      report.checks
        .map(({ operation, id, durationMs }) => [operation, id, (durationMs / 1000).toFixed(3)].join(' '))
        .toSorted(),
    );
    expect(cases.findIndex(({ failure }) => failure)).toBe(0);
    expect(cases.filter(({ failure }) => failure)).toHaveLength(4);
    expect(cases.filter(({ skipped }) => skipped)).toHaveLength(9);
  });

  it('describes a failure with the actual result, the level and the evidence', async () => {
    const [failure] = (await caseOf(believableReport(), 'listDrives.limit-hundred-accepted'))?.failure ?? [];
    expect(failure).toMatchObject({ message: 'status 500 with an HTML page', type: 'must' });
    expect(failure?.inner).toMatch(/Expected[\s\S]*> GET [\s\S]*< 500[\s\S]*curl -i[\s\S]*--only listDrives\.limit/);
  });

  it('passes a warning with its evidence and skips a check that is not enabled with its reason', async () => {
    const warned = await caseOf(believableReport(), 'listAgents.no-key-is-401');
    expect(warned?.failure).toBeUndefined();
    expect(warned?.['system-out']?.join()).toMatch(/warned: status 403[\s\S]*Expected/);
    const disabled = await caseOf(believableReport(), 'deleteDriveTree.is-served');
    const busy = sampleResult('listAgents.busy', { outcome: 'inconclusive', reason: 'Later.', obstacle: 'status 429' });
    const inconclusive = await caseOf(sampleReport([busy]), 'listAgents.busy');
    expect(inconclusive?.error?.[0]).toMatchObject({ message: 'inconclusive: Later.', type: 'status 429' });
    expect(disabled?.skipped?.[0]?.message).toBe('not enabled: It deletes a tree; --allow-destructive lets it.');
  });

  it('skips an expected failure with its reason', async () => {
    const report = sampleReport([{ ...failing('listAgents.known', 'status 500'), expectedFailure: 'PLAT-1' }]);
    expect(await parsed(report)).toMatchObject({ tests: '1', failures: '0', skipped: '1' });
    expect((await caseOf(report, 'listAgents.known'))?.skipped?.[0]?.message).toBe('expected failure: PLAT-1');
  });

  it('fails a case for each entry of the expected failures that did not fail, patterns too', async () => {
    const expectedFailures = { stale: ['listAgents.*'], notJudged: ['getDriveFile.*'] };
    const report = sampleReport([sampleResult('listAgents.is-served')], { expectedFailures });
    expect(await parsed(report)).toMatchObject({ tests: '2', failures: '1' });
    const [failure] = (await caseOf(report, 'listAgents.*'))?.failure ?? [];
    expect(failure?.message).toBe('listAgents.* did not fail: remove it from the list');
  });

  it('has the verdict and the run details as properties', async () => {
    const properties = (await parsed(believableReport())).testsuite?.[0]?.properties ?? [];
    expect(Object.fromEntries(properties.map(({ name, value }) => [name, value]))).toMatchObject({
      verdict: 'non-conformant',
      tool: 'agent-platform-contract 0.1.0',
      baseUrl: 'https://staging.agents.example.com/v0.1',
      randomSeed: '20260701',
      runId: 'k7m2x9',
    });
  });

  it('reports a suite error as an error', async () => {
    const run = { ...sampleReport([]).run, suiteError: 'the disk is full' };
    const report = sampleReport([sampleResult('listAgents.is-served')], { run });
    expect(await parsed(report)).toMatchObject({ tests: '2', errors: '1' });
    expect((await caseOf(report, 'suite'))?.error?.[0]).toMatchObject({ message: 'the disk is full' });
  });

  it('keeps every text through an XML parser', async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, async (report) => {
        const cases = await casesOf(report);
        expect(cases).toHaveLength(report.checks.length + report.expectedFailures.stale.length + 1);
        const failures = cases.flatMap(({ failure }) => failure ?? []);
        const messages = failures.filter(({ type }) => type !== 'expected failure').map(({ message }) => message);
        const actual = report.checks.filter(
          ({ outcome, expectedFailure }) => outcome === 'failed' && expectedFailure === undefined,
        );
        const seen = actual.map(({ evidence, reason }) => cut(oneLine(evidence?.actual || reason), 500));
        expect(messages.map((message) => message ?? '').toSorted()).toEqual(seen.toSorted());
      }),
    );
  });
});

describe('Markdown', () => {
  it('shows the verdict, the failures and what would verify the rest', () => {
    const text = toMarkdown(believableReport());
    expect(text).toMatch(/^## ❌ non-conformant: 3 checks failed .*1 expected failure did not fail\n/);
    expect(text).toContain(
      '| failed | warned | inconclusive | not enabled | passed | skipped |\n| --- | --- | --- | --- | --- | --- |\n| 3 | 3 | 0 | 8 |',
    );
    expect(text).toMatch(/<summary><code>createDrive\.timestamps-are-utc<\/code> \(MUST\): createdAt is "2026/);
    expect(text).toContain('```sh\ncurl -i -X PATCH -H');
    expect(text).toContain('- 4 checks need `--allow-destructive`: `deleteDriveTree.is-served`');
    const known = { ...failing('listAgents.known', 'status 500'), expectedFailure: 'PLAT-1' };
    expect(toMarkdown(sampleReport([known]))).toMatch(/^## ⚠️ non-conformant: 1 check failed, as expected\n/);
    expect(text).toContain('| `errorStatus.invalidInput`<br>The status code for input that breaks a stated rule. ');
  });

  it('shows failures of one cause once and names the other checks', () => {
    const text = toMarkdown(sampleReport(many(5, () => 'status 500')));
    expect(text.match(/Expected/g)).toHaveLength(1);
    expect(text).toMatch(/4 more checks failed the same way: `listAgents\.case-1`, `listAgents\.case-2`/);
  });

  it('escapes markup in any text', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const text = outsideFences(toMarkdown(report));
        const tags = new Set(text.match(/<[^>]*>/g));
        expect([...tags].filter((tag) => !/^<\/?(details|summary|code|br)>$/.test(tag))).toEqual([]);
        expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
        const rows = text.split('\n').filter((line) => line.startsWith('|'));
        expect(new Set(rows.map((row) => row.split('|').length))).toEqual(new Set([8, 5]));
      }),
    );
  });

  it('stays below the job summary limit and says how much was cut', () => {
    const checks = many(240, (index) => `${index} ${'é'.repeat(3000)}`);
    const text = toMarkdown(sampleReport(checks));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900_000);
    expect(text).toMatch(
      /> Truncated: \d+ of \d+ parts did not fit here\. The other reports of the run are complete\.\n$/,
    );
    expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
  });
});

/** The lines that a reader of Markdown does not take as code. */
function outsideFences(text: string): string {
  let fence = '';
  const outside = text.split('\n').filter((line) => {
    const ticks = /^`{3,}/.exec(line)?.[0] ?? '';
    if (fence === '') {
      fence = ticks;
      return ticks === '';
    }
    if (ticks.length >= fence.length && line === ticks) fence = '';
    return false;
  });
  expect(fence).toBe('');
  return outside.join('\n');
}

describe('HTML', () => {
  it('has the report as data, which ends no script element, in a file of little more than its view', () => {
    const report = sampleReport([failing('listAgents.is-served', '</script><!-- \u2028')]);
    const html = toHtml(report);
    expect(html.length).toBeLessThan(75_000);
    const [, data = ''] = /<script type="application\/json" id="report">(.*?)<\/script>/s.exec(html) ?? [];
    expect(data).not.toMatch(/[<\u2028]/);
    expect(JSON.parse(data)).toMatchObject({ words: { headline: { word: 'non-conformant' } } });
    expect(JSON.parse(data).checks[0].evidence.actual).toBe('</script><!-- [U+2028]');
  });

  it('has no markup but its own, whatever a target wrote', () => {
    const tagsOf = (report: Report) => toHtml(report).split('<').length;
    fc.assert(
      fc.property(anyReport, (report) => {
        expect(tagsOf(report)).toBe(tagsOf(sampleReport([])));
      }),
    );
  });

  it('allows only its own script and style', () => {
    const html = toHtml(believableReport());
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    const hashOf = (tag: string) => {
      const [, text = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html) ?? [];
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    expect(policy.split('; ').slice(0, 5)).toEqual([
      "default-src 'none'",
      `script-src ${hashOf('script')}`,
      `style-src ${hashOf('style')}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });
});

describe('reporters', () => {
  it('are found by name, and write the format of their file name, the same for the same report', () => {
    const report = believableReport();
    expect(conformanceFlags.report.help).toContain(Object.keys(reporters).join(', '));
    for (const { write } of Object.values(reporters)) expect(write(believableReport())).toBe(write(report));
    expect(
      Object.entries(reporters).map(([name, { fileName, write }]) => [name, fileName, write(report).slice(0, 5)]),
    ).toEqual([
      ['junit', 'conformance.junit.xml', '<?xml'],
      ['html', 'conformance.html', '<!doc'],
      ['markdown', 'conformance.md', '## ❌ '.slice(0, 5)],
      ['json', 'conformance.json', '{\n  "'],
    ]);
  });
});

const command = 'npx agent-platform-contract conformance -u http://target.test/v0.1';
const unescaped = (text: string) => text.replaceAll('%0A', '\n').replaceAll('%25', '%');

describe('annotations for GitHub', () => {
  it('are errors for failures and warnings for warnings, each with its request to send again', () => {
    const lines = toAnnotations(believableReport(), command).trimEnd().split('\n');
    expect(lines.map((line) => line.split('::')[1])).toEqual([
      'error title=createDrive.timestamps-are-utc failed',
      'error title=listDrives.limit-hundred-accepted failed',
      'error title=updateDriveFile.dot-dot-segment.generated failed',
      'error title=expected failure',
      'warning title=listAgents.no-key-is-401 warned',
      'warning title=listDrives.pages-fit-together warned',
    ]);
    const [first = ''] = lines;
    expect(unescaped(first)).toMatch(/::createdAt is "2026[\s\S]*Expected [\s\S]*Reproduce {3}curl -i/);
    expect(unescaped(first)).toContain(`Run only this check  ${command} --only createDrive.timestamps-are-utc`);
  });

  it('are at most as many as GitHub shows', () => {
    expect(
      toAnnotations(sampleReport(many(30, (index) => `status ${index}`)), command).match(/^::error/gm),
    ).toHaveLength(10);
  });

  it('are one line each, whatever a target wrote', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const lines = toAnnotations(report, command).split('\n');
        expect(lines.filter((line) => !/^(::(error|warning) title=[^:,]*::.*)?$/.test(line))).toEqual([]);
      }),
    );
  });

  it('come after the report, in which GitHub obeys no command', async () => {
    expect(withoutCommands('::error::no\n')).toMatch(/^::stop-commands::(\w{32})\n::error::no\n::\1::\n$/);
    const mock = await createMock({ openKeys: true });
    const args = ['conformance', '-u', mock.url, '--api-key', 'demo-key', '--only', 'listAgents.wrong-header-key'];
    const there = await runCommand(args, { GITHUB_ACTIONS: 'true' });
    const here = await runCommand(args, { GITHUB_ACTIONS: '' });
    await mock.close();
    expect(there.stdout).toMatch(
      /::stop-commands::\w+\n[\s\S]*FAILED listAgents[\s\S]*\n::\w+::\n::error title=listAgents\.wrong-header-key failed::status 200/,
    );
    expect(here.stdout).not.toMatch(/^::/m);
  });
});

const huge = 'x'.repeat(1_000_000);

/** A result in which every text that a target can write is as long as it likes. */
function hugeResult(id: string, outcome: CheckResult['outcome']): CheckResult {
  const [exchange] = evidenceOf(huge).exchanges;
  if (exchange === undefined) throw new Error('the sample has no exchange');
  const headers = { location: huge };
  const request = { method: 'GET', url: `http://target.test/${huge}`, headers, body: huge };
  const response = { status: 200, headers, body: huge };
  const evidence = { expected: huge, actual: huge, smallest: huge, curl: `curl -i 'http://target.test/${huge}'` };
  return sampleResult(id, {
    ...{ outcome, reason: huge },
    evidence: { ...evidence, exchanges: [{ ...exchange, request, response }] },
  });
}

const hugeReport = sampleReport(
  [
    hugeResult('listAgents.is-served', 'failed'),
    hugeResult('listDrives.is-served', 'warned'),
    sampleResult('createDrive.is-served', { outcome: 'inconclusive', reason: huge }),
    sampleResult('getDriveFile.is-served', { outcome: 'skipped', reason: huge }),
  ],
  {
    leftovers: [{ kind: 'drive', id: huge, name: huge, driveId: huge, note: huge }],
    observed: { errorBody: 'other' },
    samples: { errorBody: huge },
    serverErrors: [{ method: 'GET', path: '/agents', status: 500, count: 1, curl: `curl -i 'http://t.test/${huge}'` }],
  },
);

describe.each([
  ['terminal', toTerminal(hugeReport, { color: false, command })],
  ['HTML', toHtml(hugeReport)],
  ['Markdown', toMarkdown(hugeReport)],
  ['JUnit', toJunit(hugeReport)],
])('the %s report on a target that answers without measure', (_format, text) => {
  it('stays short enough to open', () => expect(text.length).toBeLessThan(200_000));
  it('shows no half of a command', () => {
    expect(text).not.toMatch(/curl -i (?:'|&#39;)http/);
    expect(text).toContain('too long to show: the JSON report has it');
  });
});
