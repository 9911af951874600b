import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, editDistance } from '../../lib/nearest.ts';
import {
  defineOptions,
  type MoreTypes,
  optionErrors,
  ruleOf,
  unknownOption,
  withDefaults,
  wrongValue,
} from '../../lib/options.ts';
import { depth, randomSeed } from '../support/depth.ts';

// What a table of options takes, what it refuses, and in which words.

const help = 'Helps.';
const greatest = Number.MAX_SAFE_INTEGER;

const specs = {
  port: { kind: 'integer', maximum: 65_535, default: 4_010, help },
  rounds: { kind: 'integer', minimum: 1, help },
  format: { kind: 'text', values: ['yaml', 'json'], default: 'yaml', help },
  token: { kind: 'text', secret: '<token>', help },
  file: { kind: 'text', help },
  set: { kind: 'text', isRepeatable: true, help },
  openKeys: { kind: 'switch', help },
  log: { kind: 'switch', sets: false, contradicts: ['file', 'openKeys'], help },
} as const;
type Key = keyof typeof specs;
const optionsOf = () => defineOptions(specs);

it('an option is named by its key, in words, and otherwise only where it says so', () => {
  expect(Object.values(optionsOf()).map(({ name }) => name)).toEqual([
    ...['port', 'rounds', 'format', 'token', 'file', 'set', 'open-keys', 'no-log'],
  ]);
  const named = defineOptions({
    maxSandboxesEver: { kind: 'integer', help },
    key: { kind: 'text', name: 'api-key', help },
  });
  expect(named).toEqual({
    maxSandboxesEver: { kind: 'integer', name: 'max-sandboxes-ever', placeholder: '<number>', help },
    key: { kind: 'text', name: 'api-key', help },
  });
});

describe('the value of an option', () => {
  it.each<[Key, unknown]>([
    ['port', 0],
    ['port', 65_535],
    ['rounds', 1],
    ['rounds', greatest],
    ['format', 'json'],
    ['token', ''],
    ['file', 'any text'],
    ['set', []],
    ['set', ['a', 'b']],
    ['openKeys', true],
    ['log', false],
  ])('%s may be %j', (key, value) => {
    expect(wrongValue(optionsOf()[key], key, value)).toBeUndefined();
  });

  it.each<[Key, unknown, string]>([
    ['port', -1, 'port must be a whole number from 0 to 65535; it is -1.'],
    ['port', 65_536, 'port must be a whole number from 0 to 65535; it is 65536.'],
    ['port', 1.5, 'port must be a whole number from 0 to 65535; it is 1.5.'],
    ['port', '80', 'port must be a whole number from 0 to 65535; it is "80".'],
    ['port', Number.NaN, 'port must be a whole number from 0 to 65535; it is NaN.'],
    ['port', 80n, 'port must be a whole number from 0 to 65535; it is 80n.'],
    ['port', null, 'port must be a whole number from 0 to 65535; it is null.'],
    ['rounds', 0, `rounds must be a whole number from 1 to ${greatest}; it is 0.`],
    ['rounds', greatest + 1, `rounds must be a whole number from 1 to ${greatest}; it is ${greatest + 1}.`],
    ['format', 'jsno', 'format must be one of yaml, json; it is "jsno" (did you mean json?).'],
    ['format', 'xml', 'format must be one of yaml, json; it is "xml".'],
    ['format', 'nothing like it', 'format must be one of yaml, json; it is "nothing like it".'],
    ['format', 5, 'format must be one of yaml, json; it is 5.'],
    ['token', 5, 'token must be a string.'],
    ['file', true, 'file must be a string; it is true.'],
    ['file', ['a'], 'file must be a string; it is ["a"].'],
    ['set', 'a', 'set must be a list of strings; it is "a".'],
    ['set', ['a', 1], 'set must be a list of strings; it is ["a",1].'],
    ['openKeys', 'true', 'openKeys must be true or false; it is "true".'],
    ['log', 0, 'log must be true or false; it is 0.'],
  ])('%s may not be %o', (key, value, says) => {
    expect(wrongValue(optionsOf()[key], key, value)?.plain).toBe(says);
    expect(says).toContain(ruleOf(optionsOf()[key]));
  });
});

it('the defaults stand where nothing is given, and only there', () => {
  expect(withDefaults(optionsOf(), {})).toStrictEqual({ port: 4_010, format: 'yaml' });
  expect(withDefaults(optionsOf(), { port: 0, format: undefined, file: 'a' })).toStrictEqual({
    ...{ port: 0, format: 'yaml', file: 'a' },
  });
  const given = { rounds: 2 };
  withDefaults(optionsOf(), given);
  expect(given).toEqual({ rounds: 2 });
});

describe('the errors in options that are given in code', () => {
  const told = (given: object, ...more: [more?: MoreTypes, prefix?: string]) =>
    optionErrors(optionsOf(), given, ...more).map(({ plain }) => plain);

  it.each<[object, string[]]>([
    [{}, []],
    [{ port: 1, set: ['a'], openKeys: false, log: true }, []],
    [{ port: undefined, file: undefined }, []],
    [{ port: -1, openKeys: 5 }, [expect.stringMatching(/^port must be /), expect.stringMatching(/^openKeys must be /)]],
    [{ prot: 1 }, ['There is no option prot (did you mean port?).']],
    [{ prot: undefined }, ['There is no option prot (did you mean port?).']],
    [{ log: false, file: 'a' }, ['log: false and file contradict each other. Leave one of them out.']],
    [{ log: false, openKeys: true }, ['log: false and openKeys contradict each other. Leave one of them out.']],
    [{ log: true, openKeys: true, file: 'a' }, []],
    [{ log: false, openKeys: false }, []],
  ])('of %j are told', (given, errors) => {
    expect(told(given)).toEqual(errors);
  });

  it('list all known options where none is similar', () => {
    const known = 'port, rounds, format, token, file, set, openKeys, log, onExchange';
    expect(told({ somethingElse: 1 }, { onExchange: ['function'] })).toEqual([
      `There is no option somethingElse (known options: ${known}).`,
    ]);
  });

  it('list the options of the table alone where there are no others', () => {
    const known = 'port, rounds, format, token, file, set, openKeys, log';
    expect(told({ somethingElse: 1 })).toEqual([`There is no option somethingElse (known options: ${known}).`]);
  });

  it('leave the values of others to the caller, and begin with the prefix', () => {
    expect(told({ onExchange: 5, port: 'x' }, { onExchange: ['function'], port: ['number', 'string'] })).toEqual([
      'onExchange must be a function.',
    ]);
    expect(told({ rounds: 0 }, {}, 'liveMcp.')).toEqual([expect.stringMatching(/^liveMcp\.rounds must be /)]);
    expect(told({ log: false, file: 'a' }, {}, 'liveMcp.')).toEqual([
      'liveMcp.log: false and liveMcp.file contradict each other. Leave one of them out.',
    ]);
  });
});

it.each([
  ['--no-port', 'There is no option --no-port: that is the default. --port does the opposite.'],
  ['--watch', 'There is no option --watch: that is the default. --no-watch does the opposite.'],
  ['--prt', 'There is no option --prt (did you mean --port?).'],
])('an option that does not exist is told with what there is: %s', (name, says) => {
  expect(unknownOption(name, ['--port', '--no-watch'], 'ask --help').plain).toBe(says);
});

describe('the distance of two words', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['drive', 'drives', 1],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
    ['ab', 'ba', 2],
    ['aaaa', 'bbbb', 4],
  ])('of %j and %j is %i', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
  });

  it('grows by one at most with each letter that is added, left out or changed', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    const property = fc.property(word, word, fc.nat(8), fc.constantFrom('', 'a', 'bc'), (one, other, at, letters) => {
      const changed = one.slice(0, at) + letters + one.slice(at + 1);
      expect(editDistance(one, other)).toBe(editDistance(other, one));
      expect(editDistance(one, one)).toBe(0);
      expect(editDistance(one, changed)).toBeLessThanOrEqual(2);
      expect(editDistance(changed, other)).toBeLessThanOrEqual(editDistance(one, other) + editDistance(one, changed));
    });
    fc.assert(property, { seed: randomSeed, numRuns: depth(200, 5_000) });
  });
});

describe('a hint', () => {
  it.each<[string, string[], string]>([
    // One letter may differ in a word of three, two in a short word, a third of them in a long one.
    ['abc', ['abx'], 'abx'],
    ['abc', ['abxy'], ''],
    ['abcd', ['abxy'], 'abxy'],
    ['abcd', ['axyz'], ''],
    ['abcdefghijkl', ['abcdefghwxyz'], 'abcdefghwxyz'],
    ['abcdefghijkl', ['abcdefgvwxyz'], ''],
    ['abcdefghijkl', ['abcdefgh'], 'abcdefgh'],
    ['abcdefghijkl', ['abcdefg'], ''],
    ['abcdefghijkl', ['abcdefghijklmnop'], 'abcdefghijklmnop'],
    // Or the only longer one that begins with it.
    ['abcdefghijkl', ['abcdefghijklmnopq'], 'abcdefghijklmnopq'],
    ['size', ['name', 'sizeBytes'], 'sizeBytes'],
    ['size', ['sizeBytes', 'sizeLimit'], ''],
    ['si', ['sizeBytes'], ''],
    ['DRIVES', ['agents', 'drives'], 'drives'],
    ['drives', ['DRIVES'], 'DRIVES'],
    // The nearest, and of several the first.
    ['drive', ['drove up', 'drivers', 'drives', 'driver'], 'drives'],
    ['driv', ['drip', 'drib'], 'drip'],
    ['a', [], ''],
  ])('for %j among %j names %j', (word, candidates, meant) => {
    expect(didYouMean(word, candidates)).toBe(meant === '' ? '' : ` (did you mean ${meant}?)`);
    expect(didYouMean(word, candidates, 'see there')).toBe(meant === '' ? ' (see there)' : ` (did you mean ${meant}?)`);
  });
});
