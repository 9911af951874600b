import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMatch, selectIds } from '../../conformance/checks/check.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { suiteErrorOf } from '../support/suite-error-of.ts';

const letter = fc.constantFrom('a', 'b', '.');
const id = fc.string({ unit: letter, maxLength: 8 });
const pattern = fc.string({ unit: fc.oneof(letter, fc.constant('*')), maxLength: 8 });

/** The same by other means: `*` takes any number of letters, one after the other. */
function matches(pattern: string, id: string): boolean {
  if (pattern === '') return id === '';
  if (pattern.startsWith('*')) return matches(pattern.slice(1), id) || (id !== '' && matches(pattern, id.slice(1)));
  return pattern[0] === id[0] && matches(pattern.slice(1), id.slice(1));
}

describe('a pattern of checks', () => {
  it('matches the ids that have its parts in their order', () => {
    fc.assert(
      fc.property(pattern, id, (one, other) => {
        expect(isMatch(one, other)).toBe(matches(one, other));
      }),
      {
        numRuns: 2_000,
        examples: [
          ['a*a', 'a'],
          ['*', ''],
          ['**', 'ab'],
          ['a*b*', 'acb'],
          ['', ''],
        ],
      },
    );
  });

  it('that only begins like ids is completed', () => {
    const { message } = suiteErrorOf(() => selectIds(['a.name-kept.long', 'a.no-key'], { only: ['a.name'], skip: [] }));
    expect(message).toBe('There is no check "a.name" (did you mean "a.name*"?).');
  });

  it('may be followed by a comma, but a list of nothing does not run everything', () => {
    const ids = ['a.one', 'a.two'];
    expect([...selectIds(ids, { only: ['a.one,'], skip: [','] })]).toEqual(['a.one']);
    for (const only of [[''], [','], [' , ']])
      expect(suiteErrorOf(() => selectIds(ids, { only, skip: [] })).message).toMatch(/names none/);
  });

  it('may be one of several with commas between', () => {
    const ids = ['a.one', 'a.two', 'b.one'];
    expect([...selectIds(ids, { only: ['a.one, b.*', 'a.two'], skip: [] })]).toEqual(ids);
    expect([...selectIds(ids, { only: [], skip: ['a.two,b.*'] })]).toEqual(['a.one']);
    expect(() => selectIds(ids, { only: ['a.one,c'], skip: [] })).toThrow(/There is no check "c"/);
  });

  it('of any length is matched at once', () => {
    const id = `${'a'.repeat(5_000)}!`;
    expect(isMatch(`${'*a'.repeat(5_000)}*b`, id)).toBe(false);
    expect(isMatch('x'.repeat(1_000_000), id)).toBe(false);
  });
});

describe('a selection', () => {
  const ids = ['a.x', 'a.y', 'b.x'];

  it.each<[string[], string[], string[]]>([
    [[], [], ids],
    [['a.*'], [], ['a.x', 'a.y']],
    [['a.x', 'b.*'], [], ['a.x', 'b.x']],
    [[], ['*.x'], ['a.y']],
    [['a.*'], ['a.x', 'b.x'], ['a.y']],
  ])('of only %j without %j is %j', (only, skip, left) => {
    expect([...selectIds(ids, { only, skip })]).toEqual(left);
  });

  it.each<[string[], string[], string, string]>([
    [['a.*'], ['a.*'], 'NOTHING_SELECTED', 'No check is left to run. --list shows all checks.'],
    [['c'], [], 'UNKNOWN_CHECK', 'There is no check "c" (--list shows all checks).'],
    [['a.x'], ['b.xx'], 'UNKNOWN_CHECK', 'There is no check "b.xx" (did you mean b.x?).'],
  ])('of only %j without %j is refused', (only, skip, code, message) => {
    expect(suiteErrorOf(() => selectIds(ids, { only, skip }))).toMatchObject({ code, message });
  });
});

describe('a hint', () => {
  it('names a word that differs in few letters, and none where all do', () => {
    expect(didYouMean('drivs', ['agents', 'drives'])).toBe(' (did you mean drives?)');
    expect(didYouMean('x', ['agents', 'drives'])).toBe('');
    expect(didYouMean('x'.repeat(1_000_000), ['agents', 'drives'], 'known: both')).toBe(' (known: both)');
  });
});
