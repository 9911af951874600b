import fc from 'fast-check';
import type { Report } from '../../conformance/report/report.ts';
import { sampleReport, sampleResult } from './sample-report.ts';

/** Texts that break careless writers of XML, HTML, Markdown and terminal output. */
export const hostileTexts = [
  ...[']]>', '</script><script>alert(1)</script>', '<img src=x onerror=alert(1)>', '"><svg onload=alert(1)>'],
  ...["' onmouseover='alert(1)", '</pre></details></style></title>', '<!--'],
  ...['<link rel=stylesheet href=http://elsewhere.test/x.css>', 'javascript:alert(1)', '&lt;&#0;&nbsp', '| a | b |'],
  ...['`````', '\\|', '~~~\n```\n# title', '[a](http://elsewhere.test) ![b](http://elsewhere.test/b.png) @team #1'],
  ...['\n\n\n', '\r\n\r', '\u0000\u0007\u001b[31m\u001b]0;title\u0007\u009b', '\u202eright to left\u2066'],
  ...['\ufeff\ufffe\uffff\u2028', '\ud83d', '\ude00', '👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿 é', '$x$ __proto__ constructor'],
];

const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));

// As fc.string makes them of its unit `binary`, whose table takes a second to build.
const anyPoints = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 12 })
  .map((points) => String.fromCodePoint(...points));

/** Any text, usually a harmful one. */
export const anyText = fc
  .array(fc.oneof(fc.constantFrom(...hostileTexts), anyUnits, anyPoints, fc.string()), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

/** A report whose every free text is one of these. */
export function reportOf(texts: readonly string[]): Report {
  let index = 0;
  const next = () => texts[index++ % texts.length] ?? '';
  const evidence = () => ({
    expected: next(),
    actual: next(),
    curl: next(),
    smallest: next(),
    exchanges: [
      {
        request: { method: 'GET', url: next(), headers: {}, body: next() },
        failure: { kind: 'reset' as const, message: next() },
        durationMs: 3,
      },
      {
        request: { method: next(), url: next(), headers: { accept: next() } },
        response: { status: 200, headers: { 'content-type': next(), [next()]: next() }, body: next(), excerpt: next() },
        durationMs: 3,
        requestId: next(),
      },
    ],
  });
  const required = () => [{ text: next(), sections: [next()], pointers: [next(), next()] }];
  const told = (outcome: 'failed' | 'warned') => ({
    outcome,
    reason: next(),
    evidence: evidence(),
    required: required(),
  });
  return sampleReport(
    [
      sampleResult('listAgents.is-served', { reason: next() }),
      sampleResult('listDrives.is-served', told('failed')),
      sampleResult('createDrive.is-served', told('failed')),
      sampleResult('listDrives.pages-fit-together', told('warned')),
      sampleResult('getDriveFile.is-served', { ...told('failed'), expectedFailure: next() }),
      sampleResult('updateDriveFile.is-served', { outcome: 'not-enabled', reason: next(), setting: next() }),
      sampleResult('deleteDriveTree.is-served', { outcome: 'inconclusive', reason: next(), obstacle: next() }),
      sampleResult('createMcpServer.is-served', { outcome: 'skipped', reason: next() }),
    ],
    {
      observed: { errorBody: 'other', treePathParameter: next() },
      serverErrors: [{ method: 'GET', path: '/agents', status: 500, count: 1, curl: next() }],
      samples: { errorBody: next() },
      leftovers: [{ kind: 'file', id: next(), name: next(), driveId: next(), note: next() }],
      expectedFailures: { stale: [next()], notJudged: [next()] },
      run: { ...sampleReport([]).run, baseUrl: next(), tool: next(), id: next(), suiteError: next() },
    },
  );
}

/** A report with any texts in it. */
export const anyReport = fc.array(anyText, { minLength: 1, maxLength: 40 }).map(reportOf);
