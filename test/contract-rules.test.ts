import { describe, expect, it } from 'vitest';
import { errorShapes } from '../openapi/contract/error-bodies.ts';
import { loadOpenPoints } from '../openapi/contract/load.ts';
import { contradictions, defineOptions, unknownOption } from '../openapi/contract/options.ts';
import { parseChoice, validateChoices } from '../openapi/contract/profile.ts';
import { inputRefusalFor } from '../openapi/contract/refusals.ts';
import { Schemas } from '../openapi/contract/schemas.ts';
import { keyIn } from '../openapi/contract/security.ts';
import { shownCommand } from '../openapi/contract/shown-command.ts';
import { statedIn } from '../openapi/contract/told-open-points.ts';

// Rules of the contract as values, each with the smallest case that shows it.

describe('options', () => {
  const help = 'Helps.';
  const options = defineOptions({
    port: { kind: 'integer', help },
    openKeys: { kind: 'switch', help, contradicts: ['port'] },
    liveLog: { kind: 'switch', sets: false, help, contradicts: ['port', 'openKeys'] },
  });

  it('are named by their keys, in words; a switch that turns something off begins with no', () => {
    expect(Object.values(options).map(({ name }) => name)).toEqual(['port', 'open-keys', 'no-live-log']);
  });

  it.each<[object, string[]]>([
    [{}, []],
    [{ port: 1 }, []],
    [{ port: 0, openKeys: true }, ['openKeys and port']],
    [{ port: 1, openKeys: false, liveLog: true }, []],
    [{ port: 1, liveLog: false }, ['liveLog and port']],
    [{ openKeys: true, liveLog: false }, ['liveLog and openKeys']],
  ])('contradict each other where both are given: %j', (given, pairs) => {
    const told = contradictions(options, given, (key) => key).map((one) => one.shown((text) => text));
    expect(told).toEqual(pairs.map((pair) => `${pair} contradict each other. Leave one of them out.`));
  });

  it.each([
    ['--no-port', ['--port'], 'There is no option --no-port: that is the default. --port does the opposite.'],
    ['--log', ['--no-log'], 'There is no option --log: that is the default. --no-log does the opposite.'],
    ['--prot', ['--port'], 'There is no option --prot (did you mean --port?).'],
  ])('that do not exist are told with what is meant: %s', (name, known, says) => {
    expect(unknownOption(name, known, '').shown((text) => text)).toBe(says);
  });
});

describe('violations of a schema', () => {
  const schemas = new Schemas({
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: {
      id: { type: 'string', minLength: 1 },
      note: { anyOf: [{ type: 'string', minLength: 3 }, { type: 'null' }] },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    },
  });

  it.each<[unknown, [string, string, string][]]>([
    [{ id: 'a' }, []],
    [{ id: 'a', note: null }, []],
    [{}, [['id', 'required', 'is required']]],
    [{ id: 'a', nite: 1 }, [['nite', 'unknownField', 'is not a known field (did you mean note?)']]],
    [{ id: 1 }, [['id', 'type', 'must be string']]],
    [{ id: '' }, [['id', 'minLength', 'must have at least 1 character']]],
    // That it could be null is no help for who sent a text.
    [{ id: 'a', note: 'ab' }, [['note', 'minLength', 'must have at least 3 characters']]],
  ])('of %j name the place, the rule and what it asks for', (value, violations) => {
    const told = schemas
      .at('#')(value)
      .map(({ location, code, message }) => [location.join('.'), code, message]);
    expect(told).toEqual(violations);
  });

  it('tell all branches where none is null', () => {
    const told = schemas.at('#')({ id: 'a', either: true });
    expect(told.map(({ code }) => code)).toEqual(['type', 'type', 'anyOf']);
  });
});

describe('choices', () => {
  const points = loadOpenPoints();

  it.each([[null], ['text'], [[]], [5]])('are an object: %j is none', (value) => {
    expect(validateChoices(points, value)).toEqual([
      { openPoint: '', message: 'a profile is an object that maps open points to choices' },
    ]);
  });

  it.each([
    ['createStatus', '201', 201],
    ['defaultLimit', '37', 37],
    ['listOrder', 'byName', 'byName'],
    ['listOrder', '37', '37'],
    ['noSuchPoint', '37', '37'],
    ['defaultLimit', '1e3', '1e3'],
  ])('of %s are numbers where it has numbers: %s', (id, text, choice) => {
    expect(parseChoice(points, id, text)).toBe(choice);
  });
});

it.each([
  [[], 'invalidInput'],
  [[{ location: ['query', 'limit'], code: 'maximum' }], 'invalidInput'],
  [[{ location: ['query', 'limti'], code: 'unknownParameter' }], 'unknownParameter'],
  [[{ location: ['body', 'name'], code: 'type' }], 'invalidBody'],
  [
    [
      { location: ['body', 'name'], code: 'type' },
      { location: ['query', 'limit'], code: 'maximum' },
    ],
    'invalidInput',
  ],
])('violations %j make a request %s', (violations, refusal) => {
  expect(inputRefusalFor(violations)).toBe(refusal);
});

it('a bearer scheme is read in any case, unless only the usual one is', () => {
  const carrier = { name: 'bearer', header: 'authorization', scheme: 'bearer' } as const;
  const read = (value: unknown, ...spelling: 'exact'[]) => {
    return keyIn(carrier, { authorization: value }, ...(spelling as never[]));
  };
  expect(['Bearer a', 'bearer a', 'BEARER  a ', 'Bearer', 'Basic a', '', undefined].map((one) => read(one))).toEqual([
    ...['a', 'a', 'a', undefined, undefined, undefined, undefined],
  ]);
  expect([read('Bearer a', 'exact'), read('bearer a', 'exact')]).toEqual(['a', undefined]);
});

it('a list of errors has the problem itself where no field is wrong, and each field otherwise', () => {
  const problem = { type: 'about:blank', title: 'Not found', status: 404, detail: 'No such drive.' };
  const { toBody } =
    Object.values(errorShapes).find(({ toBody }) => 'errors' in (toBody(problem as never) as object)) ?? {};
  expect(toBody?.(problem as never)).toEqual({
    errors: [{ code: expect.any(String), message: expect.stringMatching(/drive|found/i) }],
  });
  const validation = [{ location: ['query', 'limit'], code: 'type', message: 'must be an integer', severity: 'Error' }];
  expect(toBody?.({ ...problem, validation } as never)).toMatchObject({ errors: [{ code: 'type' }] });
});

it.each([
  ['mock', [], 'npm start'],
  ['mock', ['--port', '1'], 'npm start -- --port 1'],
  ['conformance', [], 'npm run conformance'],
  ['conformance doctor', ['--config', 'a.yaml'], 'npm run conformance -- doctor --config a.yaml'],
])('in a clone, %s %j is shown as npm runs it', (name, words, shown) => {
  expect(shownCommand(name, words)).toBe(shown);
});

it.each([
  [undefined, ''],
  ['Lists drives.', 'Lists drives.'],
  ['Lists drives. The specification leaves open\nhow many ([`defaultLimit`](x#defaultLimit)).', 'Lists drives.'],
])('of the description %j, what is stated is %j', (description, stated) => {
  expect(statedIn(description)).toBe(stated);
});
