import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adviceIfMeant } from '../../conformance/checks/check.ts';
import { allChecks } from '../../conformance/checks/index.ts';
import { toAnnotations } from '../../conformance/report/github.ts';
import { toHtml } from '../../conformance/report/html.ts';
import { toJunit } from '../../conformance/report/junit.ts';
import { toMarkdown } from '../../conformance/report/markdown.ts';
import type { CheckResult, Leftover, Report } from '../../conformance/report/report.ts';
import { toReceipt, toTerminal } from '../../conformance/report/terminal.ts';
import { headlineText } from '../../conformance/report/words.ts';
import { anyReport } from '../support/hostile.ts';
import { believableReport, evidenceOf, failing, many, sampleReport, sampleResult } from '../support/sample-report.ts';

const command = 'agent-platform-contract conformance --url https://staging.agents.example.com/v0.1';
const terminal = (report: Report) => toTerminal(report, { color: false, command });

describe('the terminal report', () => {
  const text = terminal(believableReport());

  it('shows each failure with its requirement, exchange and rerun command', () => {
    const story = text.slice(text.indexOf('FAILED createDrive.'), text.indexOf('Warnings'));
    for (const part of [
      'FAILED createDrive.timestamps-are-utc (MUST)',
      'Required    Every timestamp is in UTC: its offset is zero.\n              section 2; openapi.yaml#/components/schemas/Timestamp/pattern\n',
      'Expected    createdAt and updatedAt with the offset Z or +00:00',
      'Actual      createdAt is "2026-11-20T10:14:08+01:00"',
      '> POST https://staging.agents.example.com/v0.1/drives\n',
      '> x-api-key: <API_KEY>\n',
      '> {"name":"conformance-k7m2x9-1"}\n',
      '< 201 Created (34 ms)\n',
      '< {"id":"4b741fd3-',
      'Reproduce   curl -i -H "X-API-Key: $AGENT_PLATFORM_API_KEY"',
      `Run only this check  ${command} --only createDrive.timestamps-are-utc\n`,
    ]) {
      expect(story).toContain(part);
    }
  });

  it('shows the smallest generated input, settings that are missing, leftovers and expected failures', () => {
    expect(text).toContain('Smallest    {"path":"/../a"}');
    expect(text).toMatch(/ {2}4 checks need --allow-destructive:\n {4}deleteDriveTree\.is-served, deleteDriveTree\./);
    expect(text).toMatch(/Left behind on the target \(3\)[\s\S]*drive 4b741fd3\S* "conformance-k7m2x9-1"/);
    // Before the findings, so that these stay on the screen.
    expect(text.indexOf('Left behind on the target')).toBeLessThan(text.indexOf('Failures (3)'));
    expect(text).toContain('getDriveFile.refusal-is-json warned as expected: plain text until');
    expect(text).toContain('listAgents.fields-present did not fail: remove it from the list');
  });

  it('ends with the counts, the run details and the verdict', () => {
    expect(text.trimEnd().split('\n').slice(-7)).toEqual([
      '3 failed, 3 warned, 0 inconclusive, 8 not enabled, 24 passed, 1 skipped',
      '131 requests in 12.4 s to https://staging.agents.example.com/v0.1',
      'run k7m2x9, random seed 20260701, agent-platform-contract 0.1.0, contract 0.1.0',
      'the commands after Reproduce take the key from $AGENT_PLATFORM_API_KEY',
      '',
      'exit code 1: 3 checks failed; 1 expected failure did not fail',
      'NON-CONFORMANT: 3 checks failed (createDrive.timestamps-are-utc, listDrives.limit-hundred-accepted, updateDriveFile.dot-dot-segment.generated); 1 expected failure did not fail',
    ]);
  });

  it.each([
    [['passed', 'passed'], 'CONFORMANT in all 2 checks'],
    [['passed', 'warned'], 'CONFORMANT in all 2 checks, with 1 warning: listAgents.case-1'],
    [['passed', 'skipped'], 'CONFORMANT in 1 of 2 checks; 1 was not selected'],
    [['passed', 'inconclusive', 'inconclusive'], 'INCONCLUSIVE: 2 checks could not be judged; nothing failed'],
    [['failed', 'inconclusive'], 'NON-CONFORMANT: 1 check failed \\(listAgents.case-0\\); 1 check could not be judged'],
  ] as const)('summarizes %j as "%s"', (given, verdict) => {
    const report = sampleReport(given.map((outcome, index) => sampleResult(`listAgents.case-${index}`, { outcome })));
    expect(terminal(report)).toMatch(new RegExp(`\\n${verdict}\\n$`));
  });

  it('counts expected failures and omits their details', () => {
    const known = { ...failing('listAgents.known', 'status 500'), expectedFailure: 'PLAT-1' };
    const both = terminal(sampleReport([known, failing('listAgents.new', 'status 500')]));
    expect(both).toContain('2 checks failed, 1 of them as expected');
    expect(both).not.toContain('FAILED listAgents.known');
    expect(terminal(sampleReport([known]))).toContain('1 check failed, as expected');
  });

  it('says first what the exit code says, if everything that was found is known', () => {
    const known = { expectedFailure: 'PLAT-1' };
    const report = sampleReport([
      ...many(3, (index) => `status ${index}`).map((check) => ({ ...check, outcome: 'warned' as const, ...known })),
      { ...sampleResult('listAgents.is-served', { outcome: 'inconclusive' }), ...known, because: 'x' },
    ]);
    expect(terminal(report)).toMatch(
      /\n\nexit code 0: 3 expected failures, 1 check behind them\nINCONCLUSIVE: 1 check could not be judged because of expected failures; nothing failed/,
    );
    expect(terminal(sampleReport([sampleResult('listAgents.is-served')]))).not.toContain('exit code');
  });

  it('counts the expected findings in the title above the others', () => {
    for (const shown of [text, toMarkdown(believableReport())])
      expect(shown).toContain('Warnings beyond the 1 expected (2)');
  });

  it('says how long the target let requests wait', () => {
    const report = believableReport();
    report.run.troubles = [{ what: 'status 429', count: 16 }];
    expect(terminal({ ...report, run: { ...report.run, waitedMs: 32_000 } })).toContain(
      '\n16 responses with 429, waited 32.0 s\n',
    );
  });

  it('gives advice last, and only where the behaviour may be meant', () => {
    const check = failing('getDriveFile.foreign-resource', 'status 200');
    const meant = { ...check, reason: `Expected a; got ${check.evidence?.actual}. ${adviceIfMeant}` };
    const told = terminal(sampleReport([meant]));
    expect(told).not.toMatch(/Found/);
    expect(told).toMatch(
      /Run only this check .*\n {2}Intended\? {3}organizations share resources by their ids: declare/,
    );
    expect(terminal(sampleReport([check]))).not.toContain('Intended?');
  });

  it('reports that the suite stopped', () => {
    const run = { ...sampleReport([]).run, suiteError: 'the disk is full' };
    const text = terminal(sampleReport([], { verdict: 'inconclusive', run }));
    expect(text).toContain('The suite stopped: the disk is full');
    expect(text).toContain('INCONCLUSIVE: the suite stopped early; nothing failed\n');
    const judged = (['passed', 'failed', 'warned', 'skipped', 'not-enabled'] as const).map((outcome, index) =>
      sampleResult(`listAgents.case-${index}`, { outcome }),
    );
    expect(terminal(sampleReport(judged, { run }))).toContain('the suite stopped early, after 3 checks');
  });

  it('names the first three places of a rule in the contract, and counts the others', () => {
    const withPlaces = (count: number) => {
      const pointers = Array.from({ length: count }, (_, index) => `#/${index}`);
      return sampleReport([
        { ...failing('listAgents.case', 'x'), required: [{ text: 'A rule.', sections: [], pointers }] },
      ]);
    };
    for (const format of [terminal, toMarkdown]) {
      expect(format(withPlaces(3))).toMatch(/openapi\.yaml#\/2(?!\S* 0 more)/);
      expect(format(withPlaces(3))).not.toMatch(/\d more/);
      expect(format(withPlaces(5))).toMatch(/openapi\.yaml#\/2\W* 2 more\n/);
      expect(format(withPlaces(5))).not.toContain('openapi.yaml#/3');
    }
  });

  const cases = ['letters', 'long', 'markup', 'scripts'].map((name) =>
    failing(`createDrive.name-kept.${name}`, `"cut at ${name}"`),
  );
  it.each<[string, CheckResult[], string[]]>([
    [
      'failures with the same cause',
      many(12, () => 'status 500'),
      ['11 more checks failed the same way:', 'FAILED listAgents.case-11 (MUST)'],
    ],
    [
      'warnings with the same cause',
      many(6, () => 'status 403').map((check) => ({ ...check, outcome: 'warned' })),
      ['5 more checks warned the same way:\n    WARNED listAgents.case-1'],
    ],
    [
      'cases of a rule, with what the others found',
      cases,
      ['3 more checks of this rule failed:\n    FAILED createDrive.name-kept.long (MUST) "cut at long"'],
    ],
    [
      'failures of one fact on several operations, whatever their status',
      ['createDrive', 'listDrives'].flatMap((operation) =>
        ['bearer', 'header'].map((header) =>
          failing(`${operation}.wrong-${header}-key`, `status ${operation === 'listDrives' ? 200 : 201}: accepted`),
        ),
      ),
      ['3 more checks of this rule failed:', 'FAILED listDrives.wrong-header-key (MUST) status 200: accepted'],
    ],
    [
      'failures of one fact on many operations, which are counted',
      ['createDrive', 'createMcpServer', 'listAgents', 'listDrives', 'listMcpServers'].flatMap((operation) =>
        ['extended', 'others', 'shortened'].map((key) => failing(`${operation}.near-key.${key}`, 'status 200')),
      ),
      ['14 more checks failed the same way:\n    createDrive (2), createMcpServer (3), listAgents (3)'],
    ],
  ])('details one of many %s, and lists the others', (_, checks, parts) => {
    const told = terminal(sampleReport(checks));
    expect(told.match(/Expected /g)).toHaveLength(1);
    for (const part of parts) expect(told).toContain(part);
  });

  it('says why a fixture is needed, since a declared one may not do', () => {
    const reason = 'The list does not show the agent as unpublished.';
    const facts = { outcome: 'not-enabled', reason, setting: 'fixtures.agent' } as const;
    expect(terminal(sampleReport([sampleResult('publishAgentRevision.no-key', facts)]))).toContain(
      `  1 check needs fixtures.agent:\n    ${reason}\n    publishAgentRevision.no-key\n`,
    );
  });

  it.each([
    ['terminal', terminal],
    ['Markdown', toMarkdown],
  ])('counts things that are left behind where there are many, and lists all files: %s', (_, write) => {
    const alike = (kind: Leftover['kind'], note: string) =>
      Array.from({ length: 40 }, (_, index): Leftover => ({ kind, id: `left-${kind}-${index}-`, note }));
    const undeletable = (['drive', 'mcpServer'] as const).flatMap((kind) => alike(kind, 'cannot be deleted'));
    const left = [...undeletable, ...alike('file', 'at /a')];
    const other: Leftover = { kind: 'drive', id: 'left-drive-x-', note: 'other' };
    const written = write({ ...believableReport(), leftovers: [...left, other] });
    const shown = (kind: string) => [...written.matchAll(new RegExp(`left-${kind}-\\w+-`, 'g'))].length;
    expect([shown('drive'), shown('mcpServer'), shown('file')]).toEqual([4, 3, 40]);
    expect(written).toMatch(
      /40 drives: cannot be deleted\n.*left-drive-0-[\s\S]*and 37 others: --report json lists all/,
    );
    expect(written).toMatch(/40 MCP servers: /);
    expect(toReceipt(left, { color: false }).match(/-39-/g)).toHaveLength(3);
  });

  it('counts checks that are not enabled by operation when there are many', () => {
    const facts = { outcome: 'not-enabled', reason: 'It writes.', setting: '--allow-writes' } as const;
    const checks = Array.from({ length: 20 }, (_, index) =>
      sampleResult(`${index < 7 ? 'createDrive' : 'updateDriveFile'}.case-${index}`, facts),
    );
    expect(terminal(sampleReport(checks))).toContain(
      '  20 checks need --allow-writes:\n    createDrive (7), updateDriveFile (13)\n',
    );
  });

  it('shows each reason with its checks, unless a permission or a failed check says it all', () => {
    const check = (name: string, reason: string, more: Partial<CheckResult>) =>
      sampleResult(`listAgents.${name}`, { outcome: 'not-enabled', reason, ...more });
    const data = { setting: 'data on the target' };
    const report = sampleReport([
      check('a', 'There is no other agent.', data),
      check('b', 'One of the two organizations has nothing in this list.', data),
      check('c', 'There is no other agent.', data),
      check('d', 'It may not write.', { setting: '--allow-writes' }),
    ]);
    expect(terminal(report)).toContain(
      [
        '  3 checks need data on the target:',
        '    There is no other agent.',
        '    listAgents.a, listAgents.c',
        '    One of the two organizations has nothing in this list.',
        '    listAgents.b',
        '  1 check needs --allow-writes:',
        '    listAgents.d',
      ].join('\n'),
    );
    expect(toMarkdown(report)).toContain(
      '- 3 checks need `data on the target`:\n  - There is no other agent. `listAgents.a`, `listAgents.c`\n  - One of',
    );
  });

  it('details 30 failures and lists the rest on one line each', () => {
    const report = sampleReport(many(45, (index) => `status 5${index}`));
    expect(terminal(report).match(/Expected /g)).toHaveLength(30);
    expect(terminal(report)).toContain(`15 more. See each in full with ${command} --only <id>:`);
    expect(toTerminal(report, { color: false, command, written: ['conformance.html'] })).toContain(
      'each in full in conformance.html, or with',
    );
  });

  it('shows an exchange shared by several failures once', () => {
    const { exchanges } = evidenceOf('the same');
    const checks = many(4, String).map((check) => ({
      ...check,
      evidence: { ...evidenceOf(check.id), exchanges },
    }));
    const text = terminal(sampleReport(checks));
    expect(text.match(/> GET /g)).toHaveLength(1);
    expect(text.match(/as in listAgents\.case-0, above/g)).toHaveLength(3);
  });

  it.each([
    ['x'.repeat(300), 'x'.repeat(300)],
    ['x'.repeat(9_000), `${'x'.repeat(300)}… (truncated, 300 of 9,000 characters)`],
    // The run keeps so much of a body.
    [
      `${'x'.repeat(2_000)}… (truncated, 2,000 of 2,026 characters)`,
      `${'x'.repeat(300)}… (truncated, 300 of 2,026 characters)`,
    ],
    [`${'x'.repeat(10)}… (truncated, 10 of 11 characters)`, `${'x'.repeat(10)}… (truncated, 10 of 11 characters)`],
  ])('truncates a long body with a note (%#)', (body, shown) => {
    const { exchanges, ...words } = evidenceOf('status 500');
    const long = exchanges.map((one) => ({ ...one, response: { status: 500, headers: {}, body } }));
    const check = sampleResult('listAgents.is-served', { outcome: 'failed', evidence: { ...words, exchanges: long } });
    expect(terminal(sampleReport([check]))).toContain(`< ${shown}\n`);
  });

  it('has the same text with and without colour for any report, without control characters', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const plain = terminal(report);
        expect(plain).not.toMatch(/[^\P{Cc}\n\t]|\p{Cs}/u);
        expect(stripVTControlCharacters(toTerminal(report, { color: true, command }))).toBe(plain);
      }),
    );
  });
});

describe('the headline', () => {
  const others = (count: number) =>
    Array.from({ length: count }, (_, index) => sampleResult(`listAgents.left-${index}`, { outcome: 'skipped' }));
  const [a, b] = ['listDrives.offset-skips', 'listDrives.total-coherent'] as const;

  it.each<[string, CheckResult[]]>([
    [`PASSED ${a}`, [sampleResult(a)]],
    [`PASSED ${a}, ${b}`, [sampleResult(a), sampleResult(b)]],
    [`FAILED ${a}; 1 passed`, [failing(a, 'status 500'), sampleResult(b)]],
    [`WARNED ${b}`, [sampleResult(b, { outcome: 'warned' })]],
    [`NOT ENABLED ${a}`, [sampleResult(a, { outcome: 'not-enabled' })]],
    [`INCONCLUSIVE ${a}; status 429`, [sampleResult(a, { outcome: 'inconclusive', obstacle: 'status 429' })]],
    ['FAILED 4 checks', many(4, () => 'status 500')],
  ])('names the check that was selected, and how it ended: %s', (line, checks) => {
    expect(headlineText(sampleReport([...checks, ...others(30)], { verdict: 'inconclusive' }))).toBe(line);
  });

  it('is the verdict if more than a few were selected, or the suite stopped', () => {
    const report = sampleReport([...many(11, String), ...others(30)]);
    expect(headlineText(report)).toBe('NON-CONFORMANT: 11 checks failed (listAgents.case-0 and 10 more)');
    const stopped = sampleReport([sampleResult(a), ...others(30)], {
      run: { ...report.run, suiteError: 'oops' },
      verdict: 'inconclusive',
    });
    expect(headlineText(stopped)).toMatch(/^INCONCLUSIVE: the suite stopped early, after 1 check;/);
  });

  it('names what weakens it: warnings, the first of many failures, options, stale entries', () => {
    const warned = (...ids: string[]) => ids.map((id) => sampleResult(id, { outcome: 'warned' }));
    const passed = Array.from({ length: 12 }, (_, index) => sampleResult(`listAgents.passed-${index}`));
    const line = (checks: CheckResult[], facts: Partial<Report> = {}) =>
      headlineText(sampleReport([...passed, ...checks], facts));
    expect(line(warned(a, b))).toBe(`CONFORMANT in all 14 checks, with 2 warnings: ${a}, ${b}`);
    const rule = ['listAgents', 'listDrives', 'listMcpServers', 'getDriveFile'].map((one) => `${one}.refusal-is-json`);
    expect(line(warned(...rule))).toMatch(/, with 4 warnings: refusal-is-json of 4 operations$/);
    expect(line(many(5, String))).toMatch(/^NON-CONFORMANT: 5 checks failed \(listAgents\.case-0 and 4 more\)/);
    const optional = sampleResult(b, { outcome: 'skipped', reason: 'Runs only with --host-mcp-server.' });
    expect(line([optional])).toMatch(/^CONFORMANT in 12 of 13 checks; 1 needs --host-mcp-server$/);
    const stale = { expectedFailures: { stale: ['listAgents.*'], notJudged: [] } };
    expect(line([], stale)).toMatch(/^CONFORMANT in all 12 checks: 1 expected failure did not fail$/);
  });

  const isolation = allChecks().filter(({ id }) => id.endsWith('.foreign-resource'));

  it.each(isolation.map(({ id }) => id))('never reads plainly conformant after a warning of %s', (id) => {
    const leak = sampleResult(id, { outcome: 'warned', evidence: evidenceOf('status 200', 200) });
    const report = sampleReport([sampleResult(a), leak]);
    for (const text of [terminal(report), toMarkdown(report), toJunit(report), toHtml(report)]) {
      expect(text).toMatch(/conformant in all 2 checks, with 1 warning: [\w ]+ of another organization can be [\w ]+/i);
    }
    const inconclusive = { ...report, verdict: 'inconclusive' as const };
    expect(headlineText(inconclusive)).toMatch(/^INCONCLUSIVE: [\w ]+ of another organization can be/);
  });
});

it('shows a warning with its exchange and a request to send again, in every format', () => {
  const warned = { ...evidenceOf('status 403', 403), curl: "curl -i 'http://target.test/drives'" };
  const report = sampleReport([sampleResult('listDrives.no-key-is-401', { outcome: 'warned', evidence: warned })]);
  for (const text of [
    terminal(report),
    toMarkdown(report),
    toJunit(report),
    toHtml(report),
    toAnnotations(report, command),
  ]) {
    const plain = text.replaceAll('&#39;', "'");
    expect(plain).toContain(warned.curl);
    if (!plain.startsWith('::')) expect(plain).toMatch(/403 Forbidden/);
  }
});
