import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMock, type Fault, type ListedFault } from '../../src/index.ts';
import { type Draft, errorsOf, newDraft, toDraft, toFault } from '../../src/ui/faults/draft.ts';
import { effectKinds, effectNames, effectWords } from '../../src/ui/faults/effects.ts';
import { presets } from '../../src/ui/faults/presets.ts';
import { callsWords } from '../../src/ui/faults/words.ts';
import { type EffectName, momentsOf } from '../../src/workbench/faults/effects.ts';
import { loadFaultSchemas, parseFault } from '../../src/workbench/faults/parse-fault.ts';
import { randomSeed } from '../support/depth.ts';

// The parts of the view Faults that need no page.

interface Schema {
  $ref?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  minimum?: number;
  maximum?: number;
  type?: string;
}

const schemas = loadFaultSchemas() as Record<string, Schema>;
const resolved = ({ $ref, ...own }: Schema): Schema =>
  $ref === undefined ? own : (schemas[$ref.split('/').at(-1) ?? ''] ?? {});
const effectSchemas = schemas.FaultEffect?.properties ?? {};

describe('the table of effects', () => {
  it('has all effects of the admin API', () => {
    expect(effectNames.toSorted()).toEqual(Object.keys(effectSchemas).sort());
  });

  it.each(effectNames)('has the settings, bounds and moments of %s', (name) => {
    const { properties = {}, required = [] } = resolved(effectSchemas[name] ?? {});
    const { settings, moments } = effectKinds[name];
    const shown = settings.map((setting) => [setting.name, setting.bounds, setting.isRequired ?? false]);
    const expected = Object.entries(properties)
      // The form makes one fixed delay of two equal bounds.
      .filter(([field]) => field !== 'delayMs')
      .map(([field, schema]) => {
        const { minimum, maximum } = resolved(schema);
        const isNeeded = required.includes(field) || name === 'latency';
        return [field, minimum === undefined ? undefined : [minimum, maximum], isNeeded];
      });
    expect(shown).toEqual(expected);
    expect(moments).toEqual(momentsOf(toFault(newDraft(name, '')).effect));
  });
});

const whole = (min: number, max: number) => fc.integer({ min, max });
const effect = fc.oneof(
  whole(0, 600_000).map((delayMs) => ({ latency: { delayMs } })),
  fc.tuple(whole(0, 600_000), whole(0, 600_000)).map(([one, two]) => {
    const [fromMs = 0, toMs = 0] = [one, two].sort((a, b) => a - b);
    return { latency: fromMs === toMs ? { delayMs: toMs } : { fromMs, toMs } };
  }),
  fc
    .record({ code: whole(400, 599), retryAfterSeconds: whole(0, 86_400) }, { requiredKeys: ['code'] })
    .map((status) => ({ status })),
  fc.constantFrom({ connectionReset: {} }, { emptyAnswer: {} }, { truncatedBody: {} }, { wrongMediaType: {} }),
  whole(0, 600_000).map((overMs) => ({ slowDribble: { overMs } })),
  fc.constantFrom('text/plain', 'text/html; charset=utf-8').map((contentType) => ({ wrongMediaType: { contentType } })),
);
const when = fc.oneof(
  whole(1, 1_000_000_000).map((next) => ({ next })),
  whole(1, 1_000_000_000).map((every) => ({ every })),
  whole(0, 1_000).map((share) => ({ share: share / 1_000 })),
);
const faults = fc
  .record(
    {
      effect,
      when,
      organizationId: fc.constantFrom('org-a'),
      operations: fc.subarray(['listDrives', 'createDrive', 'listAgents'], { minLength: 1 }),
      isEnabled: fc.constant(false),
      isLate: fc.boolean(),
    },
    { requiredKeys: ['effect', 'isLate'] },
  )
  .map(({ isLate, ...fault }) => {
    const [, other] = momentsOf(fault.effect as Fault['effect']);
    return { ...fault, ...(isLate && other !== undefined && { moment: other }) } as Fault;
  });

describe('the form', () => {
  it('gives back any fault as it was', async () => {
    const mock = await createMock();
    fc.assert(
      fc.property(faults, (fault) => {
        const { organizationId: _, ...anywhere } = fault;
        const listed = mock.faults.add(anywhere) as unknown as string | ListedFault;
        const id = typeof listed === 'string' ? listed : listed.id;
        const found = mock.faults.list().find((each) => each.id === id) as ListedFault;
        const shown = { ...found, ...(fault.organizationId && { organizationId: fault.organizationId }) };
        const draft = toDraft(shown);
        expect(errorsOf(draft)).toEqual({});
        expect(toFault(draft)).toEqual(fault);
        mock.faults.clear();
      }),
      { seed: randomSeed },
    );
    await mock.close();
  });

  it('sends only what the admin API accepts, whatever is typed', () => {
    const typed = fc.oneof(
      fc.constantFrom('', ' ', '0', '1', '500', '600', '1.5', '-1', '1e3', '0x10', '100.5', 'x'),
      fc.string(),
    );
    const drafts = fc
      .record({
        effect: fc.constantFrom(...effectNames),
        values: fc.array(typed, { minLength: 2, maxLength: 2 }),
        timing: fc.constantFrom('always', 'next', 'every', 'share'),
        count: typed,
        moment: fc.nat(1),
      })
      .map(({ effect: name, values, timing, count, moment }): Draft => {
        const settings = Object.fromEntries(
          effectKinds[name].settings.map((each, at) => [each.name, values[at] ?? '']),
        );
        const { moments } = effectKinds[name];
        return {
          ...newDraft(name, ''),
          settings,
          count,
          timing: timing as Draft['timing'],
          moment: moments[moment] ?? 'after',
        };
      });
    fc.assert(
      fc.property(drafts, (draft) => {
        const refused = parseFault(toFault(draft));
        const isMediaType = draft.effect === 'wrongMediaType';
        if (Object.keys(errorsOf(draft)).length === 0 && !isMediaType) expect(refused).not.toBeInstanceOf(Array);
      }),
      { seed: randomSeed, numRuns: 1_000 },
    );
  });

  it.each(presets.map((preset) => [preset.label, preset]))('offers %s as a fault that can be added', (_, { draft }) => {
    expect(errorsOf(draft(''))).toEqual({});
    expect(parseFault(toFault(draft('')))).not.toBeInstanceOf(Array);
  });

  it.each<[EffectName, Partial<Draft>, Record<string, string>]>([
    ['status', { settings: { code: '700' } }, { code: 'must be a whole number from 400 to 599' }],
    ['status', { settings: { code: ' ' } }, { code: 'is missing' }],
    ['latency', { settings: { fromMs: '20', toMs: '10' } }, { toMs: 'must be 20 or more' }],
    ['truncatedBody', { timing: 'next', count: '0' }, { count: 'must be a whole number from 1 to 1000000000' }],
    ['truncatedBody', { timing: 'share', count: '101' }, { count: 'must be a number from 0 to 100' }],
  ])('names what is wrong: %s %j', (name, change, errors) => {
    expect(errorsOf(newDraft(name, '', change))).toEqual(errors);
  });
});

describe('the words for a fault', () => {
  it.each<[Fault['effect'], Partial<Fault>, string, string]>([
    [{ latency: { delayMs: 2000 } }, {}, 'Delays by 2,000 ms', 'every call of any operation'],
    [
      { latency: { fromMs: 0, toMs: 10 } },
      { when: { every: 3 } },
      'Delays by 0 to 10 ms',
      'every 3rd call of any operation',
    ],
    [
      { status: { code: 503, retryAfterSeconds: 2 } },
      { operations: ['listDrives', 'createDrive'], when: { next: 1 } },
      'Returns 503, Retry-After 2 s',
      'the next call of listDrives, createDrive',
    ],
    [{ connectionReset: {} }, { when: { next: 12 } }, 'Resets the connection', 'the next 12 calls of any operation'],
    [
      { wrongMediaType: {} },
      { when: { share: 0.07 } },
      'Declares text/html',
      '7 % of the calls of any operation, at random',
    ],
    [{ slowDribble: { overMs: 5 } }, { when: { every: 1 } }, 'Sends the body over 5 ms', 'every call of any operation'],
  ])('are %j %j', (effect, more, effectText, calls) => {
    const fault = { effect, ...more };
    expect([effectWords(fault), callsWords(fault)]).toEqual([effectText, calls]);
  });
});
