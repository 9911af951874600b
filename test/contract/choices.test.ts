import { afterAll, describe, expect, it } from 'vitest';
import { defaultProfile, type Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { Choice, OpenPoint } from '../../openapi/points/open-point.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { createClient } from '../support/client.ts';
import { observations } from '../support/observations.ts';
import { now, tinySeed } from '../support/tiny-seed.ts';

const openPoints = loadOpenPoints();

/** A mock for all choices, and one that may contact MCP servers for those that need it. */
const mocks = new Map<boolean, Mock>();
afterAll(() => Promise.all([...mocks.values()].map((mock) => mock.close())));

/** What a client of a mock that uses this choice, and may do what it needs, sees. */
async function seen({ id, needs, choices }: OpenPoint, choice: Choice): Promise<unknown> {
  const observation = observations[id as keyof Profile];
  const isLive = (needs ?? choices.find(({ value }) => value === choice)?.needs) === 'liveMcp';
  const mock = mocks.get(isLive) ?? (await createMock({ seed: tinySeed, clock: now, liveMcp: isLive }));
  mocks.set(isLive, mock);
  const usual = isLive ? { toolsOfNewServer: 'live' as const } : {};
  mock.setProfile({ ...defaultProfile(openPoints), ...usual, ...observation.with, [id]: choice });
  mock.reset();
  return observation.see(createClient(mock.url, 'key-a'));
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
