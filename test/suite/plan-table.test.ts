import { describe, expect, it } from 'vitest';
import { allChecks, type RegisteredCheck } from '../../conformance/checks/index.ts';
import { type Config, type FileFixture, type Settings, toSettings } from '../../conformance/config/settings.ts';
import type { Effects } from '../../conformance/plan/demands.ts';
import { explain, listing } from '../../conformance/plan/explain.ts';
import { type NeedName, needs, settingsOf, unmet } from '../../conformance/plan/needs.ts';
import { settingsFor } from '../../conformance/plan/permissions.ts';
import { type Plan, planEffects, planOf } from '../../conformance/plan/plan.ts';
import { describeEffects, describeMoveLog, describePlan, restoreHint } from '../../conformance/plan/plan-text.ts';
import { suiteErrorOf } from '../support/suite-error-of.ts';

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
      ['nothing', 'if the target has too little data: create 1 MCP server'],
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

  it('keeps to the width of a page', () => {
    const texts = checks.map(({ id }) => explain(checks, id).split('\n\n').slice(1, 3).join('\n'));
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => !line.includes('openapi.yaml#'));
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
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
  const cases: Record<NeedName, { met: Partial<Config>[]; unmet: Partial<Config>[] }> = {
    writes: { met: [{ allowWrites: true }], unmet: [{}, { allowWrites: false }] },
    deletions: { met: [{ allowDestructive: true }], unmet: [{}, { allowWrites: true }] },
    treeParameter: { met: [{ openPoints: { treePathParameter: 'path' } }], unmet: [{}, { openPoints: {} }] },
    otherKey: { met: [{ otherApiKey: 'key-b' }], unmet: [{}] },
    agent: { met: [{ fixtures: { agent: { id: 'a', revisionId: 'r' } } }], unmet: [{}, { fixtures: {} }] },
    file: {
      met: [{ fixtures: { files: [one] } }, { fixtures: { disposableFiles: [one] } }],
      unmet: [{}, { fixtures: { files: [], disposableFiles: [] } }],
    },
    movableFile: {
      met: [{ fixtures: { files: [one] } }],
      unmet: [{}, { fixtures: { files: [], disposableFiles: [one] } }],
    },
    twoFilesOfOneDrive: {
      met: [{ fixtures: { files: [one, other] } }, { fixtures: { files: [one], disposableFiles: [far, other] } }],
      unmet: [
        {},
        { fixtures: { files: [one] } },
        { fixtures: { files: [one, far] } },
        { fixtures: { disposableFiles: [one, other] } },
      ],
    },
    filesOfTwoDrives: {
      met: [{ fixtures: { files: [one, far] } }, { fixtures: { files: [one], disposableFiles: [other, far] } }],
      unmet: [{}, { fixtures: { files: [one, other] } }, { fixtures: { files: [far] } }],
    },
    disposableFiles: {
      met: [{ fixtures: { disposableFiles: [one] } }],
      unmet: [{}, { fixtures: { files: [one], disposableFiles: [] } }],
    },
    disposableFilesOfTwoDrives: {
      met: [{ fixtures: { disposableFiles: [one, other, far] } }],
      unmet: [{}, { fixtures: { files: [one], disposableFiles: [far] } }],
    },
    mcpServer: { met: [{ fixtures: { mcpServer: { id: 's' } } }], unmet: [{}, { fixtures: {} }] },
    hostMcpServer: {
      met: [{ hostMcpServer: true }, { hostMcpUrl: 'http://suite.test/' }],
      unmet: [{}, { hostMcpServer: false }],
    },
  };

  it.each(Object.entries(cases))('%s is met by its setting, and by no other', (name, { met, unmet: others }) => {
    const need = name as NeedName;
    expect(met.map((config) => unmet([need], settingsWith(config)))).toEqual(met.map(() => []));
    expect(others.map((config) => unmet([need], settingsWith(config)))).toEqual(others.map(() => [need]));
  });

  it('of several checks is named once by its setting', () => {
    expect(settingsOf(['file', 'movableFile', 'writes', 'twoFilesOfOneDrive'])).toEqual([
      'fixtures.files',
      '--allow-writes',
    ]);
    expect(settingsOf([])).toEqual([]);
  });
});

const nothing = { drives: 0, mcpServers: 0, otherDrives: 0, otherMcpServers: 0, publications: 0, deletions: 0 };
const noPlan: Plan = {
  ...{ ...nothing, moves: 0, perhaps: nothing, disposableFiles: 0, observing: nothing, judging: 0, selected: 0 },
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
  const writing = settingsWith({ allowWrites: true });
  const rest = [
    'The API cannot undo creations, publications and deletions.',
    'A broken server may change more: the run also sends requests that a server must refuse.',
  ];

  it.each<[Partial<Plan>, string[]]>([
    [{}, ['This run changes nothing on a correct server.']],
    [{ drives: 1 }, ['This run will create 1 drive.']],
    [{ mcpServers: 2 }, ['This run will create 2 MCP servers.']],
    [{ drives: 2, mcpServers: 1 }, ['This run will create 2 drives and 1 MCP server.']],
    [{ otherDrives: 1 }, ['This run will create 1 drive in the second organization.']],
    [{ otherMcpServers: 3 }, ['This run will create 3 MCP servers in the second organization.']],
    [{ publications: 1 }, ['This run will publish 1 revision.']],
    [{ publications: 2, moves: 1 }, ['This run will', '  publish 2 revisions', '  move 1 file and move it back']],
    [{ moves: 2 }, ['This run will move 2 files and move them back.']],
    [
      { perhaps: { ...nothing, drives: 1, otherDrives: 1 } },
      [
        'This run changes nothing on a correct server.',
        'If the target has too little data, the run will also create 1 drive and 1 drive in the second organization.',
      ],
    ],
    [
      { drives: 1, observing: { ...nothing, mcpServers: 1, deletions: 1, publications: 5 } },
      [
        'This run will create 1 drive.',
        'To observe open points, the run may also create 1 MCP server and delete up to 1 disposable file.',
      ],
    ],
  ])('says what %j does', (effects, lines) => {
    expect(describePlan({ ...noPlan, ...effects }, writing)).toEqual([...lines, ...rest]);
  });

  it.each([
    [[file('d1', 'a'), file('d1', 'b')], 'the drive'],
    [[file('d1', 'a'), file('d2', 'b')], 'the 2 drives'],
  ])('names the files at risk where it deletes: %j', (disposableFiles, where) => {
    const settings = settingsWith({ allowWrites: true, fixtures: { disposableFiles } });
    expect(describePlan({ ...noPlan, deletions: 1, disposableFiles: 2 }, settings)).toEqual([
      'This run will delete up to 1 of 2 disposable files.',
      ...rest,
      `On a broken server, every file in ${where} named in disposableFiles is at risk.`,
    ]);
  });

  it('of a run that only reads says that', () => {
    expect(describePlan({ ...noPlan, drives: 3 }, settingsWith({}))).toEqual([
      'Read-only run. Negative tests use ids that do not exist.',
    ]);
  });

  it('of one check names no number of files that are there', () => {
    expect(describeEffects({ ...nothing, moves: 0, deletions: 2 })).toBe('delete up to 2 disposable files');
    expect(describeEffects({ ...nothing, moves: 0 })).toBe('');
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
  });

  it('is named where files are not back', () => {
    expect(restoreHint('m.jsonl')).toBe(
      'Some files may not be back. Move them back with npm run conformance -- restore m.jsonl',
    );
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

  it('has no deletion that the settings do not permit', () => {
    for (const left of ['allowDestructive', 'openPoints'] as const) {
      const { [left]: _, ...config } = all;
      const plan = planOf(checks, settingsWith(config), true);
      expect([plan.deletions, plan.observing.deletions], left).toEqual([0, 0]);
    }
  });

  it('has nothing in a second organization without its key', () => {
    const { otherApiKey: _, ...config } = all;
    const plan = planOf(checks, settingsWith(config));
    expect([plan, plan.perhaps]).toMatchObject(Array(2).fill({ otherDrives: 0, otherMcpServers: 0 }));
    expect(planOf(checks, settingsWith(all)).otherDrives).toBeGreaterThan(0);
  });

  it('observes only where it is asked to', () => {
    expect(planOf(checks, settingsWith(all)).observing).toEqual(nothing);
    expect(planOf(checks, settingsWith(all), true).observing).not.toEqual(nothing);
    expect(planOf(checks, settingsWith({ ...all, allowWrites: false }), true).observing).toEqual(nothing);
  });
});

describe('the permission to write', () => {
  const settings = settingsWith({ allowWrites: true, allowDestructive: true });
  const [reading = checks[0]] = checkNamed('listDrives.is-served');
  const changed = (effects: Effects) => [{ ...reading, effects } as RegisteredCheck];
  const mayWrite = (some: typeof checks, isObserving = false) => {
    const { allowWrites, allowDestructive } = settingsFor(some, settings, isObserving);
    expect(allowDestructive).toBe(allowWrites);
    return allowWrites;
  };

  it('is given up by a run whose checks only read', () => {
    expect(mayWrite(changed({}))).toBe(false);
    expect(mayWrite(changed({ perhaps: ['firstDrive'] }))).toBe(false);
    expect(mayWrite([])).toBe(false);
  });

  it('is kept for a check that changes something, whatever the others do', () => {
    const effects: Effects[] = [{ drives: 1 }, { mcpServers: 1 }, { deletions: 1 }, { moves: true }];
    for (const one of effects) expect(mayWrite([...changed({}), ...changed(one)]), JSON.stringify(one)).toBe(true);
    expect(mayWrite(checkNamed('createDrive.no-key'))).toBe(true);
    expect(mayWrite([{ ...reading, needs: ['writes'] } as RegisteredCheck])).toBe(true);
  });

  it('is kept by a run that observes', () => {
    expect(mayWrite(changed({}), true)).toBe(true);
  });
});
