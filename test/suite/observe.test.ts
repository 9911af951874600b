import { describe, expect, it } from 'vitest';
import { notSeen } from '../../conformance/observe/not-seen.ts';
import { observers } from '../../conformance/observe/table.ts';
import { defaultProfile, type Profile, withoutReferences } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { type Choice, type OpenPoint, withoutNeeds } from '../../openapi/points/open-point.ts';
import { legalProfiles } from '../../proof/power/legal-servers.ts';
import type { Call } from '../../src/engine/call.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Seed } from '../../src/index.ts';
import { hasJustRun, isFull, sampleOf } from '../support/depth.ts';
import { observeMock, observeTarget, seenWrongly, tool, withMock } from '../support/observed-mock.ts';

const points = withoutNeeds(loadOpenPoints());
const usual = defaultProfile(points);

/** All choices of a profile, as they are seen: nobody sees that a choice is left to another open point. */
const shown = (profile: Partial<Profile>): Record<string, Choice> => ({
  ...withoutReferences({ ...usual, ...profile }),
});

/** What a run over the demo seed cannot tell, and must not guess. */
const untold: Record<string, readonly Choice[]> = {
  // Whether the published revision is the newest one is not known.
  flagsAfterPublish: ['derived', 'changesCleared', 'changesKept'],
  // No file changes its status by itself.
  fileStatusFlow: ['byClock', 'still'],
  sizeUnit: ['bytes', 'kilobytes'],
  // An agent that does not exist may be missed before its body is judged.
  'requiredFields.publishAgentRevision': ['none'],
  // There may be a limit above the longest path that is tried.
  'pathForm.length': ['none'],
  // Only where they are refused.
  'errorStatus.unknownParameter': [400, 422, 402],
};

function told(profile: Readonly<Record<string, Choice>>): Record<string, Choice> {
  return Object.fromEntries(Object.entries(profile).filter(([id, choice]) => !untold[id]?.includes(choice)));
}

describe.skipIf(hasJustRun)('observers', () => {
  it('cover each open point or give a reason why not', () => {
    const ids = observers.map(({ openPoint }) => openPoint);
    const all = loadOpenPoints().map(({ id }) => id);
    expect([...ids, ...Object.keys(notSeen)].sort()).toEqual(all.sort());
    expect(Object.values(notSeen).filter((reason) => !/^[A-Z].{20,}\.$/.test(reason))).toEqual([]);
  });

  it('see the defaults of the mock', async () => {
    expect(await observeMock({})).toEqual({ observed: told(shown({})), samples: {} });
  });
});

const legal = legalProfiles();

describe('a single non-default choice', () => {
  const alone = legal.filter(({ profile, tools }) => Object.keys(profile).length === 1 && tools === undefined);

  it('is used by a server for each listed choice and one value of each range', () => {
    const countOf = ({ choices, range }: OpenPoint) => choices.length - (range === undefined ? 1 : 0);
    const counts = Map.groupBy(alone, ({ profile }) => Object.keys(profile)[0]);
    expect(Object.fromEntries(points.map(({ id }) => [id, counts.get(id)?.length]))).toEqual(
      Object.fromEntries(points.map((point) => [point.id, countOf(point)])),
    );
  });

  it.each(sampleOf(alone, 1))(
    'is observed unless listed as invisible, and changes no other observation: $id',
    async ({ profile }) => {
      const [id = ''] = Object.keys(profile);
      const seen = await observeMock({ profile });
      expect(seenWrongly(seen, shown(profile))).toEqual([]);
      expect(seen.observed[id]).toBe(told(shown(profile))[id]);
      expect(seen.samples).toEqual({});
    },
  );
});

describe('several non-default choices', () => {
  // Where creations, deletions or pages are refused, what they would show stays unseen.
  const fewest = points.length - 24;

  const mixed = legal.filter(({ profile }) => Object.keys(profile).length > 1);
  const [extremes, others] = [true, false].map((isExtreme) =>
    mixed.filter(({ id }) => ['second-of-all', 'last-of-all'].includes(id) === isExtreme),
  ) as [typeof mixed, typeof mixed];

  // Together, and with the defaults, the first two have nearly every choice.
  it.each([...extremes, ...(isFull ? sampleOf(others, 1) : [])])(
    'are observed correctly in $id',
    async ({ profile }) => {
      const seen = await observeMock({ profile });
      expect(seenWrongly(seen, shown(profile))).toEqual([]);
      expect(Object.keys(seen.observed).length).toBeGreaterThanOrEqual(fewest);
    },
  );

  it.each(sampleOf(mixed.slice(0, 12), 1))('are observed correctly in $id without writes', async ({ profile }) => {
    const seen = await observeMock({ profile }, { allowWrites: false });
    expect(seenWrongly(seen, shown(profile))).toEqual([]);
    expect(Object.keys(seen.observed).length).toBeGreaterThanOrEqual(20);
  });
});

describe('observing with special data', () => {
  const seedWith = (files: unknown[]): Seed =>
    ({
      organizations: [
        {
          ...{ name: 'Alder', keys: ['key-of-alder'] },
          agents: [
            {
              ...{ id: 'planner', name: 'Planner', createdAt: '2026-01-01T08:00:00Z', published: 2 },
              revisions: [
                { id: 'first', createdAt: '2026-01-01T08:00:00Z' },
                { id: 'second', createdAt: '2026-02-01T08:00:00Z' },
              ],
            },
          ],
          drives: [{ name: 'Plans', createdAt: '2026-01-01T08:00:00Z', files }],
        },
      ],
    }) as Seed;
  const file = { modifiedAt: '2026-01-01T08:00:00Z', sizeBytes: 1, contentType: 'text/plain' };

  it('sees derived flagsAfterPublish when an older revision of an unchanged agent is published', async () => {
    const fixtures = { agent: { id: 'planner', revisionId: 'first' } };
    const observedWith = async (flagsAfterPublish: Profile['flagsAfterPublish']) =>
      (await observeMock({ seed: seedWith([]), set: { flagsAfterPublish } }, { fixtures })).observed.flagsAfterPublish;
    expect(await observedWith('derived')).toBe('derived');
    for (const other of sampleOf(['changesCleared', 'changesKept'] as const, 1))
      expect(await observedWith(other)).toBeUndefined();
  });

  it('sees fileStatusFlow byClock when a file changes its status by itself', async () => {
    const files = ['/moved', '/also moved', '/scan'].map((path) => ({ ...file, path }));
    const observed = await withMock({ seed: seedWith(files) }, async ({ mock, settings }) => {
      readAsProcessingOnce(mock.engine, settings.fixtures.disposableFiles?.[0]?.id ?? '');
      return (await observeTarget(settings, tool)).observed;
    });
    expect(observed.fileStatusFlow).toBe('byClock');
  });
});

describe('observing limits of paths', () => {
  const lengthSeenOf = (isRefused: (path: string) => boolean) =>
    withMock({}, async ({ mock, settings }) => {
      refusePaths(mock.engine, isRefused);
      return (await observeTarget(settings, tool)).observed['pathForm.length'];
    });
  const segmentsOf = (path: string) => path.split('/').slice(1);

  const limits: [string, (path: string) => boolean, number | undefined][] = [
    ['length above what is tried', ({ length }) => length > 8_192, undefined],
    ['length', ({ length }) => length > 700, 700],
    ['depth', (path) => segmentsOf(path).length > 12, undefined],
    ['a name', (path) => segmentsOf(path).some(({ length }) => length > 90), undefined],
    ['length and depth', (path) => path.length > 4_096 || segmentsOf(path).length > 100, 4_096],
  ];
  it.each(sampleOf(limits, 1))('sees the length alone as that: a limit of %s', async (_, isRefused, seen) => {
    expect(await lengthSeenOf(isRefused)).toBe(seen);
  });
});

/** Moves to such a path are refused, as those to one that breaks the path rule. */
function refusePaths(engine: Engine, isRefused: (path: string) => boolean): void {
  const answer = engine.answer.bind(engine);
  engine.answer = (call) => {
    const { path = '' } = call.operationId === 'updateDriveFile' ? pathIn(call) : {};
    return isRefused(path) ? answer({ ...call, body: Buffer.from('{"path":"no path"}') }) : answer(call);
  };
}

function pathIn({ body }: Call): { path?: string } {
  try {
    return JSON.parse(Buffer.from(body ?? []).toString());
  } catch {
    return {};
  }
}

/** The first reading of a file shows it in processing, whatever the clock says. */
function readAsProcessingOnce(engine: Engine, fileId: string): void {
  const answer = engine.answer.bind(engine);
  let readings = 0;
  engine.answer = (call) => {
    const sound = answer(call);
    const isRead = call.operationId === 'getDriveFile' && call.pathParameters.fileId === fileId;
    if (!isRead || readings++ > 0) return sound;
    return { ...sound, body: JSON.stringify({ ...JSON.parse(sound.body ?? '{}'), status: 'processing' }) };
  };
}
