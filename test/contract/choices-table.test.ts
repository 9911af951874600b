import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { observers as suiteObservers } from '../../conformance/observe/table.ts';
import { toSettings } from '../../conformance/run/settings.ts';
import { judgeChoices, unmetChoices } from '../../conformance/run/verdict.ts';
import { shownValue } from '../../lib/sentence.ts';
import {
  byCase,
  chosen,
  decidingPoints,
  defaultProfile,
  differingChoices,
  toProfile,
  validateChoice,
  validateChoices,
  withoutReferences,
} from '../../openapi/contract/profile.ts';
import { profileSchema } from '../../openapi/contract/profile-schema.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { choiceLeavingOut, leftOutFields } from '../../openapi/points/fields.ts';
import { loadOpenPoints, observers } from '../../openapi/points/index.ts';
import { type ChoiceRules, describeChoices, isLegalChoice, withoutNeeds } from '../../openapi/points/open-point.ts';
import { toChoices } from '../../src/app/settings.ts';
import { depth, isFull, randomSeed } from '../support/depth.ts';
import { observeMock } from '../support/observed-mock.ts';

// Which choices are legal, and what becomes of those that are not.

const points = loadOpenPoints();
const usual = defaultProfile(points);

const listed: ChoiceRules = {
  id: 'colour',
  choices: [
    { value: 'red', means: 'Red.' },
    { value: 7, means: 'Seven.' },
  ],
};
const numbers: ChoiceRules = { ...listed, range: { type: 'integer', minimum: 10, maximum: 20, except: [12, 13] } };
const anyNumbers: ChoiceRules = { ...listed, range: { type: 'integer', minimum: 0, maximum: 2 } };
const texts: ChoiceRules = {
  ...listed,
  range: { type: 'string', pattern: '^\\P{C}{2,3}$', means: 'two or three characters' },
};

describe('a choice', () => {
  it.each<[ChoiceRules, unknown[], unknown[]]>([
    [listed, ['red', 7], ['7', 'blue', 8, null, undefined, true, ['red']]],
    [numbers, ['red', 7, 10, 11, 14, 20], [9, 21, 12, 13, 10.5, '10', Number.NaN, null]],
    [anyNumbers, [0, 1, 2, 7], [-1, 3, '1']],
    [texts, ['red', 'ab', 'äöü'], ['a', 'abcd', 12, 'a\n', '\u{1f600}']],
  ])('of %j is legal, or not', (point, legal, illegal) => {
    expect(legal.filter((value) => !isLegalChoice(point, value))).toEqual([]);
    expect(illegal.filter((value) => isLegalChoice(point, value))).toEqual([]);
    for (const value of legal) expect(validateChoice([point], 'colour', value)).toEqual([]);
    for (const value of illegal) {
      const message = `${shownValue(value)} is not a choice of colour; legal: ${describeChoices(point)}`;
      expect(validateChoice([point], 'colour', value)).toEqual([{ openPoint: 'colour', message }]);
    }
  });

  it.each<[ChoiceRules, string]>([
    [listed, 'red, 7'],
    [numbers, 'red, 7, any integer from 10 to 20 except 12, 13'],
    [anyNumbers, 'red, 7, any integer from 0 to 2'],
    [texts, 'red, 7, two or three characters'],
  ])('of %j is described', (point, says) => {
    expect(describeChoices(point)).toBe(says);
  });

  it('is legal in the schema of a profile file where it is legal', () => {
    const validate = new Schemas(profileSchema(points)).at('#');
    const anyChoice = fc.oneof(
      fc.integer({ min: -1, max: 600 }),
      fc.constantFrom(...points.flatMap(({ choices }) => choices.map(({ value }) => value))),
      fc.string(),
    );
    const property = fc.property(fc.constantFrom(...points), anyChoice, (point, choice) => {
      expect(validate({ [point.id]: choice }).length === 0).toBe(isLegalChoice(point, choice));
    });
    fc.assert(property, { seed: randomSeed, numRuns: depth(200, 10_000) });
  });
});

describe('a profile', () => {
  it('with several errors has all of them told', () => {
    expect(
      validateChoices(points, { 'successStatus.createDrive': 404, listOrdr: 'byName', errorBody: 'empty' }),
    ).toMatchObject([
      {
        openPoint: 'successStatus.createDrive',
        message: expect.stringMatching(/^404 is not a choice of successStatus.createDrive; legal: 201, /),
      },
      { openPoint: 'listOrdr', message: 'there is no open point "listOrdr" (did you mean listOrder?)' },
    ]);
    expect(validateChoices(points, { somethingElse: 1 })).toMatchObject([
      {
        openPoint: 'somethingElse',
        message: 'there is no open point "somethingElse" (docs/open-points.md lists them)',
      },
    ]);
  });

  it('has the defaults where nothing is chosen, and tells where it differs', () => {
    const profile = toProfile(points, { 'successStatus.createDrive': 202, listOrder: 'oldestFirst' });
    expect(profile).toEqual({ ...usual, 'successStatus.createDrive': 202 });
    expect(differingChoices(usual, profile)).toEqual({ 'successStatus.createDrive': 202 });
    expect(differingChoices(profile, usual)).toEqual({ 'successStatus.createDrive': 201 });
    expect(differingChoices(usual, usual)).toEqual({});
  });

  it('leaves a choice to another open point, through several as well', () => {
    const profile = { ...usual, 'errorStatus.notFound': 410 as const };
    expect([chosen(profile, 'errorStatus.driveNotFound'), chosen(profile, 'errorStatus.notFound')]).toEqual([410, 410]);
    expect(decidingPoints(profile, 'errorStatus.driveNotFound')).toEqual([
      'errorStatus.driveNotFound',
      'errorStatus.notFound',
    ]);
    expect(decidingPoints(profile, 'listOrder')).toEqual(['listOrder']);
    const own = { ...usual, 'errorStatus.invalidInput': 400 as const, 'errorStatus.invalidPath': 422 as const };
    expect([chosen(own, 'errorStatus.invalidBody'), chosen(own, 'errorStatus.invalidPath')]).toEqual([400, 422]);
    expect(decidingPoints(own, 'errorStatus.invalidPath')).toEqual(['errorStatus.invalidPath']);
    // A parameter may be called as an open point is not, or as something that every object has.
    const named = { ...usual, treePathParameter: 'toString' };
    expect(decidingPoints(named, 'treePathParameter')).toEqual(['treePathParameter']);
    expect(withoutReferences(profile)).toMatchObject({
      'errorStatus.driveNotFound': 410,
      'successStatus.createMcpServer': 201,
    });
  });
});

describe('what needs a permission', () => {
  it('is left out, and nothing else', () => {
    const left = withoutNeeds(points);
    const idsOf = (some: typeof points) => some.map(({ id }) => id);
    expect(idsOf(points).filter((id) => !idsOf(left).includes(id))).toEqual([
      'unreachableTools',
      'toolWithoutDescription',
      'foreignResources',
    ]);
    const lost = points.flatMap(({ id, choices }) => {
      const kept = left.find((point) => point.id === id)?.choices ?? choices;
      return choices
        .filter(({ value }) => !kept.some((one) => one.value === value))
        .map(({ value }) => `${id} ${value}`);
    });
    expect(lost).toEqual(['toolsOfNewServer live']);
    expect(left.find(({ id }) => id === 'listOrder')).toEqual(points.find(({ id }) => id === 'listOrder'));
  });
});

describe('the fields that a server leaves out', () => {
  it.each([
    ['present', []],
    ['absent', ['description', 'summary', 'metadata']],
    ['sparse', ['size', 'contentType', 'description', 'summary', 'metadata']],
    ['without name size', ['size', 'name']],
    ['without size', ['size']],
  ])('are those of the choice %s', (choice, fields) => {
    expect(leftOutFields(choice)).toEqual(new Set(fields));
    for (const some of [fields, fields.toReversed()]) expect(choiceLeavingOut(some)).toBe(choice);
  });

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
  ])('are seen as %s', (choice, sightings) => {
    expect(observers.get('optionalFields')?.settle?.(sightings)).toBe(choice);
  });
});

describe('a choice for a whole open point', () => {
  it.each<[string, object, object]>([
    ['all cases', { duplicates: 'refused' }, { 'duplicates.names': 'refused', 'duplicates.urls': 'refused' }],
    ['some of them', { timestamps: { zone: '+00:00' }, cors: 'any' }, { 'timestamps.zone': '+00:00', cors: 'any' }],
    [
      'a default for all that are not named, in any order',
      { 'pathForm.length': 300, duplicates: { names: 'allowed', default: 'refused' } },
      { 'duplicates.names': 'allowed', 'duplicates.urls': 'refused', 'pathForm.length': 300 },
    ],
    [
      'a case that is named beside it',
      { 'duplicates.urls': 'allowed', duplicates: 'refused' },
      { 'duplicates.names': 'refused', 'duplicates.urls': 'allowed' },
    ],
  ])('is the choice of %s', (_, choices, expected) => {
    expect(byCase(points, choices)).toEqual(expected);
    expect(toChoices(choices)).toEqual(expected);
  });

  it.each<[object, string]>([
    [{ requiredFields: 'url' }, '"url" is not a choice of requiredFields.createDrive; legal: all, none'],
    [{ duplicates: { colours: 'refused' } }, 'there is no open point "duplicates.colours"'],
    [{ duplicates: { names: { deep: 1 } } }, '{"deep":1} is not a choice of duplicates.names'],
    [{ duplicates: null }, 'null is not a choice of duplicates.names'],
    [
      { duplicates: { default: 'allowed', names: 'allowed' }, 'duplicates.names': 'refused' },
      'duplicates.names is invalid: "allowed" and "refused" are both given for duplicates.names; leave one of them out',
    ],
    [{ cors: { default: 'any' } }, '{"default":"any"} is not a choice of cors'],
    [{ errorBody: ['list', 'nested'] }, 'errorBody is invalid: ["list","nested"] is not a choice of errorBody'],
    [{ colour: undefined }, 'there is no open point "colour"'],
  ])('is refused where it is not legal: %j', (choices, message) => {
    expect(() => toChoices(choices)).toThrow(message);
  });

  it.each<[object, string[][]]>([
    [{ errorStatus: { default: 422, notFound: 'x' } }, [['errorStatus', 'notFound']]],
    [{ 'errorStatus.notFound': 'x' }, [['errorStatus.notFound']]],
    [{ duplicates: { default: 'red', names: 'allowed' } }, [['duplicates', 'default']]],
    [{ duplicates: 'red' }, [['duplicates'], ['duplicates']]],
  ])('has its errors where they are written: %j', (choices, places) => {
    expect(validateChoices(points, choices).map(({ location }) => location)).toEqual(places);
  });

  it('is not given where it is undefined, and is shown where it is not JSON', () => {
    const none: object = { errorBody: undefined, duplicates: undefined, successStatus: { createDrive: undefined } };
    expect(toChoices(none)).toEqual({});
    expect(() => toChoices({ errorBody: 1n as never })).toThrow('errorBody is invalid: 1n is not a choice of');
  });
});

describe('a choice that is the name of another case of its open point', () => {
  it('is a default only, and leads to a case that decides', () => {
    const names = new Set<string>(points.map(({ id }) => id));
    const siblingOf = (id: string, choice: unknown) => `${id.split('.')[0]}.${choice}`;
    const left = points.filter(({ id, choices }) => choices.some(({ value }) => names.has(siblingOf(id, value))));
    expect(left.length).toBeGreaterThan(8);
    for (const { id, default: applied } of left) expect(names, id).toContain(siblingOf(id, applied));
    const resolved = Object.entries(withoutReferences(usual));
    expect(resolved.filter(([id, choice]) => names.has(siblingOf(id, choice)))).toEqual([]);
  });

  it('is met by what was seen there', () => {
    const require = { 'errorStatus.invalidPath': 'invalidInput', 'errorStatus.invalidBody': 'invalidInput' };
    const settings = toSettings({ baseUrl: 'http://127.0.0.1/v0.1', apiKey: 'key', require });
    const observed = {
      'errorStatus.invalidInput': 400,
      'errorStatus.invalidPath': 400,
      'errorStatus.invalidBody': 422,
    };
    expect(unmetChoices(judgeChoices(settings, { observed }, suiteObservers))).toEqual([
      { openPoint: 'errorStatus.invalidBody', required: 400, seen: 422 },
    ]);
  });
});

it.runIf(isFull)('a server with 400 for a bad limit and 422 for a bad path is used and learned', async () => {
  const { observed } = await observeMock({ set: { 'errorStatus.invalidInput': 400, 'errorStatus.invalidPath': 422 } });
  expect(observed).toMatchObject({
    'errorStatus.invalidInput': 400,
    'errorStatus.invalidPath': 422,
    'errorStatus.invalidBody': 400,
  });
});
