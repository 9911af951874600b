import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { wait } from '../../src/app/connection.ts';
import { mayPrefer, parsePrefer, readPreferences, writePreference } from '../../src/app/forced/preferences.ts';

const tokenCharacters = [
  ..."!#$%&'*+-.^_`|~",
  ...'0123456789',
  ...'abcdefghijklmnopqrstuvwxyz',
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
];
const token = fc.string({ unit: fc.constantFrom(...tokenCharacters), minLength: 1, maxLength: 12 });
// What a header may hold: printable ASCII and tabs.
const text = fc.string({
  unit: fc.constantFrom('\t', ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(at + 32))),
});
const blank = fc.constantFrom('', ' ', '\t', '  ');
const quoted = (value: string) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

/** One preference, and one of the ways in which RFC 7240 lets it be written. */
const written = fc
  .record({
    name: token,
    value: fc.oneof(
      token.map((word) => ({ value: word, word })),
      text.map((value) => ({ value, word: quoted(value) })),
      fc.constant({ value: '', word: undefined }),
    ),
    parameters: fc.array(fc.tuple(token, text), { maxLength: 2 }),
    blanks: fc.tuple(blank, blank, blank, blank),
  })
  .map(({ name, value: { value, word }, parameters, blanks: [before, left, right, after] }) => {
    const assigned = word === undefined ? '' : `${left}=${right}${word}`;
    const behind = parameters.map(([parameter, of]) => `${left};${right}${parameter}=${quoted(of)}`).join('');
    return { preference: { name: name.toLowerCase(), value }, text: `${before}${name}${assigned}${behind}${after}` };
  });

describe('Prefer header', () => {
  it('is parsed in every form that RFC 7240 allows', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 6 }), (preferences) => {
        const header = preferences.map((one) => one.text).join(',');
        expect(parsePrefer(header)).toEqual(preferences.map(({ preference }) => preference));
      }),
    );
  });

  it('is written so that parsing gives the same preference', () => {
    fc.assert(
      fc.property(token, text, (name, value) => {
        expect(parsePrefer(writePreference(name, value))).toEqual([{ name: name.toLowerCase(), value }]);
      }),
    );
  });

  it('keeps preferences that follow unreadable text', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (junk) => {
        expect(parsePrefer(`${junk}, code=404`).at(-1)).toEqual({ name: 'code', value: '404' });
      }),
    );
  });

  it('is read as far as that is possible where it is broken', () => {
    const unknown = (name: string) => ({ name, value: undefined });
    expect(parsePrefer('foo="a, code=404')).toEqual([unknown('foo'), { name: 'code', value: '404' }]);
    expect(parsePrefer('seed="a, b", code=404')).toEqual([
      { name: 'seed', value: 'a, b' },
      { name: 'code', value: '404' },
    ]);
    expect(parsePrefer('code=404 seed=1')).toEqual([unknown('code')]);
    expect(parsePrefer('code:404')).toEqual([unknown('code')]);
    expect(parsePrefer(', ,@=1,;')).toEqual([]);
  });
});

describe('preferences in the query', () => {
  it('are removed without changing the rest of the query', () => {
    const pair = fc.oneof(
      fc.constantFrom('__code=404', '__example=x', '__dynamic=true', '__seed=a+b', '__delay=1'),
      fc.stringMatching(/^[\w%.=+-]*$/).filter((other) => !/^__(code|example|dynamic|seed|delay)(=|$)/.test(other)),
    );
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: (one) => one.split('=')[0] }), (pairs) => {
        const read = readPreferences(pairs.join('&'), { prefer: 'code=200' });
        const rest = pairs.filter((one) => !/^__(code|example|dynamic|seed|delay)=/.test(one)).join('&');
        expect(read).toEqual({ preferences: { code: 200 }, query: rest });
      }),
    );
  });

  it('are read from __code, __seed and __delay, and possible only with a __ prefix or a Prefer header', () => {
    expect(readPreferences('__code=404&__seed=a+b%21&__delay=60000', {})).toEqual({
      preferences: { code: 404, seed: 'a b!', delayMs: 60_000 },
      query: '',
    });
    expect([mayPrefer('', {}), mayPrefer('limit=1', { accept: '*/*' })]).toEqual([false, false]);
    expect([mayPrefer('__code=404', {}), mayPrefer('', { prefer: 'code=404' })]).toEqual([true, true]);
  });
});

describe('wait', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const createResponse = () => Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse;

  it('ends when the client disconnects and leaves no timer', async () => {
    vi.useFakeTimers();
    const response = createResponse();
    const waited = wait(1000, response);
    response.emit('close');
    expect(await waited).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
