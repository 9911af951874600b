/** What checks need and change: by rule, and compared with what runs really need and change. */
import { describe, expect, it } from 'vitest';
import type { Effects } from '../../conformance/checks/check.ts';
import { isMatch } from '../../conformance/checks/check.ts';
import { allChecks, type RegisteredCheck } from '../../conformance/checks/index.ts';
import type { Observer } from '../../conformance/observe/observer.ts';
import { observers, observersFor } from '../../conformance/observe/table.ts';
import { tooFew } from '../../conformance/probing/placed-files.ts';
import type { Report } from '../../conformance/report/report.ts';
import { enoughDisposableFiles, isEnough } from '../../conformance/run/doctor.ts';
import { unlocksOf } from '../../conformance/run/doctor-text.ts';
import { type NeedName, needs, settingsOf, unmet } from '../../conformance/run/needs.ts';
import {
  describeEffects,
  describeMoveLog,
  describePlan,
  explain,
  listing,
  type Plan,
  planEffects,
  planOf,
  restoreHint,
  settingsFor,
} from '../../conformance/run/plan.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { type Config, type FileFixture, type Settings, toSettings } from '../../conformance/run/settings.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { Seed } from '../../src/domain/seed.ts';
import { createMock } from '../../src/index.ts';
import { isFull, sampleOf } from '../support/depth.ts';
import { judgeRunning } from '../support/judged-server.ts';
import { suiteErrorOf } from '../support/suite-error-of.ts';
import { wholeRun } from '../support/whole-run.ts';
import { createDemo } from '../support/whole-settings.ts';

const { mock, without } = await createDemo();
const checks = allChecks();
const checkNamed = (id: string) => checks.filter((check) => check.id === id);
const settingsWith = (config: Partial<Config>): Settings =>
  toSettings({ baseUrl: 'http://target.test/v0.1', apiKey: 'key-a', ...config });
const file = (driveId: string, id: string): FileFixture => ({ driveId, id });

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** What a description has to say of a check. */
function expectExplained(check: RegisteredCheck): void {
  const { id } = check;
  const [head, does = '', judges = '', needed = '', changes = '', alone] = explain(checks, id).split('\n\n');
  expect(head).toBe(`${id} (${check.level})`);
  expect(inOneLine(does)).toBe(check.does);
  expect(judges).toMatch(/^Judges:\n {2}\S/);
  for (const { requirement, pointer } of check.requirements) {
    expect(inOneLine(judges)).toContain(`${inOneLine(requirement)} (section `);
    for (const place of pointer) expect(judges).toContain(`\n    openapi.yaml${place}`);
  }
  expect(needed).toMatch(/^Needs:\n {2}\S/);
  const lines = needed.split('\n').slice(1).map(inOneLine);
  const all = check.needs.map((name) => `${needs[name].setting} ${needs[name].what}`);
  expect(lines).toEqual(all.length === 0 ? ['only the base URL and a key'] : all);
  expect(changes).toMatch(/^Changes:\n {2}\S/);
  expect(alone).toMatch(/^Run only this check:\n {2}npm run conformance -- --base-url <url> .*\n$/);
  expect(alone?.trimEnd().endsWith(`--only ${id}`)).toBe(true);
  const tooLong = `${does}\n${judges}`
    .split('\n')
    .filter((line) => line.length > 100 && !line.includes('openapi.yaml#'));
  expect(tooLong).toEqual([]);
}

describe('--explain', () => {
  it('says what each check does, judges, needs and changes', () => {
    for (const check of checks) expectExplained(check);
  });

  it.each([
    ['listAgents.is-served', ['nothing'], '--base-url <url> --only'],
    [
      'createDrive.is-served',
      [/^create 2 drives; once per run, shared by all/],
      '--base-url <url> --allow-writes --only',
    ],
    [
      'listMcpServerTools.is-served',
      ['nothing', 'if the target has too little data, with --allow-writes: create 1 MCP server'],
      '--base-url <url> --only',
    ],
    ['updateDriveFile.is-served', [/^move 1 file and move it back; once/], '--config <file> --allow-writes --only'],
    ['deleteDriveTree.is-served', [/^delete up to 2 disposable files; once/], '--allow-destructive --only'],
  ])('names what %s changes, and the flags to run it alone', (id, expected, flags) => {
    const text = explain(checks, id);
    const [, changes = ''] = /Changes:\n([\s\S]*?)\n\n/.exec(text) ?? [];
    const lines = changes.split('\n').map((line) => line.trim());
    expect(lines).toEqual(expected.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))));
    expect(text).toContain(`${flags} ${id}`);
  });

  it.each([
    ['listAgents.is-servd', /There is no check "listAgents\.is-servd" \(did you mean listAgents\.is-served\?\)/],
    ['listAgents.*', /--explain takes the id of one check\. --list --only 'listAgents\.\*' lists the checks/],
  ])('refuses %s', (id, message) => {
    const { code, message: told } = suiteErrorOf(() => explain(checks, id));
    expect([code, told]).toEqual(['UNKNOWN_CHECK', expect.stringMatching(message)]);
  });
});

describe('--list', () => {
  it('has a line for each check, in columns', () => {
    const lines = listing(checks).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(checks.length);
    const width = Math.max(...checks.map(({ id }) => id.length));
    for (const [index, { id, level, does, needs: names }] of checks.entries()) {
      const settings = [...new Set(names.map((name) => needs[name].setting))];
      const last = settings.length === 0 ? '' : ` Needs ${settings.join(', ')}`;
      expect(lines[index]).toBe(`${id.padEnd(width)}  ${level === 'must' ? 'must  ' : 'should'}  ${does}${last}`);
    }
  });
});

describe('a need', () => {
  const [one, other, far] = [file('d1', 'a'), file('d1', 'b'), file('d2', 'c')];
  const given = (files?: FileFixture[], disposableFiles?: FileFixture[]): Partial<Config> => ({
    fixtures: { ...(files && { files }), ...(disposableFiles && { disposableFiles }) },
  });
  type DataNeed = `${string}OfBoth` | 'secondAgent' | 'otherMcpServer';
  // Without any setting, none is met.
  const cases: Record<Exclude<NeedName, DataNeed>, [met: Partial<Config>[], unmet: Partial<Config>[]]> = {
    writes: [[{ allowWrites: true }], [{ allowWrites: false }]],
    deletions: [[{ allowDestructive: true }], [{ allowWrites: true }]],
    treeParameter: [[{ openPoints: { treePathParameter: 'path' } }], [{ openPoints: {} }]],
    otherKey: [[{ otherApiKey: 'key-b' }], []],
    agent: [[{ fixtures: { agent: { id: 'a', revisionId: 'r' } } }], [given()]],
    file: [[given([one]), given(undefined, [one])], [given([], [])]],
    movableFile: [[given([one])], [given([], [one])]],
    twoFilesOfOneDrive: [
      [given([one, other]), given([one], [far, other])],
      [given([one]), given([one, far]), given(undefined, [one, other])],
    ],
    filesOfTwoDrives: [
      [given([one, far]), given([one], [other, far])],
      [given([one, other]), given([far])],
    ],
    disposableFiles: [[given(undefined, [one])], [given([one], [])]],
    disposableFilesOfTwoDrives: [[given(undefined, [one, other, far])], [given([one], [far])]],
    mcpServer: [[{ fixtures: { mcpServer: { id: 's' } } }], [given()]],
    hostMcpServer: [[{ hostMcpServer: true }, { hostMcpUrl: 'http://suite.test/' }], [{ hostMcpServer: false }]],
  };

  it.each(Object.entries(cases))('%s is met by its setting, and by no other', (name, [met, others]) => {
    const unmetBy = (config: Partial<Config>) => unmet([name as NeedName], settingsWith(config));
    expect(met.map(unmetBy)).toEqual(met.map(() => []));
    expect([{}, ...others].map(unmetBy)).toEqual([{}, ...others].map(() => [name]));
  });

  it('of several checks is named once by its setting', () => {
    const names: NeedName[] = ['file', 'movableFile', 'writes', 'twoFilesOfOneDrive'];
    expect([settingsOf(names), settingsOf([])]).toEqual([['fixtures.files', '--allow-writes'], []]);
  });
});

const nothing = { drives: 0, mcpServers: 0, otherDrives: 0, otherMcpServers: 0, publications: 0, deletions: 0 };
const nothingMoved = { ...nothing, moves: 0 };
const noPlan: Plan = {
  ...{ ...nothingMoved, perhaps: nothing, observing: nothingMoved, volume: nothingMoved },
  ...{ walking: { ...nothingMoved, requests: 0 }, disposableFiles: 0, judging: 0, selected: 0 },
};

describe('the effects of several checks', () => {
  it.each<[string, Effects[], object]>([
    ['of none are none', [], {}],
    ['of their own are added', [{ drives: 1 }, { drives: 2, mcpServers: 3 }], { drives: 3, mcpServers: 3 }],
    ['in both organizations', [{ otherDrives: 1, otherMcpServers: 2 }], { otherDrives: 1, otherMcpServers: 2 }],
    [
      'that are shared happen once',
      [{ shared: ['firstDrive'] }, { shared: ['firstDrive', 'secondDrive'] }],
      { drives: 2 },
    ],
    ['that publish', [{ shared: ['publication'] }], { publications: 1 }],
    ['that delete', [{ deletions: 2 }, { shared: ['deletedTree'] }], { deletions: 4 }],
    ['that move files', [{ moves: true }, {}, { moves: true }], { moves: 1 }],
    ['on a target without data', [{ perhaps: ['firstDrive'] }], { perhaps: { ...nothing, drives: 1 } }],
    ['that happen anyway are sure', [{ perhaps: ['firstDrive'] }, { shared: ['firstDrive'] }], { drives: 1 }],
  ])('%s', (_, effects, counts) => {
    expect(planEffects(effects)).toEqual({ ...nothing, moves: 0, perhaps: nothing, ...counts });
  });
});

describe('a plan in words', () => {
  const fixturesOf = (...disposableFiles: FileFixture[]) => ({ fixtures: { disposableFiles } });
  const lacking = { ...nothing, drives: 1, otherDrives: 1 };
  const observing = { ...nothingMoved, mcpServers: 1, deletions: 1, publications: 1 };
  const deleting = { deletions: 1, disposableFiles: 2 };
  const atRisk = 'This run will delete up to 1 of 2 disposable files.';
  const risk = (where: string) => `On a broken server, every file in ${where} named in disposableFiles is at risk.`;

  it.each<[Partial<Plan>, string, last?: string, config?: Partial<Config>]>([
    [{}, 'This run changes nothing on a correct server.'],
    [{ drives: 1 }, 'This run will create 1 drive.'],
    [{ mcpServers: 2 }, 'This run will create 2 MCP servers.'],
    [{ drives: 2, mcpServers: 1 }, 'This run will create 2 drives and 1 MCP server.'],
    [{ otherDrives: 1 }, 'This run will create 1 drive in the second organization.'],
    [{ otherMcpServers: 3 }, 'This run will create 3 MCP servers in the second organization.'],
    [{ publications: 1 }, 'This run will publish 1 revision.'],
    [{ publications: 2, moves: 1 }, 'This run will\n  publish 2 revisions\n  move 1 file and move it back'],
    [{ moves: 2 }, 'This run will move 2 files and move them back.'],
    [
      { perhaps: lacking },
      `This run changes nothing on a correct server.
If the target has too little data, the run will also create 1 drive in each organization.`,
    ],
    [
      { drives: 1, observing },
      `This run will create 1 drive.
To observe open points, the run may also create 1 MCP server, publish 1 revision, and delete up to 1 disposable file.`,
    ],
    [deleting, atRisk, risk('the drive'), fixturesOf(file('d1', 'a'), file('d1', 'b'))],
    [deleting, atRisk, risk('the 2 drives'), fixturesOf(file('d1', 'a'), file('d2', 'b'))],
  ])('says what %j does', (effects, lines, last, config) => {
    expect(describePlan({ ...noPlan, ...effects }, settingsWith({ allowWrites: true, ...config }))).toEqual([
      ...lines.split('\n'),
      'The API cannot undo creations, publications or deletions.',
      'A broken server may change more: the run also sends requests that a server must refuse.',
      ...(last === undefined ? [] : [last]),
    ]);
  });

  it('is one sentence for a run that only reads, and names no number of files that are there for one check', () => {
    const reading = describePlan({ ...noPlan, drives: 3 }, settingsWith({}));
    expect(reading).toEqual(['Read-only run. Negative tests use ids that do not exist.']);
    expect(describeEffects({ ...nothing, moves: 0, deletions: 2 })).toBe('delete up to 2 disposable files');
  });
});

describe('the place of the moves', () => {
  const files = [file('d1', 'a')];
  const told =
    "Moves are logged in /tmp/m 1.jsonl\nIf the run is killed, move the files back with npm run conformance -- restore '/tmp/m 1.jsonl'\n";

  it.each<[string, Partial<Config>, string]>([
    ['is told where files may be moved', { allowWrites: true, fixtures: { files } }, told],
    ['is told where files may be deleted', { allowWrites: true, fixtures: { disposableFiles: files } }, told],
    ['is not told without files', { allowWrites: true, fixtures: { files: [], disposableFiles: [] } }, ''],
    ['is not told without fixtures', { allowWrites: true }, ''],
    ['is not told by a run that only reads', { fixtures: { files } }, ''],
  ])('%s', (_, config, text) => {
    expect(describeMoveLog(settingsWith(config), '/tmp/m 1.jsonl')).toBe(text);
    const hint = 'Some files may not be back. Move them back with npm run conformance -- restore m.jsonl';
    expect(restoreHint('m.jsonl')).toBe(hint);
  });
});

describe('a plan', () => {
  const [files, disposableFiles] = [
    [file('d1', 'a'), file('d1', 'b')],
    [file('d1', 'c'), file('d2', 'd')],
  ];
  const fixtures = { agent: { id: 'a', revisionId: 'r' }, files, disposableFiles, mcpServer: { id: 's' } };
  const all = {
    ...{ allowWrites: true, allowDestructive: true, otherApiKey: 'key-b', fixtures },
    openPoints: { treePathParameter: 'path' },
  };
  const plannedWithout = (left: keyof typeof all) => {
    const { [left]: _, ...config } = all;
    return planOf(checks, settingsWith(config), observers);
  };

  it('counts the checks that can judge, of those that were selected', () => {
    const some = [...checkNamed('createDrive.is-served'), ...checkNamed('getDriveFile.is-served')];
    expect(planOf(some, settingsWith(all))).toMatchObject({ judging: 2, selected: 2, drives: 2, moves: 0 });
    expect(planOf(some, settingsWith({ allowWrites: true }))).toMatchObject({ judging: 1, selected: 2, drives: 2 });
    expect(planOf(some, settingsWith({}))).toMatchObject({ judging: 0, selected: 2, drives: 0 });
  });

  it('counts every declared file if one is moved, and no more deletions than files', () => {
    const moving = checkNamed('updateDriveFile.is-served');
    expect(planOf(moving, settingsWith(all))).toMatchObject({ moves: 2, deletions: 0, disposableFiles: 2 });
    expect(planOf(checks, settingsWith(all))).toMatchObject({ moves: 2, deletions: 2, disposableFiles: 2 });
  });

  it('has nothing that the settings do not permit, and observes only where it is asked to', () => {
    for (const left of ['allowDestructive', 'openPoints'] as const) {
      const { deletions, observing } = plannedWithout(left);
      expect([deletions, observing.deletions], left).toEqual([0, 0]);
    }
    const alone = plannedWithout('otherApiKey');
    expect([alone, alone.perhaps]).toMatchObject(Array(2).fill({ otherDrives: 0, otherMcpServers: 0 }));
    expect(plannedWithout('allowWrites').observing).toEqual(nothingMoved);
    expect(planOf(checks, settingsWith(all))).toMatchObject({
      observing: nothingMoved,
      otherDrives: expect.any(Number),
    });
    expect(planOf(checks, settingsWith(all)).otherDrives).toBeGreaterThan(0);
    expect(planOf(checks, settingsWith(all), observers).observing).not.toEqual(nothingMoved);
  });
});

describe('the permission to write', () => {
  const [reading = checks[0]] = checkNamed('listDrives.is-served');
  const changed = (effects: Effects) => ({ ...reading, effects }) as RegisteredCheck;
  const needing = { ...reading, needs: ['writes'] } as RegisteredCheck;

  it.each<[string, RegisteredCheck[], observed: Partial<Observer>, boolean]>([
    ['given up by a run of no checks', [], {}, false],
    ['given up by a run whose checks only read', [changed({})], {}, false],
    ['given up though the target may have too little data', [changed({ perhaps: ['firstDrive'] })], {}, false],
    ['kept by a run that observes what a change shows', [changed({})], { effects: { drives: 1 } }, true],
    ...[{ drives: 1 }, { mcpServers: 1 }, { deletions: 1 }, { moves: true }].map(
      (effects): [string, RegisteredCheck[], Partial<Observer>, boolean] => [
        `kept for ${JSON.stringify(effects)}, whatever other checks do`,
        [changed({}), changed(effects)],
        ...([{}, true] as const),
      ],
    ),
    ['kept for a request that must be refused', checkNamed('createDrive.no-key'), {}, true],
    ['kept for a check that needs it', [needing], {}, true],
  ])('is %s', (_, some, observed, mayWrite) => {
    const settings = settingsWith({ allowWrites: true, allowDestructive: true });
    const permitted = settingsFor(some, settings, [
      { openPoint: 'successStatus.createDrive', phase: 'create', ...observed },
    ]);
    expect(permitted).toMatchObject({ allowWrites: mayWrite, allowDestructive: mayWrite });
  });
});

const run = (settings: Settings, only: string[] = []) => runSuite(settings, { tool: 'test', only, observe: false });

const selected = (patterns: string[]) => checks.filter(({ id }) => patterns.some((pattern) => isMatch(pattern, id)));

/** What a run left behind, counted as in a plan. */
function effectsIn({ leftovers }: Report) {
  const count = (kind: string) => leftovers.filter((leftover) => leftover.kind === kind).length;
  return {
    drives: count('drive'),
    mcpServers: count('mcpServer'),
    publications: count('publication'),
    deletions: count('deletedFile'),
    files: count('file'),
  };
}

/** The last tree takes what is left in one drive, to a bound. */
const mostInLastTree = 12;

/** Only a run of all checks walks: then the plan says the most that the walk changes. */
function expectPlanned(report: Report, chosen: readonly RegisteredCheck[], settings: Settings, what: string) {
  const { walking, ...sure } = planOf(chosen, settings);
  const [changed, planned, walked] = [effectsIn(report), countsOf(sure), countsOf(walking)];
  const takesRest = chosen.some(({ effects }) => effects.shared?.includes('parallelTrees'));
  for (const [kind, least] of Object.entries(planned) as [keyof typeof planned, number][]) {
    const open = takesRest && kind === 'deletions' ? mostInLastTree : 0;
    expect(changed[kind], `${what}: ${kind}`).toBeGreaterThanOrEqual(least - open);
    expect(changed[kind], `${what}: ${kind}`).toBeLessThanOrEqual(least + walked[kind]);
  }
}

type Counts = Omit<ReturnType<typeof planOf>['walking'], 'moves' | 'requests'>;

function countsOf({ drives, otherDrives, mcpServers, otherMcpServers, publications, deletions }: Counts) {
  return {
    drives: drives + otherDrives,
    mcpServers: mcpServers + otherMcpServers,
    publications,
    deletions,
    files: 0,
  };
}

const lacking: [string, Settings][] = [
  ['no permission to write', without('allowWrites')],
  ['no permission to delete', without('allowDestructive')],
  ['no name of the tree path parameter', without('openPoints')],
  ['no second key', without('otherApiKey')],
  ['no agent', without('agent')],
  ['no files', without('files')],
  ['no disposable files', without('disposableFiles')],
  ['no files at all', without('files', 'disposableFiles')],
  ['no MCP server', without('mcpServer')],
  ['only a key', toSettings({ baseUrl: mock.url, apiKey: 'demo-key' })],
];

/** Checks that a run judged what its settings permit, and names what the others lack. */
function expectJudged(report: Report, settings: Settings, chosen = checks): void {
  const wrong = chosen.flatMap(({ id, needs: names }) => {
    const result = report.checks.find((check) => check.id === id);
    const isJudged = ['passed', 'failed', 'warned'].includes(result?.outcome ?? 'missing');
    return isJudged === (unmet(names, settings).length === 0) ? [] : [{ id, names, result }];
  });
  expect(wrong).toEqual([]);
  expect(report.summary).toMatchObject({ failed: 0, warned: 0 });
  for (const { id, outcome, setting } of report.checks.filter((check) => check.outcome === 'not-enabled')) {
    const asked = unlocksOf(checkNamed(id), settings).map((unlock) => unlock.setting);
    // Of what was given, it asks for more.
    expect(
      asked.some((name) => setting?.endsWith(name)),
      `${id}: ${outcome}, ${setting} is one of ${asked}`,
    ).toBe(true);
  }
}

describe('a run', () => {
  const operations = [...new Set(checks.map(({ operation }) => operation))];

  const changing = checks.filter(({ effects }) => Object.keys(effects).some((name) => name !== 'perhaps'));
  const some = isFull ? ['*'] : sampleOf(operations, 3).map((operation) => `${operation}.*`);
  const alone = [...sampleOf(operations, 1).map((one) => `${one}.*`), ...sampleOf(changing, 2).map(({ id }) => id)];
  const rows: [string, Settings, only: string[]][] = [
    ...sampleOf(lacking, 1).map(([what, settings]): (typeof rows)[number] => [`with ${what}`, settings, some]),
    ...alone.map((only): (typeof rows)[number] => [`of ${only} alone`, without(), [only]]),
  ];

  it.each(rows)('%s judges what it can, and changes what is planned', async (what, settings, only) => {
    mock.reset();
    const report = await run(settings, only);
    expectJudged(report, settings, selected(only));
    expectPlanned(report, selected(only), settings, what);
  });

  it('with every setting changes what is planned, what is planned to observe open points, and what the walk may change', async () => {
    const { report } = await wholeRun();
    const settings = without();
    expectJudged(report, settings);
    const { observing, walking, ...sure } = planOf(checks, settings, observers);
    const { drives, mcpServers, publications, deletions, files } = effectsIn(report);
    const sum = (counts: typeof observing) => [
      counts.drives + counts.otherDrives,
      counts.mcpServers + counts.otherMcpServers,
      counts.deletions,
    ];
    const least = sum(sure).map((count, index) => count - (index === 2 ? mostInLastTree : 0));
    for (const [index, count] of [drives, mcpServers, deletions].entries()) {
      expect(count).toBeGreaterThan(least[index] ?? 0);
      const most = [sure, observing, walking].map((counts) => sum(counts)[index] ?? 0);
      expect(count).toBeLessThanOrEqual(most.reduce((total, one) => total + one));
    }
    expect({ publications, files }).toEqual({ publications: sure.publications, files: 0 });
  });

  it('whose disposable files were deleted by an earlier one is inconclusive, and fails nothing', async () => {
    const { report, again } = await wholeRun();
    expect(report.verdict).toBe('conformant');
    expect(again).toMatchObject({ verdict: 'inconclusive', summary: { failed: 0, warned: 0 } });
  });

  it.each(sampleOf(observers, 2))(
    'of few checks that requires a choice at $openPoint observes only that, as planned',
    async ({ openPoint }) => {
      const { report } = await wholeRun();
      const choice = report.observed[openPoint];
      const settings = { ...without(), require: { [openPoint]: choice ?? 'not seen' } };
      const only = ['listAgents.is-served'];
      const { observed, leftovers, ...rest } = await runSuite(settings, { tool: 'test', only });
      expect(observed).toEqual(choice === undefined ? {} : { [openPoint]: choice });
      const { observing } = planOf(selected(only), settings, observersFor(settings, false));
      for (const [kind, count] of Object.entries(effectsIn({ ...rest, observed, leftovers }))) {
        expect([kind, count <= (observing[kind as keyof typeof observing] ?? 0)]).toEqual([kind, true]);
      }
    },
  );

  it('adds what is planned for an empty target', async () => {
    const reading = ['listMcpServerTools.is-served', 'listAgents.hides-other-organization'];
    const { report, settings } = await runOnEmpty([...reading, writing]);
    const { perhaps, ...sure } = planOf(judgedIn(report), settings);
    expect(sure).toMatchObject({ drives: 2, mcpServers: 0 });
    expect(perhaps).toMatchObject({ drives: 1, otherDrives: 1, mcpServers: 1 });
    expect(effectsIn(report)).toMatchObject({ drives: 4, mcpServers: 1 });
  });

  it('creates nothing if its checks only read', async () => {
    const { report } = await runOnEmpty([
      'listMcpServerTools.unknown-server',
      'listDrives.*-page',
      'listAgents.is-served',
    ]);
    expect(report.run.allowWrites).toBe(false);
    expect(effectsIn(report)).toMatchObject({ drives: 0, mcpServers: 0 });
  });

  it('adds no more than is planned for the readings of each operation on an empty target', async () => {
    const reading = operationsOf(loadDocument()).filter(({ isRead }) => isRead);
    for (const { operationId } of sampleOf(reading, 1)) {
      const { report, settings } = await runOnEmpty([`${operationId}.*`, writing]);
      const { perhaps, ...sure } = planOf(judgedIn(report), settings);
      const { drives, mcpServers } = effectsIn(report);
      const mostDrives = sure.drives + sure.otherDrives + perhaps.drives + perhaps.otherDrives;
      expect(drives, operationId).toBeLessThanOrEqual(mostDrives);
      const mostServers = sure.mcpServers + sure.otherMcpServers + perhaps.mcpServers;
      expect(mcpServers, operationId).toBeLessThanOrEqual(mostServers);
    }
  });

  it('reads an operation on an empty target that it may write to, if nothing has to be declared', async () => {
    const undeclared = checks.filter(({ id, needs }) => id.endsWith('.is-served') && needs.length === 0);
    const { report } = await runOnEmpty([...undeclared.map(({ id }) => id), writing]);
    const outcomes = judgedIn(report).map(({ id }) => report.checks.find((check) => check.id === id));
    expect(outcomes.filter((check) => check?.outcome !== 'passed')).toEqual([]);
  });
});

/** A check that writes: with it, others may write too. */
const writing = 'createDrive.is-served';

const emptySeed: Seed = {
  organizations: [
    { name: 'A', keys: ['key-a'] },
    { name: 'B', keys: ['key-b'] },
  ],
};

/** Runs those of some checks that need nothing but permission to write and a second key, on a target without data. */
async function runOnEmpty(patterns: string[]): Promise<{ report: Report; settings: Settings }> {
  const empty = await createMock({ seed: emptySeed });
  const settings = toSettings({ baseUrl: empty.url, apiKey: 'key-a', otherApiKey: 'key-b', allowWrites: true });
  const possible = selected(patterns).filter(({ needs }) => unmet(needs, settings).length === 0);
  const report = await run(
    settings,
    possible.map(({ id }) => id),
  );
  await empty.close();
  return { report, settings };
}

/** The checks that a run was to judge. */
function judgedIn(report: Report): RegisteredCheck[] {
  const skipped = new Set(report.checks.filter(({ outcome }) => outcome === 'skipped').map(({ id }) => id));
  return checks.filter(({ id }) => !skipped.has(id));
}

/** Three drives of 30 files each. */
const manyFiles: Seed = {
  organizations: [
    {
      name: 'A',
      keys: ['key-a'],
      drives: ['d1', 'd2', 'd3'].map((id) => ({
        id,
        name: id,
        createdAt: '2026-01-01T00:00:00Z',
        files: Array.from({ length: 30 }, (_, index) => ({
          id: `${id}-${index}`,
          path: `/f/${index}.txt`,
          modifiedAt: '2026-01-01T00:00:00Z',
          sizeBytes: 1,
          contentType: 'text/plain',
        })),
      })),
    },
  ],
};

const filesOf = (driveId: string, first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ driveId, id: `${driveId}-${first + index}` }));

describe('disposable files', () => {
  it.each([
    [1, 0, 'needs a disposable file, and none is left.'],
    [3, 1, 'needs 3 disposable files of one drive, and only 1 is left.'],
    [3, 2, 'needs 3 disposable files of one drive, and only 2 are left.'],
  ])('are missed in plain words: %i needed, %i left', (required, left, words) => {
    const hint = 'A run deletes them: restart the server or restore its data, or declare more of them.';
    expect(String(tooFew(required, left))).toBe(`The check ${words} ${hint}`);
  });

  it('that an earlier run deleted are counted, with what to do', async () => {
    const disposableFiles = [file('d1', 'gone-1'), file('d1', 'gone-2')];
    const settings = { ...without(), fixtures: { ...without().fixtures, disposableFiles } };
    const { checks: results } = await runSuite(settings, { tool: 'test', only: ['deleteDriveTree.is-served'] });
    expect(results.find(({ outcome }) => outcome === 'inconclusive')?.reason).toMatch(
      /^GET \S+\/gone-\d: status 404\. 2 of 2 disposable files do not exist\. A run deletes them: restart the server or restore/,
    );
  });

  const only = ['deleteDriveTree.*'];
  const skip = ['deleteDriveTree.foreign-resource'];

  async function leftOutWith(counts: readonly number[]): Promise<number> {
    const target = await createMock({ seed: manyFiles });
    const disposableFiles = counts.flatMap((count, index) => filesOf(`d${index + 1}`, 0, count));
    const fixtures = { files: filesOf('d1', 20, 2), disposableFiles };
    const running = { mock: target, baseUrl: target.url, close: () => target.close() };
    const { summary } = (await judgeRunning(running, only, { skip, declare: () => fixtures })).report;
    expect(summary).toMatchObject({ failed: 0, warned: 0, inconclusive: 0 });
    return summary['not-enabled'];
  }

  // The two files that are moved are in the first drive.
  const drivesWith = (counts: readonly number[]) =>
    counts.map((disposable, index) => ({ disposable, movable: index === 0 ? 2 : 0 }));

  const { ofOneDrive, ofAnother } = enoughDisposableFiles;
  const counts = [
    [[ofOneDrive, ofAnother]],
    [[ofOneDrive - 1, ofAnother]],
    [[ofOneDrive + 5]],
    [[9, 7, 6]],
    [[5, 5, 5]],
    [[4, 4, 4]],
    [[6, 6]],
    [[8, 6]],
    [[3, 3, 3]],
  ];
  it.runIf(isFull).each(sampleOf(counts, 1))(
    '%j per drive suffice for a whole run exactly when the doctor says so',
    async (counts) => {
      expect((await leftOutWith(counts)) === 0).toBe(isEnough(drivesWith(counts)));
    },
  );

  it('suffice in the numbers that the doctor names, but not with one less', () => {
    const areEnough = [ofOneDrive, ofOneDrive - 1].map((count) => isEnough(drivesWith([count, ofAnother])));
    expect(areEnough).toEqual([true, false]);
  });
});
