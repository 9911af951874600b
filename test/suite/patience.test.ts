import { describe, expect, it } from 'vitest';
import { Patience } from '../../conformance/patience.ts';
import { byClock } from '../../conformance/target/clock.ts';
import { currentCheck } from '../../conformance/target/crashes.ts';
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
  it('is waited for once, and others of the kind hardly', async () => {
    const [first = 0, ...others] = await waits([
      ['listed', 'never'],
      ['listed', 'never'],
      ['listed', 'never'],
    ]);
    expect(first).toBeGreaterThan(4_500);
    for (const took of others) expect(took).toBeLessThanOrEqual(150);
  });

  it('is waited for again where it may not be the doing of the target', async () => {
    const [, again = 0] = await waits(
      [
        ['listed', 'never'],
        ['listed', 'never'],
      ],
      false,
    );
    expect(again).toBeGreaterThan(4_500);
  });

  it('is waited for once within a check', async () => {
    const clock = createWaitingClock();
    const patience = new Patience(5_000);
    const wait = () => patience.settle('moved', never, (isThere) => isThere);
    await byClock(clock, () => currentCheck.run('check', async () => void [await wait(), await wait(), await wait()]));
    expect(clock.waitedMs()).toBeGreaterThan(4_500);
    expect(clock.waitedMs()).toBeLessThan(5_500);
  });

  it('says nothing of other kinds', async () => {
    const [, other = 0] = await waits([
      ['listed', 'never'],
      ['moved', 'never'],
    ]);
    expect(other).toBeGreaterThan(4_500);
  });

  it('leaves others twice the time of the latest that came', async () => {
    // After seven looks: 10 + 20 + 40 + 80 + 160 + 250 + 250 ms.
    const [late = 0, , then = 0] = await waits([
      ['listed', 7],
      ['listed', 'never'],
      ['listed', 'never'],
    ]);
    expect(late).toBe(810);
    expect(then).toBeGreaterThan(1_500);
    expect(then).toBeLessThan(2_000);
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
