import { describe, expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.ts';
import { toObservedProfile, toProfileYaml } from '../../conformance/observe/observe.ts';
import { observers } from '../../conformance/observe/table.ts';
import type { Report } from '../../conformance/report/report.ts';
import { planOf } from '../../conformance/run/plan.ts';
import { type RunOptions, runSuite } from '../../conformance/run/run.ts';
import type { Session } from '../../conformance/target/session.ts';
import { yaml } from '../../lib/yaml.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { legalProfiles } from '../../proof/power/legal-servers.ts';
import { takeSnapshot } from '../../proof/power/snapshot.ts';
import { isFull, sampleOf } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { observeMock, observeTarget, tool, withMock } from '../support/observed-mock.ts';

const folder = createFolder('observe');

const points = loadOpenPoints();
const profileOf = (id: string) => legalProfiles().find((server) => server.id === id)?.profile ?? {};

const secondOfAll = profileOf('second-of-all');

// Where directories have to exist, no tree can be planted, and less is seen.
const odd: { id: string; profile: Partial<Profile> }[] = [
  { id: 'the last choice of every open point', profile: profileOf('last-of-all') },
  {
    id: 'the last choices with lenient move targets',
    profile: {
      ...profileOf('last-of-all'),
      moveTargets: 'lenient',
      'successStatus.publishAgentRevision': 202,
      optionalFields: 'present',
    },
  },
  { id: 'the second choice of every open point', profile: secondOfAll },
];

const defaults = {};
const all = [{ id: 'the defaults', profile: defaults }, ...odd];

const runs = new Map<unknown, Promise<Report>>();

/** What a run of all checks says of a profile, once for each. */
function runOf(profile: Partial<Profile> | string): Promise<Report> {
  const run = runs.get(profile) ?? withMock({ profile }, ({ settings }) => runSuite(settings, { tool }));
  runs.set(profile, run);
  return run;
}

/** A run of all checks, and how many requests it sent after the last of them: to observe and to tidy up. */
function countingAfterChecks(options: Partial<RunOptions>): Promise<{ report: Report; requests: number }> {
  return withMock({}, async ({ settings }) => {
    let sent = () => 0;
    let atLastCheck = 0;
    const onStart = ({ target }: Session) => {
      sent = () => target.requests;
    };
    const onResult = () => {
      atLastCheck = sent();
    };
    const report = await runSuite(settings, { tool, onStart, onResult, ...options });
    return { report, requests: report.run.requests - atLastCheck };
  });
}

describe('a run of all checks', () => {
  it.each(sampleOf(all, 1))('observes the same as a session without checks: $id', async ({ profile }) => {
    const { observed, samples, run } = await runOf(profile);
    expect(run.suiteError).toBeUndefined();
    const alone = await observeMock({ profile });
    const isInBoth = ([point]: [string, unknown]) => point in observed && point in alone.observed;
    const inBoth = (all: Record<string, unknown>) => Object.fromEntries(Object.entries(all).filter(isInBoth));
    expect([inBoth(observed), inBoth(samples)]).toEqual([inBoth(alone.observed), inBoth(alone.samples)]);
    if (profile === defaults) expect(observed).toEqual(alone.observed);
    // In lists without an order, whether a drive is seen is a matter of chance.
    const everything = new Set([...Object.keys(observed), ...Object.keys(alone.observed)]);
    expect(everything.size - Object.keys(inBoth(observed)).length).toBeLessThanOrEqual(1);
  });

  // Counted after the last check: the checks send more or fewer, depending on how fast the target answers.
  it('sends at most 130 requests and leaves little behind for observing', async () => {
    const without = await countingAfterChecks({ observe: false });
    const with_ = await countingAfterChecks({});
    expect(without.report.observed).toEqual({});
    expect(with_.report.summary).toEqual(without.report.summary);
    expect(without.requests).toBeGreaterThan(0);
    expect(with_.requests - without.requests).toBeGreaterThan(0);
    expect(with_.requests - without.requests).toBeLessThanOrEqual(130);
    const { drives, mcpServers, deletions } = await withMock({}, async ({ settings }) => {
      return planOf(allChecks(), settings, observers).observing;
    });
    const left = with_.report.leftovers.length - without.report.leftovers.length;
    expect(left).toBeLessThanOrEqual(drives + mcpServers + deletions);
  });
});

describe('learned profile', () => {
  it.runIf(isFull).each(sampleOf(odd, 1))(
    'gives the same observations when a mock uses it: $id',
    async ({ profile }) => {
      const learned = await runOf(profile);
      const file = folder.write(`${learned.run.id}.yaml`, toProfileYaml(learned));
      const applied = await runOf(file);
      // What was not seen is used by default, and may be seen then.
      expect(applied.observed).toMatchObject(learned.observed);
      expect(Object.keys(learned.observed).length).toBeGreaterThanOrEqual(50);
    },
  );

  it('is written as YAML with a comment on each choice', async () => {
    const learned = await runOf(secondOfAll);
    const text = toProfileYaml(learned);
    expect(yaml().parse(text)).toEqual(toObservedProfile(learned));
    expect(toObservedProfile(learned)).toEqual(learned.observed);
    const blocks = text.trimEnd().split('\n\n');
    expect(blocks).toHaveLength(Object.keys(learned.observed).length + 2);
    expect(blocks.filter((block) => !/^# \S.*(\n|$)/.test(block))).toEqual([]);
    expect(text).toContain('# The success code for creating a drive. Here: OK.\nsuccessStatus.createDrive: 200\n');
    expect(blocks.at(-1)).toMatch(/^# Not seen.*\bsizeUnit\b/);
  });

  it('leaves out choices that a mock cannot use and notes them in a comment', () => {
    const run = { baseUrl: 'https://api.example.com/v0.1', startedAt: '2026-10-01T12:00:00.000Z' };
    const observed = {
      'successStatus.createDrive': 207,
      idFormat: 'other',
      treePathParameter: 'other',
      'successStatus.getDriveFile': 204,
      nobody: 'x',
    };
    const learned = { observed, samples: { idFormat: 'd.1~x: y' }, run };
    expect(toObservedProfile(learned)).toEqual({ 'successStatus.createDrive': 207, treePathParameter: 'other' });
    expect(yaml().parse(toProfileYaml(learned))).toEqual({
      'successStatus.createDrive': 207,
      treePathParameter: 'other',
    });
    expect(toProfileYaml(learned)).toContain('# idFormat: none of the choices that a mock can use: d.1~x: y\n');
  });
});

describe('observing a target', () => {
  it('deletes nothing without allowDestructive', async () => {
    await withMock(
      {},
      async ({ mock, settings }) => {
        const before = takeSnapshot(mock).files;
        const { session, observed } = await observeTarget(settings, tool);
        expect(takeSnapshot(mock).files).toEqual(before);
        expect(session.replies.filter(({ request }) => request.method === 'DELETE')).toEqual([]);
        const ofDeletions = points.filter(({ operations }) => operations.join() === 'deleteDriveTree');
        expect(ofDeletions.filter(({ id }) => observed[id] !== undefined)).toEqual([]);
      },
      { allowDestructive: false },
    );
  });
});
