import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/index.ts';
import { useControlled } from '../support/control.ts';
import { depth, randomSeed } from '../support/depth.ts';

// A change of the settings is made as a whole, or not at all.

const controlled = useControlled();
// Some without an id, which are given one; seldom an id twice.
const anyIds = fc.shuffledSubarray(['fault-1', 'fault-2', 'fault-3', 'fault-1', undefined, undefined, undefined]);
const anyFaults = anyIds.map((ids) =>
  ids.map((id, index): Fault => ({ ...(id && { id }), effect: { status: { code: 500 + index } } })),
);

const namedTwice = (faults: readonly Fault[]) => {
  const ids = faults.flatMap(({ id = [] }) => id);
  return new Set(ids).size < ids.length;
};

describe('the faults of a change of settings', () => {
  it('get ids that no other one names, or are refused with the whole change', async () => {
    const { control } = controlled();
    const settings = async () => (await control('GET', '/settings')).body;
    await fc.assert(
      fc.asyncProperty(
        anyFaults,
        fc.nat(20),
        fc.constantFrom('', '?organization=org-a'),
        async (faults, delayMs, scope) => {
          const before = await settings();
          const json = { faults, latency: { delayMs }, profile: { errorBody: 'list' } };
          const { status } = await control('PATCH', `/settings${scope}`, { json });
          if (status !== 200) {
            expect([409, 422]).toContain(status);
            expect(await settings()).toEqual(before);
            return;
          }
          expect(namedTwice(faults)).toBe(false);
          const made: Fault[] = (await control('GET', `/settings${scope}`)).body.faults;
          expect(made.map(({ effect }) => effect)).toEqual(faults.map(({ effect }) => effect));
          expect(made.map(({ id }, index) => faults[index]?.id ?? id)).toEqual(made.map(({ id }) => id));
          expect(namedTwice(made)).toBe(false);
        },
      ),
      { seed: randomSeed, numRuns: depth(60, 1_000) },
    );
  });
});
