import { execFileSync } from 'node:child_process';
import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Schemas } from '../../openapi/contract/schemas.ts';
import type { FaultMatch } from '../../src/app/faults/fault.ts';
import { Faults } from '../../src/app/faults/faults.ts';
import { HeldCalls } from '../../src/app/faults/held-calls.ts';
import { loadFaultSchemas, parseFault } from '../../src/app/faults/parse-fault.ts';
import { statusProblem } from '../../src/app/status-problem.ts';
import { type Fault, FaultError, type FaultPatch, type OperationId } from '../../src/index.ts';
import { timeLimit } from '../support/time-limit.ts';

const operations: OperationId[] = ['listDrives', 'createDrive', 'listAgents'];
const organizations = ['north', 'south'];
const reset: Fault['effect'] = { connectionReset: {} };

type Call = [operation: OperationId, organization: string];
const call = fc.tuple(fc.constantFrom(...operations), fc.constantFrom(...organizations));

describe('the selection of faults', () => {
  /** A call, or the off-switch of the fault with this number. */
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ call }) },
    { weight: 1, arbitrary: fc.record({ toggled: fc.nat(4) }) },
  );
  const counted = fc.record(
    {
      organizationId: fc.constantFrom(...organizations),
      operations: fc.uniqueArray(fc.constantFrom(...operations), { minLength: 1 }),
      isEnabled: fc.boolean(),
      effect: fc.oneof(
        fc.integer({ min: 400, max: 599 }).map((code) => ({ status: { code } })),
        fc.integer({ min: 1, max: 9 }).map((delayMs) => ({ latency: { delayMs } })),
      ),
      moment: fc.constantFrom('before' as const, 'after' as const),
      when: fc.oneof(
        fc.integer({ min: 1, max: 4 }).map((next) => ({ next })),
        fc.integer({ min: 1, max: 4 }).map((every) => ({ every })),
      ),
    },
    { requiredKeys: ['effect'] },
  );

  /** The plain rule, over a whole history: what strikes each call, and the counts in the end. */
  function carryOut(faults: readonly Fault[], steps: readonly { call?: Call; toggled?: number }[]) {
    const state = faults.map((fault) => ({ fault, isOn: fault.isEnabled !== false, matched: 0, applied: 0 }));
    const strikes = steps.flatMap((one) => {
      const toggled = one.toggled === undefined ? undefined : state[one.toggled];
      if (toggled !== undefined) toggled.isOn = !toggled.isOn;
      const { call } = one;
      if (call === undefined) return [];
      const matching = state.filter(({ fault, isOn }) => isOn && isMeant(fault, call));
      for (const one of matching) one.matched++;
      const due = matching.filter(({ fault: { when }, matched, applied }) => {
        if (when === undefined) return true;
        return 'next' in when ? applied < when.next : 'every' in when && matched % when.every === 0;
      });
      const firstOther = due.find(({ fault }) => !('latency' in fault.effect));
      const striking = due.filter((one) => 'latency' in one.fault.effect || one === firstOther);
      for (const one of striking) one.applied++;
      return [striking.map((one) => `fault-${state.indexOf(one) + 1}`)];
    });
    return { strikes, counts: state.map(({ matched, applied }) => ({ matched, applied })) };
  }

  const isMeant = (fault: Fault, [operation, organization]: Call) =>
    [undefined, organization].includes(fault.organizationId) &&
    (fault.operations === undefined || fault.operations.includes(operation));

  it('adds up latencies and applies the first other fault that is due', () => {
    fc.assert(
      fc.property(fc.array(counted, { maxLength: 5 }), fc.array(step, { maxLength: 40 }), (list, steps) => {
        const faults = new Faults(1);
        for (const fault of list) faults.add(fault);
        const strikes = steps.flatMap((one) => {
          if ('call' in one) return [faults.strike(...one.call)];
          const toggled = faults.list()[one.toggled];
          if (toggled !== undefined) faults.replace(toggled.id, { isEnabled: !toggled.isEnabled });
          return [];
        });
        const expected = carryOut(list, steps);
        expect(strikes.map((strike) => strike?.faults ?? [])).toEqual(expected.strikes);
        expect(faults.list()).toMatchObject(expected.counts);
        for (const strike of strikes) expectEffects(faults, strike);
      }),
    );
  });

  /** What a strike says is what the faults that it names do. */
  function expectEffects(faults: Faults, strike: FaultMatch | undefined): void {
    const named = (strike?.faults ?? []).map((id) => faults.find(id));
    const delayAt = (moment: string) =>
      named.reduce((sum, fault) => {
        const latency = fault?.moment === moment && 'latency' in fault.effect ? fault.effect.latency : { delayMs: 0 };
        return sum + ('delayMs' in latency ? latency.delayMs : Number.NaN);
      }, 0);
    const other = named.find((fault) => fault !== undefined && !('latency' in fault.effect));
    expect(strike?.delayMs ?? { before: 0, after: 0 }).toEqual({ before: delayAt('before'), after: delayAt('after') });
    expect(strike?.spoiling).toEqual(other && { moment: other.moment, effect: other.effect });
  }

  it('restarts counting after a change of timing, not after other changes', () => {
    const faults = new Faults(1);
    const { id } = faults.add({ effect: reset, when: { next: 1 } });
    const strikes = (count: number) =>
      Array.from({ length: count }, () => faults.strike('listDrives', 'north') !== undefined);
    expect(strikes(2)).toEqual([true, false]);
    expect(faults.replace(id, { operations: ['listDrives'] })).toMatchObject({
      matched: 2,
      applied: 1,
      isUsedUp: true,
    });
    expect(strikes(1)).toEqual([false]);
    expect(faults.replace(id, { when: { next: 2 } })).toMatchObject({ matched: 0, applied: 0, isUsedUp: false });
    expect(strikes(3)).toEqual([true, true, false]);
    expect(faults.replace(id, { when: null })).toMatchObject({ matched: 0, applied: 0, isUsedUp: false });
    expect(strikes(2)).toEqual([true, true]);
  });
});

describe('random faults', () => {
  const flaky = (share: number, rest: Partial<Fault> = {}): Fault => ({ effect: reset, when: { share }, ...rest });
  const draws = (faults: Faults, id: string, calls: readonly Call[]) =>
    calls.map((one) => faults.strike(...one)?.faults.includes(id) ?? false);
  const times = (count: number, organization = 'north'): Call[] =>
    Array.from({ length: count }, () => ['listDrives', organization]);

  it('repeat their sequence with the same random seed and calls, and after a reset', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.integer(), fc.array(share, { maxLength: 4 }), fc.array(call), (randomSeed, shares, calls) => {
        const runIn = (faults: Faults) => {
          for (const one of shares) faults.add(flaky(one));
          faults.add({ effect: { latency: { fromMs: 5, toMs: 500 } } });
          return calls.map((one) => faults.strike(...one));
        };
        const [one, two] = [new Faults(randomSeed), new Faults(randomSeed)];
        const applied = runIn(one);
        expect(runIn(two)).toEqual(applied);
        one.clear();
        expect(runIn(one)).toEqual(applied);
      }),
    );
  });

  it('have a sequence of their own for each fault', () => {
    const latency = { fromMs: 0, toMs: 500_000 };
    const faults = new Faults(1);
    for (const id of ['one', 'two', undefined, undefined]) {
      faults.add({ ...(id === undefined ? {} : { id }), effect: { latency }, when: { share: 0.5 } });
    }
    const applied = times(64).map((one) => faults.strike(...one)?.faults ?? []);
    const sequences = faults.list().map(({ id }) => applied.map((ids) => ids.includes(id)).join());
    expect(new Set(sequences).size).toBe(4);
  });

  it('apply to about the given share of calls, to none for 0 and all for 1', () => {
    const struckOf = (share: number) => {
      const faults = new Faults(1);
      faults.add(flaky(share));
      return draws(faults, 'fault-1', times(2000)).filter(Boolean).length;
    };
    expect([struckOf(0), struckOf(1)]).toEqual([0, 2000]);
    expect(struckOf(0.25)).toBeGreaterThan(430);
    expect(struckOf(0.25)).toBeLessThan(570);
  });

  it('do not depend on other faults or organizations', () => {
    const alone = new Faults(1);
    const { id } = alone.add(flaky(0.5, { organizationId: 'north' }));
    const expected = draws(alone, id, times(50));
    const beside = new Faults(1);
    beside.add(flaky(0.5, { organizationId: 'south' }));
    beside.add(flaky(0.5, { organizationId: 'south' }));
    const own = beside.add(flaky(0.5, { organizationId: 'north' }));
    beside.add({ effect: { latency: { fromMs: 0, toMs: 9 } } });
    draws(beside, own.id, times(33, 'south'));
    expect(draws(beside, own.id, times(50))).toEqual(expected);
    beside.clear('north');
    expect(draws(beside, beside.add(flaky(0.5, { organizationId: 'north' })).id, times(50))).toEqual(expected);
  });

  it('draw every delay of a range, both ends included', () => {
    const faults = new Faults(1);
    faults.add({ effect: { latency: { fromMs: 10, toMs: 12 } } });
    const delays = times(200).map((one) => faults.strike(...one)?.delayMs.before);
    expect(new Set(delays)).toEqual(new Set([10, 11, 12]));
  });
});

describe('a valid fault', () => {
  const whole: Fault = {
    id: 'checkout',
    organizationId: 'north',
    operations: ['createDrive'],
    isEnabled: false,
    effect: { status: { code: 503, retryAfterSeconds: 2 } },
    moment: 'after',
    when: { share: 0.5 },
  };

  it('is listed with defaults and counts, with all fields or few', () => {
    const faults = new Faults(1);
    expect(faults.add(whole)).toEqual({ ...whole, matched: 0, applied: 0, isUsedUp: false });
    const defaults = { isEnabled: true, moment: 'after', matched: 0, applied: 0, isUsedUp: false };
    expect(faults.add({ effect: reset })).toEqual({ id: 'fault-1', effect: reset, ...defaults });
    expect(faults.list().map(({ id }) => id)).toEqual(['checkout', 'fault-1']);
    const validate = new Schemas({ components: { schemas: loadFaultSchemas() } }).at(
      '#/components/schemas/ListedFault',
    );
    expect(faults.list().flatMap(validate)).toEqual([]);
  });

  it('is copied when added and when listed', () => {
    const faults = new Faults(1);
    const operations: OperationId[] = ['createDrive'];
    faults.add({ operations, effect: reset });
    operations.push('listDrives');
    for (const listed of faults.list()) (listed.operations as OperationId[]).push('listAgents');
    expect(faults.list()[0]?.operations).toEqual(['createDrive']);
  });

  it('has a unique id', () => {
    const faults = new Faults(1);
    faults.add({ id: 'fault-2', effect: reset });
    expect(() => faults.add({ id: 'fault-2', effect: reset })).toThrow(
      expect.objectContaining({ code: 'FAULT_ID_TAKEN', message: expect.stringContaining('fault-2') }),
    );
    expect([faults.add({ effect: reset }).id, faults.add({ effect: reset }).id]).toEqual(['fault-1', 'fault-3']);
  });

  it('is changed in place, field by field, with null removing a field', () => {
    const faults = new Faults(1);
    faults.add(whole);
    faults.add({ effect: reset });
    const patch: FaultPatch = { organizationId: null, moment: null, effect: { latency: { delayMs: 3 } } };
    const { organizationId: _gone, ...rest } = whole;
    const changed = { ...rest, effect: patch.effect, moment: 'before', matched: 0, applied: 0, isUsedUp: false };
    expect(faults.replace('checkout', patch)).toEqual(changed);
    expect(faults.list()[0]).toEqual(changed);
  });

  it.each<[unknown, string]>([
    [{ efect: null, isEnabled: 1 }, 'isEnabled must be a boolean'],
    [{ isEnable: false }, 'isEnable is not a known field (did you mean isEnabled?)'],
    [{ id: 'other' }, 'id is checkout and cannot change'],
    [{ effect: null }, 'effect is required'],
    [{ effect: { truncatedBody: {} }, moment: 'before' }, 'moment cannot be before'],
    [[], 'The fault must be an object'],
    ['off', 'The fault must be an object'],
  ])('stays unchanged after an invalid change: %j', (patch, message) => {
    const faults = new Faults(1);
    const before = faults.add(whole);
    expect(() => faults.replace('checkout', patch as FaultPatch)).toThrow(message);
    expect(faults.list()).toEqual([before]);
  });

  it('can be removed, and is unknown afterwards', () => {
    const faults = new Faults(1);
    expect(faults.isEmpty).toBe(true);
    faults.add(whole);
    expect([faults.isEmpty, faults.find('checkout')?.id, faults.find('other')]).toEqual([false, 'checkout', undefined]);
    expect([faults.remove('other'), faults.remove('checkout'), faults.remove('checkout')]).toEqual([
      false,
      true,
      false,
    ]);
    expect(faults.isEmpty).toBe(true);
    expect(() => faults.replace('checkout', {})).toThrow(expect.objectContaining({ code: 'FAULT_UNKNOWN' }));
    expect(() => faults.replace('checkout', {})).toThrow(FaultError);
  });
});

describe('an invalid fault', () => {
  it.each<[unknown, string, string]>([
    [3, '', 'must be an object'],
    [{}, 'effect', 'is required'],
    [{ effect: reset, opperations: [] }, 'opperations', 'is not a known field (did you mean operations?)'],
    [{ effect: {} }, 'effect', 'must be exactly one of latency, status'],
    [{ effect: { ...reset, status: { code: 503 } } }, 'effect', 'must be exactly one of latency, status'],
    [{ effect: { latancy: {} } }, 'effect.latancy', 'did you mean latency?'],
    [{ effect: { latency: {} } }, 'effect.latency', 'must be either delayMs, or fromMs and toMs'],
    [{ effect: { latency: { delayMs: 1, fromMs: 1, toMs: 1 } } }, 'effect.latency', 'must be either delayMs, or'],
    [{ effect: { latency: { fromMs: 1 } } }, 'effect.latency.toMs', 'is required'],
    [{ effect: { latency: { fromMs: 2, toMs: 1 } } }, 'effect.latency.toMs', 'must be fromMs (2) or more'],
    [{ effect: { latency: { delayMs: 0.5 } } }, 'effect.latency.delayMs', 'must be an integer'],
    [{ effect: { latency: { delayMs: 600_001 } } }, 'effect.latency.delayMs', 'must be whole milliseconds'],
    [{ effect: { latency: { delay: 1 } } }, 'effect.latency.delay', 'did you mean delayMs?'],
    [{ effect: { status: {} } }, 'effect.status.code', 'is required'],
    [{ effect: { status: { code: 399 } } }, 'effect.status.code', 'must be a code from 400 to 599'],
    [{ effect: { status: { code: 600 } } }, 'effect.status.code', 'must be a code from 400 to 599'],
    [
      { effect: { status: { code: 429, retryAfter: 1 } } },
      'effect.status.retryAfter',
      'did you mean retryAfterSeconds?',
    ],
    [{ effect: { connectionReset: true } }, 'effect.connectionReset', 'must be an object'],
    [{ effect: { truncatedBody: { afterBytes: 3 } } }, 'effect.truncatedBody', 'has no settings; write {}'],
    [{ effect: { slowDribble: {} } }, 'effect.slowDribble.overMs', 'is required'],
    [{ effect: { wrongMediaType: { contentType: 'a/b\r\nX: y' } } }, 'effect.wrongMediaType.contentType', 'media type'],
    [{ effect: reset, moment: 'during' }, 'moment', 'must be one of before, after'],
    [{ effect: { truncatedBody: {} }, moment: 'before' }, 'moment', 'cannot be before: truncatedBody damages a'],
    [{ effect: { slowDribble: { overMs: 1 } }, moment: 'before' }, 'moment', 'cannot be before: slowDribble'],
    [{ effect: { wrongMediaType: {} }, moment: 'before' }, 'moment', 'cannot be before: wrongMediaType'],
    [{ effect: reset, when: {} }, 'when', 'must be exactly one of next, every and share'],
    [{ effect: reset, when: { next: 1, every: 2 } }, 'when', 'must be exactly one of next, every and share'],
    [{ effect: reset, when: { next: 0 } }, 'when.next', 'must be a whole number from 1'],
    [{ effect: reset, when: { every: -1 } }, 'when.every', 'must be a whole number from 1'],
    [{ effect: reset, when: { share: 1.1 } }, 'when.share', 'must be a number from 0 to 1'],
    [{ effect: reset, when: { shares: 1 } }, 'when.shares', 'did you mean share?'],
    [{ effect: reset, operations: [] }, 'operations', 'must name at least one operation'],
    [{ effect: reset, operations: ['createDrives'] }, 'operations.0', 'must be one of listAgents, publish'],
    [{ effect: reset, id: '../etc' }, 'id', 'must begin with a letter or digit'],
    [{ effect: reset, id: 'a,b' }, 'id', 'must begin with a letter or digit'],
    [{ effect: reset, organizationId: '' }, 'organizationId', 'must be the id of an organization'],
  ])('is refused: %j: %s %s', (value, location, message) => {
    const violations = parseFault(value);
    expect(violations).toEqual([
      expect.objectContaining({
        location: location.split('.').filter(Boolean),
        message: expect.stringContaining(message),
      }),
    ]);
    const faults = new Faults(1);
    expect(() => faults.add(value as Fault)).toThrow(expect.objectContaining({ code: 'FAULT_INVALID', violations }));
    expect(faults.isEmpty).toBe(true);
  });
});

describe('held calls', () => {
  afterEach(() => void vi.useRealTimers());
  const strike: FaultMatch = { organizationId: 'north', faults: ['slow'], delayMs: { before: 100, after: 0 } };

  it('resume after their delay, not before', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const held = new HeldCalls();
    const went: string[] = [];
    held.hold(strike, new Socket(), 0, () => went.push('at once'));
    held.hold(strike, new Socket(), 100, () => went.push('later'));
    vi.advanceTimersByTime(99);
    expect(went).toEqual(['at once']);
    vi.advanceTimersByTime(1);
    expect([went, held.count]).toEqual([['at once', 'later'], 0]);
  });

  it('do not keep the process alive', () => {
    const url = new URL('../../src/app/faults/held-calls.ts', import.meta.url);
    const script = `
      import { Socket } from 'node:net';
      import { HeldCalls } from ${JSON.stringify(url.href)};
      new HeldCalls().hold(${JSON.stringify(strike)}, new Socket(), 600000, () => undefined);
      console.log('held');
    `;
    const args = ['--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: timeLimit(60_000) })).toBe('held\n');
  });
});

it('titles a status with the HTTP reason phrase of Node', () => {
  for (let status = 400; status <= 599; status++)
    expect(statusProblem(status, 'x').title).toBe(STATUS_CODES[status] ?? `Status ${status}`);
});
