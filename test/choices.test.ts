import { describe, expect, it } from 'vitest';
import { loadOpenPoints } from '../openapi/contract/load.ts';
import type { Choice } from '../openapi/contract/open-points.ts';
import type { Profile } from '../openapi/contract/profile.ts';
import { createMock } from '../src/index.ts';
import { createClient } from './support/client.ts';
import { observations } from './support/observations.ts';
import { now, tinySeed } from './support/tiny-seed.ts';

const openPoints = loadOpenPoints();

/** What a client of a mock that plays this choice sees. */
async function seen(id: keyof Profile, choice: Choice): Promise<unknown> {
  const observation = observations[id];
  const set = { ...observation.with, [id]: choice };
  const mock = await createMock({ seed: tinySeed, clock: now, set });
  try {
    return await observation.see(createClient(mock.url, 'key-a'));
  } finally {
    await mock.close();
  }
}

describe.each(openPoints)('the open point $id', (point) => {
  const id = point.id as keyof Profile;
  const observation = observations[id];

  it('has an observation that tells each listed choice from the others', () => {
    expect(Object.keys(observation.expected).sort()).toEqual(point.choices.map(({ value }) => String(value)).sort());
    const texts = Object.values(observation.expected).map((value) => JSON.stringify(value));
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each(point.choices)('is played as $value', async ({ value }) => {
    expect(await seen(id, value)).toEqual(observation.expected[value]);
  });
});

const withRange = openPoints.filter((point) => point.range !== undefined);

it.each(withRange)('the open point $id is played with a value that is not listed', async ({ id, choices }) => {
  const [value, expected] = observations[id as keyof Profile].inRange ?? [];
  expect(choices.map((choice) => choice.value)).not.toContain(value);
  expect(await seen(id as keyof Profile, value as Choice)).toEqual(expected);
});
