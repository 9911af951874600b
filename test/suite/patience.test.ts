import { describe, expect, it } from 'vitest';
import { Patience } from '../../conformance/safety/patience.ts';
import { byClock } from '../../conformance/target/clock.ts';
import { currentCheck } from '../../conformance/target/reply.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

const never = async () => false;

type Wait = readonly ['listed' | 'moved', number | 'never'];

/** How long each of some waits takes, in order, each in a check of its own: for a change that comes after so many looks, or never. */
async function waits(kinds: readonly Wait[], areTheTargets = true): Promise<number[]> {
  const clock = createWaitingClock();
  const patience = new Patience(5_000);
  const took: number[] = [];
  for (const [index, [kind, looks]] of kinds.entries()) {
    const before = clock.waitedMs();
    let count = 0;
    const look = looks === 'never' ? never : async () => ++count > looks;
    const wait = () => patience.settle(kind, look, (isThere) => isThere);
    await byClock(clock, () => currentCheck.run(`check-${index}`, wait));
    patience.conclude(`check-${index}`, areTheTargets);
    took.push(clock.waitedMs() - before);
  }
  return took;
}

describe('a change that does not come', () => {
  const [listed, moved] = [['listed', 'never'] as const, ['moved', 'never'] as const];
  const once = [0, 150] as const;
  const again = [4_500, 5_500] as const;

  it.each<[string, Wait[], areTheTargets: boolean, then: readonly [least: number, most: number]]>([
    ['is waited for once, and others of the kind hardly', [listed, listed, listed], true, once],
    ['is waited for again where it may not be the doing of the target', [listed, listed], false, again],
    ['says nothing of other kinds', [listed, moved], true, again],
    // After seven looks: 10 + 20 + 40 + 80 + 160 + 250 + 250 = 810 ms.
    ['leaves others twice the time of the latest that came', [['listed', 7], listed, listed], true, [1_500, 2_000]],
  ])('%s', async (_, kinds, areTheTargets, [least, most]) => {
    const took = await waits(kinds, areTheTargets);
    if (kinds[0]?.[1] === 7) expect(took[0]).toBe(810);
    else expect(took[0]).toBeGreaterThan(4_500);
    expect(took.at(-1)).toBeGreaterThan(least);
    expect(took.at(-1)).toBeLessThanOrEqual(most);
  });

  it('is waited for once within a check', async () => {
    const clock = createWaitingClock();
    const patience = new Patience(5_000);
    const wait = () => patience.settle('moved', never, (isThere) => isThere);
    await byClock(clock, () => currentCheck.run('check', async () => void [await wait(), await wait(), await wait()]));
    expect(clock.waitedMs()).toBeGreaterThan(4_500);
    expect(clock.waitedMs()).toBeLessThan(5_500);
  });
});

describe('a slow look', () => {
  it('that began before the time was up is followed by another one', async () => {
    const clock = createWaitingClock();
    const patience = new Patience(5_000);
    let looks = 0;
    const look = async () => {
      const isThere = clock.waitedMs() >= 2_000;
      if (++looks === 1) await clock.sleep(6_000);
      return isThere;
    };
    const settled = await byClock(clock, () => patience.settle('listed', look, (isThere) => isThere));
    expect(settled).toMatchObject({ seen: true, isThere: true });
    expect(looks).toBe(2);
  });
});

describe('the time for a change, in words', () => {
  it('is the time to settle, or a shorter one, with the reason', async () => {
    const patience = new Patience(5_000);
    const wait = (check: string) =>
      byClock(createWaitingClock(), () => currentCheck.run(check, () => patience.settle('listed', never, Boolean)));
    await wait('one');
    expect(patience.lastLimit('listed').plain).toBe('within 5000 ms (--settle)');
    patience.conclude('one', true);
    await wait('other');
    expect(patience.lastLimit('listed').plain).toBe(
      'within 30 ms, because another change did not become visible within 5000 ms (--settle)',
    );
    expect(patience.lastLimit('moved').plain).toBe('within 5000 ms (--settle)');
  });
});
