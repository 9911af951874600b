import { describe, expect, it } from 'vitest';
import type { CheckResult, Report } from '../../conformance/report.ts';
import { toHtml } from '../../conformance/reporters/html.ts';
import { toJunit } from '../../conformance/reporters/junit.ts';
import { toMarkdown } from '../../conformance/reporters/markdown.ts';
import { toTerminal } from '../../conformance/reporters/terminal.ts';
import { evidenceOf } from '../support/sample-evidence.ts';
import { sampleReport, sampleResult } from '../support/sample-report.ts';

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

const report: Report = sampleReport(
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
  ['terminal', toTerminal(report, { color: false, command: 'agent-platform-contract conformance' })],
  ['HTML', toHtml(report)],
  ['Markdown', toMarkdown(report)],
  ['JUnit', toJunit(report)],
])('the %s report on a target that answers without measure', (_format, text) => {
  it('stays short enough to open', () => expect(text.length).toBeLessThan(200_000));
  it('shows no half of a command', () => {
    expect(text).not.toMatch(/curl -i (?:'|&#39;)http/);
    expect(text).toContain('too long to show: the JSON report has it');
  });
});
