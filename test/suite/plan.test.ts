/** Compares the declared needs and effects of the checks with what they really need and change. */
import { describe, expect, it } from 'vitest';
import { allChecks, type RegisteredCheck } from '../../conformance/checks/index.ts';
import { type Settings, toSettings } from '../../conformance/config/settings.ts';
import { enoughDisposableFiles, isEnough } from '../../conformance/doctor/doctor-fixtures.ts';
import { unlocksOf } from '../../conformance/doctor/unlocks.ts';
import { unmet } from '../../conformance/plan/needs.ts';
import { planOf } from '../../conformance/plan/plan.ts';
import { describePlan } from '../../conformance/plan/plan-text.ts';
import { tooFew } from '../../conformance/probing/placed-files.ts';
import type { Report } from '../../conformance/report.ts';
import { runSuite } from '../../conformance/run.ts';
import { isMatch } from '../../conformance/selection.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { Seed } from '../../src/domain/seed.ts';
import { createMock } from '../../src/index.ts';
import { depth, sampleOf } from '../support/depth.ts';
import { createDemo } from '../support/whole-settings.ts';

const { mock, without } = await createDemo();
const checks = allChecks();

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

function expectPlanned(report: Report, chosen: readonly RegisteredCheck[], settings: Settings, what: string) {
  const [changed, planned] = [effectsIn(report), plannedFor(chosen, settings)];
  const takesRest = chosen.some(({ effects }) => effects.shared?.includes('parallelTrees'));
  const deletions = takesRest ? planned.deletions : changed.deletions;
  expect({ ...changed, deletions }, what).toEqual(planned);
  expect(changed.deletions, what).toBeGreaterThanOrEqual(planned.deletions - mostInLastTree);
  expect(changed.deletions, what).toBeLessThanOrEqual(planned.deletions);
}

function plannedFor(chosen: readonly RegisteredCheck[], settings: Settings) {
  const { drives, otherDrives, mcpServers, otherMcpServers, publications, deletions } = planOf(chosen, settings);
  return {
    drives: drives + otherDrives,
    mcpServers: mcpServers + otherMcpServers,
    publications,
    deletions,
    files: 0,
  };
}

const cases: [string, Settings][] = [
  ['every setting', without()],
  ['no permission to write', without('allowWrites')],
  ['no permission to delete', without('allowDestructive')],
  ['no name of the tree path parameter', without('openPoints')],
  ['no second key', without('otherApiKey')],
  ['no agent', without('agent')],
  ['no files', without('files')],
  ['no disposable files', without('disposableFiles')],
  ['no files at all', without('files', 'disposableFiles')],
  ['no MCP server', without('mcpServer')],
  [
    'only a key',
    without(
      'allowWrites',
      'allowDestructive',
      'otherApiKey',
      'openPoints',
      'agent',
      'files',
      'disposableFiles',
      'mcpServer',
    ),
  ],
];

describe.each(sampleOf(cases, 1))('a run with %s', (_, settings) => {
  it('judges a check if its needs are met, and names an unmet one otherwise', async () => {
    const report = await run(settings);
    const wrong = checks.flatMap(({ id, needs }) => {
      const result = report.checks.find((check) => check.id === id);
      const isJudged = ['passed', 'failed', 'warned'].includes(result?.outcome ?? 'missing');
      return isJudged === (unmet(needs, settings).length === 0) ? [] : [{ id, needs, result }];
    });
    expect(wrong).toEqual([]);
    for (const { id, outcome, setting } of report.checks) {
      const asked = unlocksOf(
        checks.filter((check) => check.id === id),
        settings,
      ).map((unlock) => unlock.setting);
      // Of what was given, it asks for more.
      const isAsked = asked.some((name) => setting?.endsWith(name));
      if (outcome === 'not-enabled') expect(isAsked, `${id}: ${setting} is one of ${asked}`).toBe(true);
    }
    expectPlanned(report, checks, settings, 'the whole run');
  });
});

describe('a plan', () => {
  it('matches what a run of each operation changes', async () => {
    for (const operation of sampleOf([...new Set(checks.map((check) => check.operation))], 3)) {
      mock.reset();
      const only = [`${operation}.*`];
      const settings = without();
      expectPlanned(await run(settings, only), selected(only), settings, operation);
    }
  });

  it('matches what each check changes on its own', async () => {
    const changing = checks.filter(({ effects }) => Object.keys(effects).some((name) => name !== 'perhaps'));
    expect(changing.length).toBeGreaterThan(150);
    for (const check of sampleOf(changing, 5)) {
      mock.reset();
      const settings = without();
      expectPlanned(await run(settings, [check.id]), [check], settings, check.id);
    }
  });

  it('allows for the changes made to observe open points', async () => {
    const { observing, ...sure } = planOf(checks, without(), true);
    const { leftovers } = await runSuite(without(), { tool: 'test' });
    const count = (kind: string) => leftovers.filter((leftover) => leftover.kind === kind).length;
    for (const [kind, names] of [
      ['drive', ['drives', 'otherDrives']],
      ['mcpServer', ['mcpServers', 'otherMcpServers']],
      ['deletedFile', ['deletions']],
    ] as const) {
      const sum = (counts: typeof observing) => names.reduce((total, name) => total + counts[name], 0);
      expect(count(kind)).toBeGreaterThan(sum(sure) - (kind === 'deletedFile' ? mostInLastTree : 0));
      expect(count(kind)).toBeLessThanOrEqual(sum(sure) + sum(observing));
    }
    expect(planOf(checks, without('allowWrites'), true).observing).toMatchObject({
      drives: 0,
      mcpServers: 0,
      deletions: 0,
    });
    expect(planOf(checks, without('allowDestructive'), true).observing.deletions).toBe(0);
  });

  it('is described in plain sentences', () => {
    const words = (settings: Settings, only = ['*']) =>
      describePlan(planOf(selected(only), settings, only[0] === '*'), settings).join('\n');
    expect(words(without())).toMatch(
      /^This run will\n {2}create \d+ drives and \d+ MCP servers\n {2}create \d+ drives and \d+ MCP servers in the second organization\n {2}publish 1 revision\n {2}move 2 files and move them back\n {2}delete up to \d+ of 28 disposable files$/m,
    );
    expect(words(without())).toMatch(
      /^To observe open points, the run may also create \d+ drives and \d+ MCP servers and delete up to \d disposable files?\.$/m,
    );
    expect(words(without())).toMatch(/The API cannot undo creations/);
    expect(words(without())).toMatch(/every file in the 4 drives named in disposableFiles is at risk/);
    expect(words(without('allowDestructive'))).not.toMatch(/delete up to|at risk/);
    expect(words(without('allowWrites'))).toBe('Read-only run. Negative tests use ids that do not exist.');
    expect(words(without(), ['getDriveFile.*'])).toMatch(/^This run changes nothing on a correct server\./);
  });

  it('counts resources that a run may add to an empty target', async () => {
    const reading = ['listMcpServerTools.is-served', 'listAgents.hides-other-organization'];
    const { report, settings } = await runOnEmpty([...reading, writing]);
    const { perhaps, ...sure } = planOf(judgedIn(report), settings);
    expect(sure).toMatchObject({ drives: 2, mcpServers: 0 });
    expect(perhaps).toMatchObject({ drives: 1, otherDrives: 1, mcpServers: 1 });
    expect(effectsIn(report)).toMatchObject({ drives: 4, mcpServers: 1 });
  });

  it('counts nothing for checks that only read, which create nothing', async () => {
    const { report } = await runOnEmpty([
      'listMcpServerTools.unknown-server',
      'listDrives.*-page',
      'listAgents.is-served',
    ]);
    expect(report.run.allowWrites).toBe(false);
    expect(effectsIn(report)).toMatchObject({ drives: 0, mcpServers: 0 });
  });

  it('counts at least what the readings of each operation add to an empty target', async () => {
    const reading = operationsOf(loadDocument()).filter(({ isRead }) => isRead);
    for (const { operationId } of reading) {
      const { report, settings } = await runOnEmpty([`${operationId}.*`, writing]);
      const { perhaps, ...sure } = planOf(judgedIn(report), settings);
      const { drives, mcpServers } = effectsIn(report);
      const mostDrives = sure.drives + sure.otherDrives + perhaps.drives + perhaps.otherDrives;
      expect(drives, operationId).toBeLessThanOrEqual(mostDrives);
      const mostServers = sure.mcpServers + sure.otherMcpServers + perhaps.mcpServers;
      expect(mcpServers, operationId).toBeLessThanOrEqual(mostServers);
    }
  });

  it('lets an operation be read on an empty target that a run may write to, if nothing has to be declared', async () => {
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

  const only = ['deleteDriveTree.*'];
  const skip = ['deleteDriveTree.foreign-resource'];

  async function leftOutWith(counts: readonly number[]): Promise<number> {
    const target = await createMock({ seed: manyFiles });
    const [files, ...disposable] = [
      filesOf('d1', 20, 2),
      ...counts.map((count, index) => filesOf(`d${index + 1}`, 0, count)),
    ];
    const config = {
      baseUrl: target.url,
      apiKey: 'key-a',
      allowWrites: true,
      allowDestructive: true,
      fixtures: { files: files ?? [], disposableFiles: disposable.flat() },
      openPoints: { treePathParameter: 'path' },
    };
    const { summary } = await runSuite(toSettings(config), { tool: 'test', only, skip });
    await target.close();
    expect({ failed: summary.failed, warned: summary.warned }).toEqual({ failed: 0, warned: 0 });
    expect(summary.inconclusive).toBe(0);
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
  it.each(sampleOf(counts, 1))(
    '%j per drive suffice for a whole run exactly when the doctor says so',
    async (counts) => {
      expect((await leftOutWith(counts)) === 0).toBe(isEnough(drivesWith(counts)));
    },
  );

  it('suffice in the numbers that the doctor names, but not with one less', () => {
    const areEnough = [ofOneDrive, ofOneDrive - 1].map((count) => isEnough(drivesWith([count, ofAnother])));
    expect(areEnough).toEqual([true, false]);
  });

  it('deleted by earlier runs leave checks inconclusive, not failed', async () => {
    const settings = without();
    const first = await run(settings);
    expect(first.verdict).toBe('conformant');
    for (let again = 0; again < depth(1, 3); again++) {
      const { summary, verdict } = await run(settings);
      expect({ verdict, failed: summary.failed, warned: summary.warned }).toEqual({
        verdict: 'inconclusive',
        failed: 0,
        warned: 0,
      });
    }
  });
});
