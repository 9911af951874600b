import { describe, expect, it } from 'vitest';
import { momentsOf } from '../../src/app/faults/effects.ts';
import { loadFaultSchemas, parseFault } from '../../src/app/faults/parse-fault.ts';
import type { Fault } from '../../src/index.ts';
import {
  callsWords,
  effectKinds,
  effectNames,
  effectWords,
  numberOr,
  presets,
  toForm,
  withLabels,
} from '../../src/ui/faults/effects.ts';

// The parts of the view Faults that need no page.

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
}

const schemas = loadFaultSchemas() as Record<string, Schema>;
const resolved = ({ $ref, ...own }: Schema): Schema =>
  $ref === undefined ? own : (schemas[$ref.split('/').at(-1) ?? ''] ?? {});
const effectSchemas = schemas.FaultEffect?.properties ?? {};

describe('the table of effects', () => {
  it('has all effects of the admin API', () => {
    expect(effectNames.toSorted()).toEqual(Object.keys(effectSchemas).sort());
  });

  it.each(effectNames)('has the settings and moments of %s', (name) => {
    const { properties = {} } = resolved(effectSchemas[name] ?? {});
    const { settings, preset, moments } = effectKinds[name];
    // The form makes one fixed delay of two equal bounds.
    expect(Object.keys(settings)).toEqual(Object.keys(properties).filter((field) => field !== 'delayMs'));
    const fault = { effect: { [name]: preset } } as unknown as Fault;
    expect(parseFault(fault)).not.toBeInstanceOf(Array);
    expect(moments).toEqual(momentsOf(fault.effect));
  });
});

describe('the form', () => {
  it.each(presets)('offers $label as a fault that can be added', ({ fault }) => {
    expect(parseFault(fault)).not.toBeInstanceOf(Array);
  });

  it('edits a fixed delay as two equal times, and leaves other faults as they are', () => {
    const operations = ['listDrives'] as const;
    expect(toForm({ effect: { latency: { delayMs: 7 } }, operations })).toEqual({
      ...{ effect: { latency: { fromMs: 7, toMs: 7 } }, operations },
    });
    for (const { fault } of presets) expect(toForm(fault)).toEqual(fault);
  });

  it.each([
    ['5', 5],
    ['0.5', 0.5],
    ['', ''],
    [' ', ' '],
    ['5x', '5x'],
  ])('sends %j as %j: the mock says what is wrong with it', (text, value) => {
    expect(numberOr(text)).toBe(value);
  });
});

it('names a setting that is wrong by its label, and leaves other places as they are', () => {
  expect(withLabels('body.effect.latency.fromMs is required; body.when.share too; body.effect.other.x is not')).toBe(
    '"From, in ms" is required; "Share, from 0 to 1" too; body.effect.other.x is not',
  );
});

describe('the words for a fault', () => {
  it.each<[Fault['effect'], Partial<Fault>, string, string]>([
    [{ latency: { delayMs: 2000 } }, {}, 'Delays by 2,000 ms', 'every call to any operation'],
    [
      { latency: { fromMs: 0, toMs: 10 } },
      { when: { every: 3 } },
      'Delays by 0 to 10 ms',
      'every 3rd call to any operation',
    ],
    [
      { status: { code: 503, retryAfterSeconds: 2 } },
      { operations: ['listDrives', 'createDrive'], when: { next: 1 } },
      'Returns 503, Retry-After 2 s',
      'the next call to listDrives, createDrive',
    ],
    [{ connectionReset: {} }, { when: { next: 12 } }, 'Resets the connection', 'the next 12 calls to any operation'],
    [
      { wrongMediaType: {} },
      { when: { share: 0.07 } },
      'Declares text/html',
      '7 % of the calls to any operation, at random',
    ],
    [{ slowDribble: { overMs: 5 } }, { when: { every: 1 } }, 'Sends the body over 5 ms', 'every call to any operation'],
  ])('are %j %j', (effect, more, effectText, calls) => {
    const fault = { effect, ...more };
    expect([effectWords(fault), callsWords(fault)]).toEqual([effectText, calls]);
  });
});
