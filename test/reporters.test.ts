import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { parse, type TestCase, type TestSuites } from 'junit2json';
import { describe, expect, it } from 'vitest';
import type { Report } from '../conformance/report.ts';
import { reporters } from '../conformance/reporters/index.ts';
import { toJunit } from '../conformance/reporters/junit.ts';
import { toMarkdown } from '../conformance/reporters/markdown.ts';
import { toTerminal } from '../conformance/reporters/terminal.ts';
import { cut, oneLine } from '../conformance/reporters/text.ts';
import { anyText, reportOf } from './support/hostile.ts';
import { believableReport, sampleReport, sampleResult } from './support/sample-report.ts';

const command = 'agent-platform conformance --url https://staging.agents.example.com/v0.1';
const terminal = (report: Report) => toTerminal(report, { color: false, command });
const anyReport = fc.array(anyText, { minLength: 1, maxLength: 40 }).map(reportOf);

const evidenceOf = (actual: string, status = 500) => ({
  expected: 'any 2xx status',
  actual,
  exchanges: [
    {
      request: { method: 'GET', url: `https://target.test/${actual}`, headers: {} },
      response: { status, headers: {}, body: 'oops' },
      durationMs: 5,
    },
  ],
});

const failing = (id: string, actual: string, status?: number) =>
  sampleResult(id, { outcome: 'failed', evidence: evidenceOf(actual, status) });

/** As many results of different names as asked for. */
const many = (count: number, actual: (index: number) => string, status?: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => failing(`listAgents.case-${index}`, actual(index), status?.(index)));

describe('the closing text', () => {
  const text = terminal(believableReport());

  it('tells each failure so that it stands alone', () => {
    const story = text.slice(text.indexOf('FAILED createDrive.'), text.indexOf('Warnings'));
    for (const part of [
      'FAILED createDrive.timestamps-are-utc (MUST)',
      'Required    Every timestamp is in UTC: its offset is zero.\n              section 2\n',
      'openapi.yaml#/components/schemas/Timestamp/pattern',
      'Expected    createdAt and updatedAt with the offset Z or +00:00',
      'Actual      createdAt is "2026-11-20T10:14:08+01:00"',
      '> POST https://staging.agents.example.com/v0.1/drives\n',
      '> x-api-key: <API_KEY>\n',
      '> {"name":"conformance-k7m2x9-1"}\n',
      '< 201 Created (34 ms)\n',
      '< {"id":"4b741fd3-',
      'Send again  curl -i -H "X-API-Key: $AGENT_PLATFORM_API_KEY"',
      `Rerun       ${command} --only createDrive.timestamps-are-utc\n`,
    ]) {
      expect(story).toContain(part);
    }
  });

  it('shows the smallest generated input', () => {
    expect(text).toContain('Smallest    {"path":"/../a"}');
  });

  it('says what would verify what is unverified, what was left behind and what was expected to fail', () => {
    expect(text).toMatch(/ {2}4 checks need --allow-destructive:\n {4}deleteDriveTree\.is-served, deleteDriveTree\./);
    expect(text).toMatch(/Left behind on the target \(3\)[\s\S]*drive 4b741fd3\S* "conformance-k7m2x9-1"/);
    expect(text).toContain('getDriveFile.refusal-is-json warned as expected: plain text until');
    expect(text).toContain('listAgents.fields-present did not fail: take it off the list');
  });

  it('closes with the counts, what it took, and the verdict as the very last line', () => {
    expect(text.trimEnd().split('\n').slice(-5)).toEqual([
      '3 failed, 3 warned, 8 unverified, 24 passed, 1 skipped',
      '131 requests in 12.4 s to https://staging.agents.example.com/v0.1',
      'run k7m2x9, random seed 20260701, agent-platform-contract 0.1.0, contract 0.1.0',
      '',
      'NON-CONFORMANT: 3 checks failed',
    ]);
  });

  it.each([
    [['passed', 'passed'], 'CONFORMANT: 2 checks passed; nothing failed'],
    [['passed', 'warned'], 'CONFORMANT: 1 check passed; 1 warned; nothing failed'],
    [['passed', 'skipped'], 'CONFORMANT: 1 check passed; nothing failed; 1 check was not asked for'],
    [['passed', 'unverified', 'unverified'], 'UNDETERMINED: 2 checks could not be judged; nothing failed'],
    [['failed', 'unverified'], 'NON-CONFORMANT: 1 check failed'],
  ] as const)('says of %j: %s', (given, verdict) => {
    const report = sampleReport(given.map((outcome, index) => sampleResult(`listAgents.case-${index}`, { outcome })));
    expect(terminal(report)).toMatch(new RegExp(`\\n${verdict}\\n$`));
  });

  it('says which failures were expected, and does not tell them at length', () => {
    const known = { ...failing('listAgents.known', 'status 500'), expectedFailure: 'PLAT-1' };
    const [both, one] = [[known, failing('listAgents.new', 'status 500')], [known]].map((checks) =>
      terminal(sampleReport(checks)),
    );
    expect(both).toContain('2 checks failed, 1 of them as expected');
    expect(both).not.toContain('FAILED listAgents.known');
    expect(one).toContain('1 check failed, as expected');
  });

  it('says that the suite broke off', () => {
    const run = { ...sampleReport([]).run, suiteError: 'the disk is full' };
    const text = terminal(sampleReport([], { verdict: 'undetermined', run }));
    expect(text).toContain('The suite broke off: the disk is full');
    expect(text).toContain('UNDETERMINED: the suite broke off before its end;');
  });

  it('tells many failures of one cause once, and names the others', () => {
    const text = terminal(sampleReport(many(12, () => 'status 500')));
    expect(text.match(/Expected /g)).toHaveLength(1);
    expect(text).toContain('The same came of 11 more checks:');
    expect(text).toContain('FAILED listAgents.case-11 (MUST)');
  });

  it('tells 30 failures in full and the rest in a line each', () => {
    const report = sampleReport(many(45, (index) => `status 5${index}`));
    expect(terminal(report).match(/Expected /g)).toHaveLength(30);
    expect(terminal(report)).toContain(`15 more failures, each in full with ${command} --only <id>:`);
    expect(toTerminal(report, { color: false, command, written: ['conformance.html'] })).toContain(
      'each in full in conformance.html, or with',
    );
  });

  it('does not repeat an exchange on which many failures rest', () => {
    const { exchanges } = evidenceOf('the same');
    const checks = many(4, String).map((check) => ({
      ...check,
      evidence: { ...evidenceOf(check.id), exchanges },
    }));
    const text = terminal(sampleReport(checks));
    expect(text.match(/> GET /g)).toHaveLength(1);
    expect(text.match(/as at listAgents\.case-0, above/g)).toHaveLength(3);
  });

  it('cuts a long body, and says so', () => {
    const { exchanges, ...words } = evidenceOf('status 500');
    const long = exchanges.map((one) => ({ ...one, response: { status: 500, headers: {}, body: 'x'.repeat(9000) } }));
    const check = sampleResult('listAgents.is-served', { outcome: 'failed', evidence: { ...words, exchanges: long } });
    expect(terminal(sampleReport([check]))).toMatch(/x{2000}… \(cut: 2,000 of 9,000 characters\)/);
  });

  it('is the same text with and without colour, whatever it holds, and lets no control character through', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const plain = terminal(report);
        expect(plain).not.toMatch(/[^\P{Cc}\n\t]|\p{Cs}/u);
        expect(stripVTControlCharacters(toTerminal(report, { color: true, command }))).toBe(plain);
      }),
    );
  });
});

// Without options the parser makes numbers of what looks like them.
const asStrings = {};

describe('JUnit', () => {
  const parsed = async (report: Report) => (await parse(toJunit(report), asStrings)) as TestSuites;
  const casesOf = async (report: Report): Promise<TestCase[]> => (await parsed(report)).testsuite?.[0]?.testcase ?? [];
  const caseOf = async (report: Report, id: string) => (await casesOf(report)).find(({ name }) => name === id);

  it('has one case per check, and counts that are right', async () => {
    const report = believableReport();
    const suites = await parsed(report);
    const counts = { tests: '39', failures: '3', errors: '0', skipped: '9', time: '12.431' };
    expect(suites).toMatchObject(counts);
    expect(suites.testsuite).toHaveLength(1);
    expect(suites.testsuite?.[0]).toMatchObject({ ...counts, timestamp: '2026-11-20T09:14:03.000Z' });
    const cases = await casesOf(report);
    expect(cases.map(({ classname, name, time }) => [classname, name, time])).toEqual(
      report.checks.map(({ operation, id, durationMs }) => [operation, id, (durationMs / 1000).toFixed(3)]),
    );
    expect(cases.filter(({ failure }) => failure)).toHaveLength(3);
    expect(cases.filter(({ skipped }) => skipped)).toHaveLength(9);
  });

  it('says of a failure what came, how hard the rule is, and the whole story', async () => {
    const [failure] = (await caseOf(believableReport(), 'listDrives.limit-hundred-accepted'))?.failure ?? [];
    expect(failure).toMatchObject({ message: 'status 500 with an HTML page', type: 'must' });
    expect(failure?.inner).toMatch(/Expected[\s\S]*> GET [\s\S]*< 500[\s\S]*curl -i[\s\S]*--only listDrives\.limit/);
  });

  it('passes a warning, with the story in its output, and skips with the reason', async () => {
    const warned = await caseOf(believableReport(), 'listAgents.no-key-is-401');
    expect(warned?.failure).toBeUndefined();
    expect(warned?.['system-out']?.join()).toMatch(/warned: status 403[\s\S]*Expected/);
    const unverified = await caseOf(believableReport(), 'deleteDriveTree.is-served');
    expect(unverified?.skipped?.[0]?.message).toBe('unverified: It deletes a tree; --allow-destructive lets it.');
  });

  it('skips an expected failure, with why it was expected', async () => {
    const report = sampleReport([{ ...failing('listAgents.known', 'status 500'), expectedFailure: 'PLAT-1' }]);
    expect(await parsed(report)).toMatchObject({ tests: '1', failures: '0', skipped: '1' });
    expect((await caseOf(report, 'listAgents.known'))?.skipped?.[0]?.message).toBe('expected failure: PLAT-1');
  });

  it('has the verdict and the circumstances as properties', async () => {
    const properties = (await parsed(believableReport())).testsuite?.[0]?.properties ?? [];
    expect(Object.fromEntries(properties.map(({ name, value }) => [name, value]))).toMatchObject({
      verdict: 'non-conformant',
      tool: 'agent-platform-contract 0.1.0',
      baseUrl: 'https://staging.agents.example.com/v0.1',
      randomSeed: '20260701',
      runId: 'k7m2x9',
    });
  });

  it('calls an error of the suite an error', async () => {
    const run = { ...sampleReport([]).run, suiteError: 'the disk is full' };
    const report = sampleReport([sampleResult('listAgents.is-served')], { run });
    expect(await parsed(report)).toMatchObject({ tests: '2', errors: '1' });
    expect((await caseOf(report, 'suite'))?.error?.[0]).toMatchObject({ message: 'the disk is full' });
  });

  it('brings every text through an XML parser', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 40 }), async (texts) => {
        const report = reportOf(texts);
        const cases = await casesOf(report);
        expect(cases).toHaveLength(report.checks.length + 1);
        const messages = cases.flatMap(({ failure }) => failure ?? []).map(({ message }) => message);
        const actual = report.checks.filter(
          ({ outcome, expectedFailure }) => outcome === 'failed' && expectedFailure === undefined,
        );
        const seen = actual.map(({ evidence, reason }) => cut(oneLine(evidence?.actual || reason), 500));
        expect(messages.map((message) => message ?? '')).toEqual(seen);
      }),
    );
  });
});

describe('Markdown', () => {
  it('tells the verdict, the failures and what would verify the rest', () => {
    const text = toMarkdown(believableReport());
    expect(text).toMatch(/^## ❌ non-conformant: 3 checks failed\n/);
    expect(text).toContain(
      '| failed | warned | unverified | passed | skipped |\n| --- | --- | --- | --- | --- |\n| 3 | 3 | 8 |',
    );
    expect(text).toMatch(/<summary><code>createDrive\.timestamps-are-utc<\/code> \(MUST\): createdAt is "2026/);
    expect(text).toContain('```sh\ncurl -i -X PATCH -H');
    expect(text).toContain('- 4 checks need `--allow-destructive`: `deleteDriveTree.is-served`');
    expect(text).toContain('| `invalidInputStatus`<br>Which code answers input that breaks a stated rule. | `422` |');
  });

  it('makes no markup of any text', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const text = outsideFences(toMarkdown(report));
        const tags = new Set(text.match(/<[^>]*>/g));
        expect([...tags].filter((tag) => !/^<\/?(details|summary|code|br)>$/.test(tag))).toEqual([]);
        expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
        const rows = text.split('\n').filter((line) => line.startsWith('|'));
        expect(new Set(rows.map((row) => row.split('|').length))).toEqual(new Set([7, 5]));
      }),
    );
  });

  it('stays below what a job summary may hold, and says what was left out', () => {
    const checks = many(359, (index) => `${index} ${'é'.repeat(3000)}`);
    const text = toMarkdown(sampleReport(checks));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900_000);
    expect(text).toMatch(/> Cut: \d+ of \d+ parts did not fit here\. Another report of the run has the whole\.\n$/);
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

describe('the reporters', () => {
  it('are found by name, and write what their file name says', () => {
    const report = believableReport();
    expect(
      Object.entries(reporters).map(([name, { fileName, write }]) => [name, fileName, write(report).slice(0, 5)]),
    ).toEqual([
      ['junit', 'conformance.junit.xml', '<?xml'],
      ['html', 'conformance.html', '<!doc'],
      ['markdown', 'conformance.md', '## ❌ '.slice(0, 5)],
      ['json', 'conformance.json', '{\n  "'],
    ]);
  });

  it('write the same for the same report', () => {
    for (const { write } of Object.values(reporters)) expect(write(believableReport())).toBe(write(believableReport()));
  });
});
