import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/domain/random.ts';
import { confidenceFrom } from '../../src/vary/confidence.ts';
import { type Choices, Ledger, type RunTests, SearchEnded, type Tally } from '../../src/vary/ledger.ts';
import { type Cause, type DrawnProfile, type SearchResult, search } from '../../src/vary/search.ts';
import { smallestRed } from '../../src/vary/smallest-red.ts';
import { depth } from '../support/depth.ts';

// The search, with tests that are made up: which choices turn them red is known, so what must be found is, too.

const points = Array.from({ length: 24 }, (_, index) => `p${index}`);

/** Choices that together turn the tests red; `any` stands for every choice that is not that of the base. */
type Planted = Readonly<Record<string, number | 'any'>>;

const isPresent = (planted: Planted, choices: Choices) =>
  Object.entries(planted).every(([id, choice]) => choices[id] === choice || (choice === 'any' && id in choices));

/** Tests that a planted cause turns red, and that fail for no reason in a share of their runs. */
function tests(planted: readonly Planted[], flakyShare = 0, randomSeed = 0): RunTests {
  const random = createRandom(String(randomSeed));
  return async (choices) => ({
    isRed: planted.some((cause) => isPresent(cause, choices)) || random.uint32() / 2 ** 32 < flakyShare,
    ...seen,
  });
}

async function searchIn(
  runTests: RunTests,
  variants: readonly DrawnProfile[],
  options: { maxRuns?: number; parallel?: number } = {},
) {
  const ledger = new Ledger(runTests, { maxRuns: options.maxRuns ?? 20_000, parallel: options.parallel ?? 1 });
  const result = await search(ledger, variants, { baseRepeat: 12, repeat: undefined });
  return { result, ledger };
}

const idsOf = (choices: object) => Object.keys(choices).sort().join(' ');
const foundIn = ({ causes }: SearchResult) => causes.map(({ choices }) => idsOf(choices)).sort();
const usedBy = (planted: readonly Planted[], variants: readonly DrawnProfile[]) =>
  planted
    .filter((cause) => variants.some(({ choices }) => isPresent(cause, choices)))
    .map(idsOf)
    .sort();
const variantOf = (choices: Choices, index = 0): DrawnProfile => ({ name: `variant ${index}`, choices });

/** Causes of one choice, of two and of three, that share no open point. */
const anyPlanted: fc.Arbitrary<Planted[]> = fc
  .tuple(
    fc.shuffledSubarray(points, { minLength: points.length }),
    fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 5 }),
    fc.infiniteStream(fc.constantFrom<'any' | 1 | 2>('any', 'any', 1, 2)),
  )
  .map(([ids, sizes, choices]) => {
    const left = [...ids];
    return sizes.map((size) => Object.fromEntries(left.splice(0, size).map((id) => [id, choices.next().value])));
  });

const anyVariants: fc.Arbitrary<DrawnProfile[]> = fc
  .array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: points.length, maxLength: points.length }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((rows) =>
    rows.map((row, index) =>
      variantOf(
        Object.fromEntries(row.flatMap((choice, at) => (choice === 0 ? [] : [[points[at] ?? '', choice]]))),
        index,
      ),
    ),
  );

describe('search', () => {
  it('finds exactly the planted causes that some profile uses, each alone, and runs no passing set again', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlanted, anyVariants, fc.integer({ min: 1, max: 4 }), async (planted, variants, parallel) => {
        const { result, ledger } = await searchIn(tests(planted), variants, { parallel });
        expect(foundIn(result)).toEqual(usedBy(planted, variants));
        expect(result.variants.map(({ outcome }) => outcome)).toEqual(variants.map(() => 'green'));
        const again = ledger.tallies.filter(({ choices, runs, red }) => runs > 1 && red === 0 && idsOf(choices) !== '');
        expect(again).toEqual([]);
      }),
    );
  });

  // Seeded, as chance decides: the estimate is below 1e-6 for each cause that is named.
  it('reports no wrong cause and no red or unfinished profile, even with flaky tests', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyPlanted,
        anyVariants,
        fc.double({ min: 0, max: 0.35, noNaN: true }),
        fc.nat(),
        async (planted, variants, flakyShare, randomSeed) => {
          const { result } = await searchIn(tests(planted, flakyShare, randomSeed), variants);
          expect(foundIn(result)).toEqual(usedBy(planted, variants));
          expect(result.variants.filter(({ outcome }) => outcome === 'red' || outcome === 'unfinished')).toEqual([]);
        },
      ),
      { seed: 20_261_121, numRuns: depth(200, 600) },
    );
  });

  it('takes 4 runs without dependencies and fewer than 100 for four causes', async () => {
    const variants = [variantOf(Object.fromEntries(points.map((id) => [id, 1])))];
    const free = await searchIn(tests([]), variants);
    expect(free.ledger.runs).toBe(4);
    const four = await searchIn(tests([{ p1: 'any' }, { p9: 1 }, { p17: 'any' }, { p18: 1 }]), variants);
    expect(foundIn(four.result)).toEqual(['p1', 'p17', 'p18', 'p9']);
    expect(four.ledger.runs).toBeLessThan(100);
  });

  // Runs of the search without those that confirm: all of a profile, twice a bisection, and each choice of a cause.
  const mostRuns = (profiles: number, sizes: readonly number[]) => {
    const steps = Math.ceil(Math.log2(points.length)) + 1;
    const perCause = sizes.map((size) => 2 * steps + (size === 1 ? 0 : size * (steps + 4)) + 2);
    return 3 + 2 * profiles + perCause.reduce((sum, one) => sum + one, 0);
  };

  it('names a suspect as soon as it is isolated, and later the confirmed cause', async () => {
    const ledger = new Ledger(tests([{ p3: 'any' }]), { maxRuns: 100, parallel: 1 });
    const told: string[] = [];
    const tell = (what: string) => (cause?: Cause) => {
      told.push(`${what} ${Object.keys(cause?.choices ?? {})} after ${ledger.runs} runs`);
    };
    const events = { onBase: tell('base'), onSuspect: tell('suspect'), onCause: tell('cause') };
    const all = Object.fromEntries(points.map((id) => [id, 1]));
    await search(ledger, [variantOf(all)], { baseRepeat: 3, repeat: undefined, ...events });
    expect(told).toEqual(['base  after 3 runs', 'suspect p3 after 8 runs', 'cause p3 after 21 runs']);
  });

  it('takes no more runs than twice the bisections that the causes need', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlanted, anyVariants, async (planted, variants) => {
        const ledger = new Ledger(tests(planted), { maxRuns: 20_000, parallel: 1 });
        const { causes } = await search(ledger, variants, { baseRepeat: 3, repeat: 1 });
        const sizes = causes.map(({ choices }) => Object.keys(choices).length);
        expect(ledger.runs).toBeLessThanOrEqual(mostRuns(variants.length, sizes));
      }),
    );
  });

  it('names a choice of drawn profiles alone where it was found first together with another', async () => {
    const variants = [variantOf({ p1: 1, p2: 1 }), variantOf({ p1: 2, p2: 1 }, 1), variantOf({ p1: 2 }, 2)];
    const ledger = new Ledger(tests([{ p1: 1, p2: 1 }, { p1: 2 }]), { maxRuns: 1_000, parallel: 1 });
    const draw = () => variants.splice(0, 1);
    const result = await search(ledger, [], { baseRepeat: 3, repeat: undefined, draw });
    expect(result.causes.map(({ choices }) => choices)).toEqual([{ p1: 2 }]);
    expect(result.variants.map(({ outcome }) => outcome)).toEqual(['green', 'green', 'green']);
  });

  it('finds a cause of two choices and removes it only from profiles that use both', async () => {
    const variants = [
      variantOf({ p1: 1, p2: 1, p3: 1 }),
      variantOf({ p1: 1, p3: 1 }, 1),
      variantOf({ p1: 2, p4: 2 }, 2),
    ];
    const { result } = await searchIn(tests([{ p1: 1, p2: 'any' }, { p1: 2 }]), variants);
    expect(result.causes.map(({ choices }) => choices)).toEqual([{ p1: 1, p2: 1 }, { p1: 2 }]);
    expect(result.variants.map(({ remaining }) => remaining)).toEqual([{ p3: 1 }, { p1: 1, p3: 1 }, { p4: 2 }]);
  });

  it('tries no profile when the base is red in all its repeated runs', async () => {
    const { result, ledger } = await searchIn(async () => red, [variantOf({ p1: 1 })]);
    expect([result.isBaseGreen, result.variants, ledger.runs]).toEqual([false, [], 12]);
  });

  it('continues when the base is red only once', async () => {
    let runs = 0;
    const { result, ledger } = await searchIn(async () => (++runs === 2 ? red : green), [variantOf({ p1: 1 })]);
    expect(result).toMatchObject({ isBaseGreen: true, causes: [], variants: [{ outcome: 'green' }] });
    expect(ledger.of({})).toMatchObject({ runs: 3, red: 1 });
  });

  it('calls a profile flaky when its runs are red and green, and names no cause', async () => {
    let runs = 0;
    const runTests: RunTests = async (choices) => ('p1' in choices && ++runs % 3 !== 0 ? red : green);
    const { result } = await searchIn(runTests, [variantOf({ p1: 1, p2: 1 })]);
    expect(result).toMatchObject({ causes: [], variants: [{ outcome: 'flaky' }] });
  });

  it('ends at maxRuns and marks unfinished profiles', async () => {
    const variants = [variantOf({ p1: 1 }), variantOf({ p2: 1 }, 1), variantOf({ p3: 1 }, 2)];
    const { result, ledger } = await searchIn(tests([{ p2: 'any' }]), variants, { maxRuns: 8 });
    expect(ledger.runs).toBe(8);
    expect(result).toMatchObject({
      endedBy: 'maxRuns',
      causes: [],
      variants: [{ outcome: 'green' }, { outcome: 'unfinished' }, { outcome: 'green' }],
    });
    expect(ledger.of({ p2: 1 })).toMatchObject({ runs: 3, red: 3 });
  });

  it('keeps the causes found so far when stopped', async () => {
    let runs = 0;
    const runTests: RunTests = async (choices) => {
      if (choices.p2 !== undefined && ++runs > 1) throw new SearchEnded('stopped');
      return tests([{ p1: 'any' }, { p2: 'any' }])(choices);
    };
    const { result } = await searchIn(runTests, [variantOf({ p1: 1 }), variantOf({ p2: 1 }, 1)]);
    expect(foundIn(result)).toEqual(['p1']);
    expect(result).toMatchObject({ endedBy: 'stopped', variants: [{ outcome: 'green' }, { outcome: 'unfinished' }] });
  });

  it('rethrows errors that are not verdicts', async () => {
    const runTests: RunTests = async () => Promise.reject(new Error('no such program'));
    await expect(searchIn(runTests, [variantOf({ p1: 1 })])).rejects.toThrow('no such program');
  });

  /** The most runs at the same time. */
  async function mostAtOnce(planted: readonly Planted[], variants: readonly DrawnProfile[], parallel: number) {
    const judge = tests(planted);
    let [current, most] = [0, 0];
    const runTests: RunTests = async (choices) => {
      most = Math.max(most, ++current);
      await Promise.resolve();
      current--;
      return judge(choices);
    };
    await searchIn(runTests, variants, { parallel });
    return most;
  }

  it('never has more parallel runs than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlanted, anyVariants, fc.integer({ min: 1, max: 4 }), async (planted, variants, parallel) => {
        expect(await mostAtOnce(planted, variants, parallel)).toBeLessThanOrEqual(parallel);
      }),
      { numRuns: 30 },
    );
  });

  it.each([1, 2, 5, 8])('uses all of %i parallel runs while there are as many profiles', async (parallel) => {
    const variants = Array.from({ length: 8 }, (_, index) => variantOf({ [`p${index}`]: 1 }, index));
    expect(await mostAtOnce([], variants, parallel)).toBe(parallel);
  });
});

const seen = { durationMs: 1, ending: '', output: '', requests: 1, unauthorized: 0, met: [] };
const green = { isRed: false, ...seen };
const red = { isRed: true, ...seen };

describe('smallestRed', () => {
  const anyWidth = fc.integer({ min: 1, max: 4 });

  it('finds a minimal red set, even when more choices turn red into green', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 40 }), fc.func(fc.boolean()), anyWidth, async (size, opinion, width) => {
        const all = Array.from({ length: size + 1 }, (_, index) => index);
        const isRed = (set: readonly number[]) => set.length === all.length || (set.length > 0 && opinion(set.join()));
        const found = await smallestRed(all, {
          width,
          firstRed: async (candidates) => {
            const index = candidates.findIndex(isRed);
            return index < 0 ? undefined : index;
          },
          isRed: async (set) => isRed(set),
          isStillRed: async (set) => isRed(set),
        });
        expect(isRed(found ?? [])).toBe(true);
        const smaller = found?.map((item) => found.filter((other) => other !== item)) ?? [];
        expect(smaller.filter((set) => set.length > 0 && isRed(set))).toEqual([]);
      }),
    );
  });

  it('returns undefined when a red set is no longer red', async () => {
    const never = async () => false;
    const trials = { width: 1, firstRed: async () => undefined, isRed: never, isStillRed: never };
    expect(await smallestRed([1, 2, 3], trials)).toBeUndefined();
  });
});

describe('confidence', () => {
  const tally = (runs: number, reds: number): Tally => ({
    ...{ choices: {}, purpose: '', runs, red: reds, latestRed: undefined, met: new Set<string>() },
  });

  it.each([
    [0.1, 7],
    [0.2, 10],
    [0.3, 13],
  ])('keeps the chance of a wrong cause below 1e-6 when a share of %d of the runs fails', (share, least) => {
    const { toConfirm } = confidenceFrom([tally(1000, 1000 * share)], undefined);
    expect(toConfirm).toBeGreaterThanOrEqual(least);
    expect(share ** toConfirm).toBeLessThan(1e-6);
  });

  it('asks for most runs while little is known, and for fewer on request only without flakiness', () => {
    const counts = [3, 10, 40].map((runs) => confidenceFrom([tally(runs, 0)], undefined).toConfirm);
    expect(counts).toEqual([...new Set(counts)].toSorted((a, b) => b - a));
    expect(confidenceFrom([tally(3, 0)], 1)).toMatchObject({ perStep: 1, toConfirm: 1 });
    expect(confidenceFrom([tally(4, 1)], 1).toConfirm).toBeGreaterThan(10);
  });

  // So many green runs, and then so many red ones in a row, where there is no cause.
  it('keeps the chance of a wrong cause below 1e-6 after few green runs when up to 30 % of the runs fail', () => {
    for (const greenRuns of [3, 5, 10, 20, 50]) {
      const { toConfirm } = confidenceFrom([tally(greenRuns, 0)], undefined);
      const chances = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3].map((share) => (1 - share) ** greenRuns * share ** toConfirm);
      expect(Math.max(...chances)).toBeLessThan(1e-6);
    }
  });
});
