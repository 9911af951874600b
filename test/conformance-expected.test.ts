import { describe, expect, it } from 'vitest';
import { loadExpectedFailures, markExpected } from '../conformance/expected-failures.ts';
import type { CheckResult, Outcome, Report } from '../conformance/report.ts';
import { toTerminal } from '../conformance/reporters/terminal.ts';
import { exitCodeOf } from '../conformance/verdict.ts';
import { createFolder } from './support/folder.ts';
import { sampleReport, sampleResult } from './support/sample-report.ts';
import { suiteErrorOf } from './support/suite-error-of.ts';

const { write } = createFolder('expected');

describe('expected failures', () => {
  const ids = ['listAgents.is-served', 'listDrives.is-served'];
  const load = (text: string) => loadExpectedFailures(write('expected.yaml', text), ids);

  it('are read as checks with reasons and last days', () => {
    expect(load('- { check: listAgents.is-served, reason: PLAT-1, until: 2026-12-31 }\n')).toEqual([
      { check: 'listAgents.is-served', reason: 'PLAT-1', until: '2026-12-31' },
    ]);
    expect(load('[]')).toEqual([]);
  });

  it.each([
    ['an object instead of a list', 'listAgents.is-served: PLAT-1', /the file must be array/],
    ['an entry without a reason', '- { check: listAgents.is-served }', /:1:3 0\.reason is required/],
    ['an entry with an empty reason', '- { check: listAgents.is-served, reason: " " }', /0\.reason must say why/],
    [
      'an unknown check',
      '- { check: listAgents.is-servd, reason: a }',
      /:1:12 0\.check must be the id of a check.*did you mean listAgents\.is-served\?/,
    ],
    ['a pattern without a check', '- { check: "listAgent.*", reason: a }', /0\.check must match the id of a check/],
    [
      'a repeated check',
      '- { check: listAgents.is-served, reason: a }\n- { check: listAgents.is-served, reason: b }',
      /:2:12 1\.check names listAgents\.is-served, which is listed above/,
    ],
    ['an invalid day', '- { check: listAgents.is-served, reason: a, until: soon }', /0\.until must be a day/],
  ])('are refused for %s', (_, text, message) => {
    expect(suiteErrorOf(() => load(text))).toMatchObject({
      code: 'EXPECTED_FAILURES_INVALID',
      message: expect.stringMatching(message),
    });
  });

  const result = (outcome: Outcome): CheckResult =>
    sampleResult('listAgents.is-served', { outcome, reason: 'Broken.' });
  const mark = (outcome: Outcome, until?: string) =>
    markExpected(
      [result(outcome)],
      [{ check: 'listAgents.is-served', reason: 'PLAT-1', ...(until === undefined ? {} : { until }) }],
      '2026-10-01',
    );

  it.each(['failed', 'warned'] as const)('mark a check that %s', (outcome) => {
    expect(mark(outcome)).toMatchObject({
      checks: [{ outcome, expectedFailure: 'PLAT-1' }],
      expectedFailures: { stale: [], notJudged: [] },
    });
  });

  it('are stale if the check passed, and reported if it was not judged', () => {
    expect(mark('passed').expectedFailures).toEqual({ stale: ['listAgents.is-served'], notJudged: [] });
    for (const outcome of ['unverified', 'skipped'] as const) {
      expect(mark(outcome).expectedFailures).toEqual({ stale: [], notJudged: ['listAgents.is-served'] });
    }
  });

  describe('by a pattern', () => {
    const [one, two] = ['getDriveFile.is-served', 'getDriveFile.fields-present'];
    const markAll = (outcomes: Outcome[], checks = ['getDriveFile.*'], facts: Partial<CheckResult> = {}) =>
      markExpected(
        outcomes.map((outcome, index) => sampleResult(index === 0 ? one : two, { outcome, ...facts })),
        checks.map((check) => ({ check, reason: `by ${check}` })),
        '2026-10-01',
      );

    it('mark every check that it matches, unless an entry names that check', () => {
      const { checks, expectedFailures } = markAll(['failed', 'warned'], ['getDriveFile.*', two]);
      expect(checks.map(({ expectedFailure }) => expectedFailure)).toEqual(['by getDriveFile.*', `by ${two}`]);
      expect(expectedFailures).toEqual({ stale: [], notJudged: [] });
    });

    it('are stale if nothing that it matches fails', () => {
      expect(markAll(['passed', 'passed']).expectedFailures.stale).toEqual(['getDriveFile.*']);
      expect(markAll(['passed', 'failed']).expectedFailures.stale).toEqual([]);
    });

    it('are not judged while one of its checks was left out or could not be judged', () => {
      for (const facts of [{}, { reason: 'It was not selected.' }]) {
        const outcome = facts.reason === undefined ? 'unverified' : 'skipped';
        expect(markAll(['passed', outcome], undefined, facts).expectedFailures).toEqual({
          stale: [],
          notJudged: ['getDriveFile.*'],
        });
      }
      // One that only an option runs does not count.
      expect(markAll(['passed', 'skipped']).expectedFailures.stale).toEqual(['getDriveFile.*']);
    });
  });

  it('apply through their last day, which the report names afterwards', () => {
    expect(mark('failed', '2026-10-01').checks[0]?.expectedFailure).toBe('PLAT-1');
    const [late] = mark('failed', '2026-09-30').checks;
    expect(late?.expectedFailure).toBeUndefined();
    expect(late).toMatchObject({ reason: 'Broken.', noLongerExpected: 'until 2026-09-30: PLAT-1' });
  });

  it('are mentioned after their last day in the text, although the evidence repeats the rest of the reason', () => {
    const failed = {
      ...result('failed'),
      reason: 'Expected a; got b.',
      evidence: { expected: 'a', actual: 'b', exchanges: [] },
    };
    const expired = [{ check: failed.id, reason: 'PLAT-1', until: '2026-09-30' }];
    const text = toTerminal(sampleReport(markExpected([failed], expired, '2026-10-01').checks), {
      color: false,
      command: '',
    });
    expect(text).toMatch(/Known {7}expected until 2026-09-30: PLAT-1\n/);
    expect(toTerminal(sampleReport([failed]), { color: false, command: '' })).not.toMatch(/Found/);
  });
});

describe('the exit code', () => {
  const reportOf = (outcomes: Outcome[], overrides: Partial<Report> = {}) =>
    sampleReport(
      outcomes.map((outcome, index) => sampleResult(`listAgents.case-${index}`, { outcome })),
      overrides,
    );
  const broken = { run: { ...sampleReport([]).run, suiteError: 'oops' } };
  const stale = { expectedFailures: { stale: ['listAgents.case-9'], notJudged: [] } };
  const rules: [string, Report, boolean, 0 | 1 | 2][] = [
    ['no must failed', reportOf(['passed', 'warned', 'unverified', 'skipped']), false, 0],
    ['a must failed', reportOf(['passed', 'failed']), false, 1],
    ['a must failed, and the suite stopped early', reportOf(['failed'], broken), false, 1],
    ['the suite stopped early', reportOf(['passed'], broken), false, 2],
    ['nothing was judged', reportOf(['unverified', 'skipped']), false, 2],
    ['nothing was judged under --strict', reportOf(['unverified']), true, 2],
    ['there are no checks', reportOf([]), false, 2],
    ['an expected failure is stale', reportOf(['passed'], stale), false, 1],
    ['everything passed under --strict', reportOf(['passed', 'skipped']), true, 0],
    ['something warned under --strict', reportOf(['passed', 'warned']), true, 1],
    ['something is unverified under --strict', reportOf(['passed', 'unverified']), true, 1],
  ];
  it.each(rules)('is $3 when %s', (_, report, isStrict, exitCode) => {
    expect(exitCodeOf(report, isStrict)).toBe(exitCode);
  });

  it('ignores expected failures', () => {
    const known = (outcome: Outcome) =>
      sampleReport([
        { ...sampleResult('listAgents.a', { outcome }), expectedFailure: 'PLAT-1' },
        sampleResult('listAgents.b', { outcome: 'passed' }),
      ]);
    expect(exitCodeOf(known('failed'), true)).toBe(0);
    expect(exitCodeOf(known('warned'), true)).toBe(0);
  });
});
