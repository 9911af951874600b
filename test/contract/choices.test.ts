import { describe, expect, it } from 'vitest';
import type { Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { Choice, OpenPoint } from '../../openapi/points/open-point.ts';
import { createMock } from '../../src/index.ts';
import { createClient } from '../support/client.ts';
import { observations } from '../support/observations.ts';
import { now, tinySeed } from '../support/tiny-seed.ts';

const openPoints = loadOpenPoints();

/** What a client of a mock that uses this choice, and may do what it needs, sees. */
async function seen({ id, needs, choices }: OpenPoint, choice: Choice): Promise<unknown> {
  const observation = observations[id as keyof Profile];
  const set = { ...observation.with, [id]: choice };
  const needed = needs ?? choices.find(({ value }) => value === choice)?.needs;
  const mock = await createMock({ seed: tinySeed, clock: now, set, liveMcp: needed === 'liveMcp' });
  try {
    return await observation.see(createClient(mock.url, 'key-a'));
  } finally {
    await mock.close();
  }
}

describe.each(openPoints)('the open point $id', (point) => {
  const id = point.id as keyof Profile;
  const observation = observations[id];

  it('has an observation that distinguishes its listed choices', () => {
    expect(Object.keys(observation.expected).sort()).toEqual(point.choices.map(({ value }) => String(value)).sort());
    // A choice that is left to another case may come to the same as one that is not.
    const whole = id.replace(/\..*/, '.');
    const own = Object.entries(observation.expected).filter(([value]) => !Object.hasOwn(observations, whole + value));
    const texts = own.map(([, expected]) => JSON.stringify(expected));
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each(point.choices)('behaves as expected with the choice $value', async ({ value }) => {
    expect(await seen(point, value)).toEqual(observation.expected[value]);
  });
});

const withRange = openPoints.filter((point) => point.range !== undefined);

it.each(withRange)('the open point $id behaves as expected with an unlisted value of its range', async (point) => {
  const [value, expected] = observations[point.id as keyof Profile].inRange ?? [];
  expect(point.choices.map((choice) => choice.value)).not.toContain(value);
  expect(await seen(point, value as Choice)).toEqual(expected);
});
