import { parse, type TestSuites } from 'junit2json';
import { describe, expect, it } from 'vitest';
import { observers } from '../../conformance/observe/table.ts';
import { toAnnotations } from '../../conformance/report/github.ts';
import { reporters } from '../../conformance/report/index.ts';
import type { RequiredChoice } from '../../conformance/report/report.ts';
import { type Config, parseRequired, toSettings } from '../../conformance/run/settings.ts';
import { judgeChoices } from '../../conformance/run/verdict.ts';
import type { Choice } from '../../openapi/points/open-point.ts';
import { createBench, quick } from '../support/judging.ts';
import { sampleReport, sampleResult } from '../support/sample-report.ts';

const { at, write, conformance, reportOf } = await createBench();

type Choices = Record<string, Choice>;

/** What became of the choices that a run requires. */
function judged(require: Choices, observed: Choices, config: Partial<Config> = {}): RequiredChoice[] | undefined {
  const settings = toSettings({ baseUrl: 'http://target.test/v0.1', apiKey: 'key-a', require, ...config });
  return judgeChoices(settings, { observed }, observers).requiredChoices;
}

const writes = { allowWrites: true };
const deletes = { ...writes, allowDestructive: true };
const deletesTrees = { ...deletes, openPoints: { treePathParameter: 'path' } };

const profile = write(
  'profile.yaml',
  'successStatus.createDrive: 200\nsizeUnit: kilobytes\nsuccessStatus.getDriveFile: 200\n',
);
const refused: [string, string, RegExp][] = [
  [
    'two choices',
    'successStatus.createDrive=200 --require successStatus.createDrive=201',
    /successStatus.createDrive is given twice: 200 and 201/,
  ],
  ['--no-observe', 'successStatus.createDrive=201 --no-observe', /--require and --no-observe contradict/],
  [
    'an unknown open point',
    'CreateDrive=201',
    /there is no open point "CreateDrive" \(did you mean successStatus.createDrive\?\)/,
  ],
  [
    'an illegal choice',
    'successStatus.createDrive=404',
    /404 is not a choice of successStatus.createDrive; legal: 201, 200/,
  ],
  ['a choice that nobody can see', 'sizeUnit=bytes', /cannot be seen from outside\. No operation uploads/],
  ['a file that does not exist', 'nowhere.yaml', /nowhere\.yaml cannot be read/],
  [
    'a long choice without repeating it',
    `successStatus.createDrive=${'9'.repeat(1_000)}`,
    /--require successStatus.createDrive=9{100,200}…: /,
  ],
  [
    'a profile with a wrong choice',
    write('a.yaml', 'successStatus.getDriveFile: 200\nsuccessStatus.createDrive: 404\n'),
    /a\.yaml:2:\d+ successStatus.createDrive /,
  ],
  ['a list', write('list.yaml', '- a\n'), /list\.yaml:1:1 /],
];

describe('--require', () => {
  it('takes choices, and the choices of profiles as far as they can be seen', () => {
    expect(parseRequired([])).toEqual({});
    expect(parseRequired(['successStatus.createDrive=201', 'listOrder=byName'])).toEqual({
      'successStatus.createDrive': 201,
      listOrder: 'byName',
    });
    expect(parseRequired([profile, 'successStatus.createDrive=201'])).toEqual({
      'successStatus.createDrive': 201,
      'successStatus.getDriveFile': 200,
    });
  });

  it.each(refused)('refuses %s', async (_, value, message) => {
    const { code, stderr } = await conformance(['--require', ...value.split(' ')]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('passes if the choice was seen, and says so', async () => {
    const args = [
      ...quick,
      '--allow-writes',
      '--require',
      'successStatus.createDrive=201',
      '--require',
      'listOrder=oldestFirst',
    ];
    const { code, stdout, report } = await reportOf(args);
    expect(report.requiredChoices).toEqual([
      { openPoint: 'successStatus.createDrive', required: 201, seen: 201 },
      { openPoint: 'listOrder', required: 'oldestFirst', seen: report.observed.listOrder },
    ]);
    expect(stdout).toMatch(/Required choices \(2\)\n\n {2}successStatus.createDrive=201 is required, and was seen\n/);
    expect(code).toBe(report.observed.listOrder === 'oldestFirst' ? 0 : 1);
  });

  it('fails the run if another choice was seen, or none', async () => {
    const other = await reportOf([...quick, '--allow-writes', '--require', 'successStatus.createDrive=200']);
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(/FAILED successStatus.createDrive=200 is required; 201 was seen\n/);
    expect(other.stdout).toMatch(/\nPASSED .*; 1 required choice was not seen\n$/);
    const none = await reportOf([...quick, '--require', 'successStatus.createDrive=201']);
    expect(none.code).toBe(1);
    expect(none.stdout).toMatch(
      /FAILED successStatus.createDrive=201 is required, and was not seen\. It needs --allow-writes\.\n/,
    );
  });

  it('takes a profile file, and the config; a flag wins', async () => {
    const learning = at('learned.yaml');
    await conformance([...quick, '--allow-writes', '--observe', learning]);
    const learned = await reportOf([...quick, '--allow-writes', '--require', learning]);
    expect(learned.report.requiredChoices?.length).toBeGreaterThan(20);
    expect(learned.report.requiredChoices?.filter(({ required, seen }) => required !== seen)).toEqual([]);
    expect(learned.code).toBe(0);
    const config = write('requiring.yaml', 'require: { successStatus.createDrive: 200 }\n');
    expect((await conformance([...quick, '--allow-writes', '--config', config])).code).toBe(1);
    const flag = ['--require', 'successStatus.createDrive=201'];
    expect((await conformance([...quick, '--allow-writes', '--config', config, ...flag])).code).toBe(0);
    const wrong = write('wrong.yaml', 'require: { successStatus.createDrive: 404 }\n');
    expect((await conformance(['--config', wrong])).stderr).toMatch(
      /wrong\.yaml:1:\d+ require\.successStatus\.createDrive is invalid/,
    );
  });

  it('has a line of its own in every report', async () => {
    const requiredChoices = [
      { openPoint: 'successStatus.createDrive', required: 201, seen: 201 },
      { openPoint: 'errorBody', required: 'problem', seen: 'other' },
    ];
    const samples = { errorBody: 'an object with error' };
    const report = sampleReport([sampleResult('listAgents.is-served')], { requiredChoices, samples });
    const line = 'errorBody=problem is required; none of the listed choices was seen, but an object with error';
    const suites = (await parse(reporters.junit.write(report), {})) as TestSuites;
    expect(suites).toMatchObject({ tests: '3', failures: '1' });
    expect(JSON.stringify(suites)).toContain(line);
    expect(reporters.markdown.write(report)).toMatch(/- ❌ .*errorBody=problem.* is required; none of the listed/);
    expect(reporters.html.write(report)).toMatch(/errorBody=problem[^<]* is required; none of the listed/);
    expect(toAnnotations(report, 'x')).toBe(`::error title=required choice::${line}\n`);
    expect(reporters.markdown.write(report)).toMatch(
      /^## ❌ conformant in all 1 check: 1 required choice was not seen/,
    );
  });
});

describe('a required choice', () => {
  it('that was seen is told beside the other one, whatever the settings', () => {
    expect(
      judged(
        { 'successStatus.createDrive': 201, 'successStatus.getDriveFile': 200 },
        { 'successStatus.createDrive': 200, 'successStatus.getDriveFile': 200 },
      ),
    ).toEqual([
      { openPoint: 'successStatus.createDrive', required: 201, seen: 200 },
      { openPoint: 'successStatus.getDriveFile', required: 200, seen: 200 },
    ]);
    expect(judged({}, { 'successStatus.createDrive': 200 })).toBeUndefined();
  });

  it.each<[string, Choice, Partial<Config>, string | undefined]>([
    ['successStatus.createDrive', 201, {}, '--allow-writes'],
    ['successStatus.createDrive', 201, writes, undefined],
    ['successStatus.updateDriveFile', 200, {}, '--allow-writes'],
    ['successStatus.updateDriveFile', 200, writes, undefined],
    ['successStatus.deleteDriveTree', 200, {}, '--allow-writes'],
    ['successStatus.deleteDriveTree', 200, writes, '--allow-destructive'],
    ['successStatus.deleteDriveTree', 200, deletes, 'openPoints.treePathParameter'],
    ['successStatus.deleteDriveTree', 200, deletesTrees, undefined],
    ['errorBody', 'problem', {}, undefined],
    ['treePathParameter', 'path', writes, '--allow-destructive'],
  ])(
    '%s that was not seen names the permission that is missing: %j with %j needs %s',
    (id, choice, config, setting) => {
      const reason = setting === undefined ? {} : { reason: `It needs ${setting}.` };
      expect(judged({ [id]: choice }, { toString: 1 }, config)).toEqual([
        { openPoint: id, required: choice, ...reason },
      ]);
    },
  );

  it('that stands for the one of another case is that one: the required one, or else the one seen', () => {
    const server = (require: Choices, observed: Choices) => judged(require, observed)?.map(({ required }) => required);
    expect(server({ 'successStatus.createMcpServer': 'createDrive' }, { 'successStatus.createDrive': 202 })).toEqual([
      202,
    ]);
    expect(
      server(
        { 'successStatus.createMcpServer': 'createDrive', 'successStatus.createDrive': 201 },
        { 'successStatus.createDrive': 202 },
      ),
    ).toEqual([201, 201]);
    expect(server({ 'successStatus.createMcpServer': 'createDrive' }, {})).toEqual(['createDrive']);
  });
});
