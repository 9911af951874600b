import { describe, expect, it } from 'vitest';
import {
  type ExpectedFailure,
  loadExpectedFailures,
  markExpected,
} from '../../conformance/report/expected-failures.ts';
import type { CheckResult, EndedBy, Outcome, Report } from '../../conformance/report/report.ts';
import { toTerminal } from '../../conformance/report/terminal.ts';
import { type ExitCode, endingOf, exitCodeOf } from '../../conformance/run/verdict.ts';
import { createFolder } from '../support/folder.ts';
import { sampleReport, sampleResult } from '../support/sample-report.ts';
import { suiteErrorOf } from '../support/suite-error-of.ts';

const { write } = createFolder('expected');

describe('expected failures', () => {
  const ids = ['listAgents.is-served', 'listDrives.is-served'];
  const load = (text: string) => loadExpectedFailures(write('expected.yaml', text), ids);

  it('are read as checks with reasons and last days', () => {
    expect(load('- { check: listAgents.is-served, reason: PLAT-1, until: 2026-12-31 }\n')).toEqual([
      { check: 'listAgents.is-served', reason: 'PLAT-1', until: '2026-12-31' },
    ]);
    expect(load('[{ check: listAgents.is-served, reason: PLAT-1, flaky: true }]')).toMatchObject([{ flaky: true }]);
    expect(load('[]')).toEqual([]);
  });

  it.each([
    ['an object instead of a list', 'listAgents.is-served: PLAT-1', /the file must be an array/],
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

  const served = ['listAgents.is-served'];
  it.each<[Outcome, string | undefined, Report['expectedFailures']]>([
    ['failed', 'PLAT-1', { stale: [], notJudged: [] }],
    ['warned', 'PLAT-1', { stale: [], notJudged: [] }],
    ['passed', undefined, { stale: served, notJudged: [] }],
    ...(['inconclusive', 'not-enabled', 'skipped'] as const).map(
      (outcome): [Outcome, undefined, Report['expectedFailures']] => [
        outcome,
        undefined,
        { stale: [], notJudged: served },
      ],
    ),
  ])(
    'mark a check that failed or warned, are stale if it passed, and not judged otherwise: %s',
    (outcome, reason, all) => {
      const { checks, expectedFailures } = mark(outcome);
      expect([checks[0]?.outcome, checks[0]?.expectedFailure, expectedFailures]).toEqual([outcome, reason, all]);
    },
  );

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
        const outcome = facts.reason === undefined ? 'inconclusive' : 'skipped';
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
  const endedBy = (by: EndedBy): Partial<Report> => ({
    run: { ...sampleReport([]).run, suiteError: 'oops', endedBy: by },
  });
  const stale = { expectedFailures: { stale: ['listAgents.case-9'], notJudged: [] } };
  const unmet = { requiredChoices: [{ openPoint: 'successStatus.createDrive', required: 201 }] };
  const crashed = { run: { ...sampleReport([]).run, crashes: [{ request: 'GET /agents', isRepeated: false }] } };
  const rules: [string, Report, boolean, ExitCode][] = [
    ['all passed', reportOf(['passed', 'skipped']), false, 0],
    ['something is not enabled, and something warned', reportOf(['passed', 'warned', 'not-enabled']), false, 0],
    ['a must failed', reportOf(['passed', 'failed']), false, 1],
    ['a must failed, and much is inconclusive', reportOf(['failed', 'inconclusive', 'inconclusive']), false, 1],
    ['a must failed, and the suite stopped early', reportOf(['failed'], endedBy('suite')), false, 1],
    ['the suite stopped early', reportOf(['passed', 'inconclusive'], endedBy('suite')), false, 2],
    ['the target went away', reportOf(['passed', 'inconclusive'], endedBy('target')), false, 3],
    ['the run reached its limit on time', reportOf(['passed', 'inconclusive'], endedBy('time-limit')), false, 3],
    [
      'the target went away, and a choice was not seen',
      reportOf(['passed'], { ...endedBy('target'), ...unmet }),
      false,
      3,
    ],
    ['the target crashed once', reportOf(['passed'], crashed), false, 3],
    ['something is inconclusive', reportOf(['passed', 'inconclusive']), false, 3],
    ['something is inconclusive under --strict', reportOf(['passed', 'inconclusive']), true, 3],
    ['nothing could be judged', reportOf(['inconclusive', 'skipped']), false, 3],
    ['nothing was enabled', reportOf(['not-enabled', 'skipped']), false, 2],
    ['there are no checks', reportOf([]), false, 2],
    ['an expected failure is stale', reportOf(['passed'], stale), false, 1],
    ['a required choice was not seen', reportOf(['passed'], unmet), false, 1],
    ['everything passed under --strict', reportOf(['passed', 'skipped']), true, 0],
    ['something warned under --strict', reportOf(['passed', 'warned']), true, 1],
    ['something is not enabled under --strict', reportOf(['passed', 'not-enabled']), true, 1],
  ];
  it.each(rules)('is $3 when %s, and the last lines say why', (_, report, isStrict, exitCode) => {
    const ending = endingOf(report, isStrict);
    expect(ending.exitCode).toBe(exitCode);
    expect(ending.reasons.length > 0).toBe(exitCode !== 0);
    const lines = toTerminal(report, { color: false, command: '', ending }).trimEnd().split('\n');
    if (exitCode !== 0) expect(lines.at(-2)).toBe(`exit code ${exitCode}: ${ending.reasons.join('; ')}`);
    else expect(lines.join('\n')).not.toMatch(/exit code/);
  });
});

// A must that fails, one that warns, and what follows from them: listed or not, steady or flaky, with and without --strict.
describe('an expected failure', () => {
  const root = 'listDrives.is-served';
  const follows = 'listDrives.offset-skips';
  type Entry = 'none' | 'steady' | 'flaky' | 'expired';
  const entries: Record<Entry, ExpectedFailure[]> = {
    none: [],
    steady: [{ check: root, reason: 'PLAT-1' }],
    flaky: [{ check: root, reason: 'PLAT-1', flaky: true }],
    expired: [{ check: root, reason: 'PLAT-1', until: '2026-09-30' }],
  };
  /** The run of a target whose check `root` ended so, and of a check that builds on it. */
  function codes(outcome: Outcome, entry: Entry): [ExitCode, ExitCode] {
    const hasFollower = outcome === 'failed' || outcome === 'warned';
    const follower = sampleResult(follows, {
      ...(hasFollower ? { outcome: 'inconclusive', because: root } : { outcome: 'passed' }),
    });
    const results = [sampleResult(root, { outcome }), follower, sampleResult('listAgents.is-served')];
    const report = sampleReport(results, markExpected(results, entries[entry], '2026-10-01'));
    return [exitCodeOf(report, false), exitCodeOf(report, true)];
  }
  const table: [Outcome, Record<Entry, [ExitCode, ExitCode]>][] = [
    ['failed', { none: [1, 1], steady: [0, 0], flaky: [0, 0], expired: [1, 1] }],
    ['warned', { none: [3, 1], steady: [0, 0], flaky: [0, 0], expired: [3, 1] }],
    ['passed', { none: [0, 0], steady: [1, 1], flaky: [0, 0], expired: [1, 1] }],
    ['inconclusive', { none: [3, 3], steady: [3, 3], flaky: [3, 3], expired: [3, 3] }],
    ['not-enabled', { none: [0, 1], steady: [0, 1], flaky: [0, 1], expired: [0, 1] }],
    ['skipped', { none: [0, 0], steady: [0, 0], flaky: [0, 0], expired: [0, 0] }],
  ];
  const cells = table.flatMap(([outcome, row]) =>
    (Object.keys(entries) as Entry[]).map((entry) => [outcome, entry, row[entry]] as const),
  );
  it.each(cells)('that %s and is listed as %s ends with %j, plainly and under --strict', (outcome, entry, expected) => {
    expect(codes(outcome, entry)).toEqual(expected);
  });

  it('takes what follows from it along, and says so', () => {
    const results = [
      sampleResult(root, { outcome: 'failed' }),
      sampleResult(follows, { outcome: 'inconclusive', because: root }),
    ];
    const { checks } = markExpected(results, entries.steady, '2026-10-01');
    expect(checks[1]?.expectedFailure).toBe(`it follows from ${root}: PLAT-1`);
    expect(markExpected(checks, [], '2026-10-01').checks[1]?.expectedFailure).toBeUndefined();
  });
});
