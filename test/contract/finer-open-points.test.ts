import { describe, expect, it } from 'vitest';
import { toSettings } from '../../conformance/config/settings.ts';
import { judgeChoices, unmetChoices } from '../../conformance/required-choices.ts';
import { loadOpenPoints } from '../../openapi/contract/load.ts';
import { defaultProfile, withoutReferences } from '../../openapi/contract/profile.ts';
import { settleOptionalFields } from '../../openapi/reading/field-observers.ts';
import { observeMock } from '../support/observed-mock.ts';

// Open points that are cases of another one: their default is its name.

const usual = defaultProfile(loadOpenPoints());

describe('a choice that is the name of another open point', () => {
  it('is a default only, and leads to an open point that decides', () => {
    const points = loadOpenPoints();
    const names = new Set<unknown>(points.map(({ id }) => id));
    const left = points.filter(({ choices }) => choices.some(({ value }) => names.has(value)));
    expect(left.length).toBeGreaterThan(8);
    for (const point of left) expect(names, point.id).toContain(point.default);
    const resolved = Object.values(withoutReferences(usual));
    expect(resolved.filter((choice) => names.has(choice))).toEqual([]);
  });

  it('is met by what was seen there', () => {
    const require = { invalidPathStatus: 'invalidInputStatus', invalidBodyStatus: 'invalidInputStatus' };
    const settings = toSettings({ baseUrl: 'http://127.0.0.1/v0.1', apiKey: 'key', require });
    const observed = { invalidInputStatus: 400, invalidPathStatus: 400, invalidBodyStatus: 422 };
    expect(unmetChoices(judgeChoices(settings, { observed }))).toEqual([
      { openPoint: 'invalidBodyStatus', required: 400, seen: 422 },
    ]);
  });
});

it('a server with 400 for a bad limit and 422 for a bad path is used and learned', async () => {
  const { observed } = await observeMock({ set: { invalidInputStatus: 400, invalidPathStatus: 422 } });
  expect(observed).toMatchObject({ invalidInputStatus: 400, invalidPathStatus: 422, invalidBodyStatus: 400 });
});

describe('the fields that a server leaves out', () => {
  it.each([
    [
      'sparse',
      ['DriveFile none without size contentType description summary metadata', 'Agent none without description'],
    ],
    ['absent', ['DriveFile none without description summary metadata', 'Agent none without description']],
    ['present', ['DriveFile some without metadata', 'Agent none without description']],
    ['without size', ['DriveFile some without size', 'DriveFile none without size description summary metadata']],
    // Only some files lack it.
    ['present', ['DriveFile some without size', 'DriveFile some without']],
    // All may lack them by chance.
    [undefined, ['DriveFile none without description summary metadata']],
  ])('are %s', (choice, sightings) => {
    expect(settleOptionalFields(sightings)).toBe(choice);
  });
});
