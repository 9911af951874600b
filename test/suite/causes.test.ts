import { describe, expect, it } from 'vitest';
import { toJunit } from '../../conformance/report/junit.ts';
import { toMarkdown } from '../../conformance/report/markdown.ts';
import type { CheckResult, Report } from '../../conformance/report/report.ts';
import { withWords } from '../../conformance/report/report-words.ts';
import { toTerminal } from '../../conformance/report/terminal.ts';
import { inReadingOrder } from '../../conformance/report/words.ts';
import { type JudgedCheck, nameCauses } from '../../conformance/run/run-check.ts';
import { wordsOf } from '../../conformance/run/signals.ts';
import { judgesShape } from '../../conformance/target/expectations.ts';
import { failing, sampleReport, sampleResult } from '../support/sample-report.ts';

const prerequisite = wordsOf('PREREQUISITE');

function waiting(id: string, ...see: string[]): JudgedCheck {
  return { ...sampleResult(id, { outcome: 'inconclusive', reason: 'Not now.', obstacle: prerequisite }), see };
}

/** A check that needs a setting. */
function disabled(id: string, setting: string, ...see: string[]): JudgedCheck {
  return { ...sampleResult(id, { outcome: 'not-enabled', reason: 'Not now.', setting }), see };
}

/** A failure whose last request got no answer. */
function unanswered(id: string, kind: 'timeout' | 'reset'): JudgedCheck {
  const request = { method: 'PATCH', url: 'http://target.test', headers: {} };
  const exchanges = [{ request, failure: { kind, message: kind }, durationMs: 1 }];
  return { ...failing(id, kind), evidence: { expected: 'an answer', actual: kind, exchanges } };
}

function named(...judged: JudgedCheck[]) {
  const [first] = nameCauses(judged);
  const { outcome, reason, setting, obstacle, because } = first ?? {};
  return { outcome, reason, words: setting ?? obstacle, because };
}

/** A failure of the tools, whose last response has this body and status 200. */
function ofTools(rule: string, body: string): JudgedCheck {
  const request = { method: 'GET', url: 'http://target.test', headers: {} };
  const exchanges = [{ request, response: { status: 200, headers: {}, body }, durationMs: 1 }];
  return {
    ...failing(`listMcpServerTools.${rule}`, body),
    evidence: { expected: 'no success', actual: body, exchanges },
  };
}

describe('tools of another organization', () => {
  const nothing = '{"tools":[]}';
  const unknown = ofTools('unknown-server', nothing);

  it('were not shown where an unknown server has the same list', () => {
    expect(named(ofTools('foreign-resource', nothing), unknown).because).toBe(unknown.id);
  });

  it('were shown where an unknown server has another list, or is refused', () => {
    const some = ofTools('foreign-resource', '{"tools":[{"name":"a","description":"b"}]}');
    expect(named(some, unknown).because).toBeUndefined();
    expect(named(ofTools('foreign-resource', nothing), sampleResult(unknown.id)).because).toBeUndefined();
    expect(named(ofTools('foreign-resource', nothing)).because).toBeUndefined();
  });
});

describe('the reason of a check that was not judged', () => {
  const served = 'listDrives.is-served';
  const check = waiting('listDrives.offset-skips', served);
  const between = waiting('listDrives.created-drive', served);
  const behind = waiting('listDrives.created-drive-once', between.id);
  const failed = failing(served, 'status 500');
  const disabledOne = disabled(served, '--allow-writes');
  const left = sampleResult(served, { outcome: 'skipped' });
  const files = disabled('deleteDriveTree.is-served', 'fixtures.disposableFiles', served);
  const nobody = waiting('listDrives.a', 'listDrives.other');
  const [one, other] = [waiting('listDrives.a', 'listDrives.b'), waiting('listDrives.b', 'listDrives.a')];
  const see = (how: string) => `Not now. See ${served}, which ${how}.`;

  type Told = ['inconclusive' | 'not-enabled', reason: string, words: string, because?: string];
  const needsWrites: Told = ['not-enabled', see('is not enabled'), '--allow-writes'];
  const steady: Told = ['inconclusive', 'Not now.', wordsOf('STEADY')];
  const follows = (how: 'failed' | 'warned'): Told => ['inconclusive', see(how), prerequisite, served];

  it.each<[string, JudgedCheck[], Told]>([
    ['names the check that failed', [waiting('listDrives.a', 'listDrives.other', served), failed], follows('failed')],
    ['names one that warned', [check, sampleResult(served, { outcome: 'warned' })], follows('warned')],
    ['names the failure behind another check that was not judged', [behind, between, failed], follows('failed')],
    ['names no check that passed', [check, sampleResult(served)], steady],
    ['takes over the setting that another check needs', [check, disabledOne], needsWrites],
    ['takes it over from behind a check that only waits for another one', [behind, between, disabledOne], needsWrites],
    ['names a check that did not run', [check, left], ['inconclusive', see('did not run'), prerequisite]],
    ['names nothing of another check', [nobody, left], ['inconclusive', 'Not now.', prerequisite]],
    ['keeps its own setting', [files, sampleResult(served)], ['not-enabled', 'Not now.', 'fixtures.disposableFiles']],
    ['keeps its own setting unless a failure explains it', [files, failed], follows('failed')],
    ['ends for checks that rest on each other', [one, other], steady],
  ])('%s', (_, judged, [outcome, reason, words, because]) => {
    expect(named(...judged)).toEqual({ outcome, reason, words, because });
  });

  it('may be nothing but where to look', () => {
    expect(named({ ...check, reason: '' }, failed).reason).toBe(`See ${served}, which failed.`);
  });

  it('counts a missing field among the reasons why a value could not be judged', () => {
    expect(judgesShape('createDrive', 'timestamps-are-date-times')).toContain('createDrive.fields-present');
  });
});

describe('findings', () => {
  const root = failing('updateDriveFile.is-served', 'status 501', 501);
  const judged = [
    failing('createDrive.timestamps-are-utc', 'a local time', 201),
    failing('listAgents.bearer-key', 'status 401', 401),
    failing('updateDriveFile.bearer-key', 'status 501', 501),
    root,
    waiting('updateDriveFile.path-taken-over', root.id),
    sampleResult('listAgents.no-key-is-401', { outcome: 'warned', reason: 'status 403' }),
    sampleResult('listMcpServerTools.foreign-resource', { outcome: 'warned', reason: 'status 200' }),
  ];
  const report = sampleReport(nameCauses(judged));
  const order = [
    root.id,
    'listAgents.bearer-key',
    'createDrive.timestamps-are-utc',
    'listMcpServerTools.foreign-resource',
    'listAgents.no-key-is-401',
  ];

  it.each<[string, JudgedCheck, string | undefined]>([
    ['ends in the same status', failing('updateDriveFile.bearer-key', 'status 501', 501), root.id],
    ['ends in another status', failing('updateDriveFile.bearer-key', 'status 500', 500), undefined],
    ['ends without an answer', unanswered('updateDriveFile.bearer-key', 'reset'), undefined],
    ['is of another operation', failing('getDriveFile.bearer-key', 'status 501', 501), undefined],
    ['is that failure', root, undefined],
  ])('follow from an operation that is not served if one %s', (_, check, because) => {
    expect(nameCauses([check, root])[0]?.because).toBe(because);
  });

  it('follow from it without a response too, if neither got one for the same reason', () => {
    const because = (['timeout', 'reset'] as const).map(
      (kind) => named(unanswered('updateDriveFile.bearer-key', kind), unanswered(root.id, 'timeout')).because,
    );
    expect(because).toEqual([root.id, undefined]);
  });

  it('do not follow from one that is served', () => {
    const check = failing('updateDriveFile.bearer-key', 'status 501', 501);
    for (const outcome of ['warned', 'passed'] as const) {
      expect(nameCauses([check, { ...root, outcome }])[0]?.because).toBeUndefined();
    }
  });

  it.each([
    ['terminal', toTerminal(report, { color: false, command: 'x' }), /^(?:FAILED|WARNED) (\S+)/gm],
    ['markdown', toMarkdown(report), /<summary><code>([\w.-]+)<\/code>/g],
    ['JSON', JSON.stringify(withWords(report).words), /"check":"([\w.-]+)"/g],
    [
      'junit',
      toJunit(report).replaceAll(/<testcase (?:(?!<\/testcase>)[\s\S])*<(?:skipped|error)/g, ''),
      /<testcase classname="\w+" name="([\w.-]+)"/g,
    ],
  ])('stand by cause, then by weight: %s', (_, text, pattern) => {
    const ids = [...text.matchAll(pattern)].map(([, id = '']) => id);
    expect(ids.filter((id) => id !== 'updateDriveFile.bearer-key')).toEqual(order);
  });

  it('that follow from a failure are folded behind it', () => {
    expect(toTerminal(report, { color: false, command: 'x' })).toMatch(
      /1 more check failed the same way:\n {4}FAILED updateDriveFile\.bearer-key/,
    );
  });
});

/** The failures with these ids in the order in which to look at them. A result may follow from one of them: `id <- cause`. */
function inOrder(...failed: readonly string[]): string[] {
  const checks = failed.map((text) => {
    const [id = '', because] = text.split(' <- ');
    const [operation] = id.split('.');
    const found = { id, operation, outcome: 'failed', requirements: [], ...(because !== undefined && { because }) };
    return found as unknown as CheckResult;
  });
  return inReadingOrder({ checks } as unknown as Report).map(({ id }) => id);
}

const [atOnce, alsoAtOnce] = ['listAgents.own-list-at-once', 'listDrives.own-list-at-once'];
const [hidden, served] = ['listDrives.hides-other-organization', 'listDrives.is-served'];
const follows = 'createDrive.name-kept.long <- createDrive.is-served';

it.each<[string, failed: string[], ordered: string[]]>([
  [
    'requests that get the organization of others first, whatever else breaks by it',
    [served, 'listMcpServerTools.bearer-key', hidden, atOnce, alsoAtOnce],
    [atOnce, alsoAtOnce, served, 'listMcpServerTools.bearer-key', hidden],
  ],
  ['the one list that shows it at once, where others show it in turn', [hidden, atOnce], [atOnce, hidden]],
  [
    'one list that alone is wrong, like any other',
    ['createDrive.belongs-to-organization', alsoAtOnce, hidden],
    [hidden, 'createDrive.belongs-to-organization', alsoAtOnce],
  ],
  [
    'what explains others first, and what follows from it last',
    [follows, 'createDrive.field-types', 'createDrive.is-served'],
    ['createDrive.is-served', 'createDrive.field-types', 'createDrive.name-kept.long'],
  ],
  [
    'what explains more before what explains less, whatever their names',
    ['createDrive.field-types', 'listDrives.field-types', 'updateDriveFile.path-kept <- listDrives.field-types'],
    ['listDrives.field-types', 'createDrive.field-types', 'updateDriveFile.path-kept'],
  ],
  [
    'a plain value before the unusual ones',
    ['updateDriveFile.path-kept.escapes', 'updateDriveFile.path-taken-over'],
    ['updateDriveFile.path-taken-over', 'updateDriveFile.path-kept.escapes'],
  ],
])('findings are looked at in an order: %s', (_, failed, ordered) => {
  expect(inOrder(...failed)).toEqual(ordered);
});
