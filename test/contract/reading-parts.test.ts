import { describe, expect, it } from 'vitest';
import { decodeQuery } from '../../lib/query.ts';
import { remembering, rememberingBy, rememberingLatest } from '../../lib/remembering.ts';
import type { ContractDocument, SchemaObject } from '../../openapi/contract/document.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, operationsOf } from '../../openapi/contract/operations.ts';
import { bodyObjects } from '../../openapi/reading/body-objects.ts';
import * as messages from '../../openapi/reading/messages.ts';
import { isClientError, isInputRefused, isSuccess } from '../../openapi/reading/statuses.ts';

// The parts by which mock, suite and proxy read requests and answers.

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (levels: number, text = '') => `${'['.repeat(levels)}${text}${']'.repeat(levels)}`;

describe('a body', () => {
  it.each([
    ['', { kind: 'none' }],
    ['{"a":1}', { kind: 'json', value: { a: 1 }, lengthBytes: 7 }],
    [nested(1_000), { kind: 'json', lengthBytes: 2_000 }],
    ['{', { kind: 'text', lengthBytes: 1 }],
  ])('is read as what it is: %.20s', (text, expected) => {
    expect(messages.parseBody(bytes(text))).toMatchObject(expected);
  });

  it.each([
    [new Uint8Array([0xff]), 'is not valid UTF-8'],
    [bytes('\ufeff{}'), 'begins with a byte order mark, so it is not valid JSON'],
    [bytes(nested(1_001)), 'is nested deeper than 1,000 levels'],
    [bytes(nested(1_001, '{')), 'is nested deeper than 1,000 levels'],
    [bytes('{'), 'is not valid JSON'],
  ])('that is no JSON has the reason told', (body, fault) => {
    const read = messages.readJson(body);
    expect(read).toMatchObject({ fault });
    expect('details' in read).toBe(fault === 'is not valid JSON');
    const parsed = messages.parseBody(body);
    expect(parsed.kind === 'text' && parsed.why.plain).toBe(`the body ${fault}`);
  });

  it.each([
    ['[[]]', 2, false],
    ['[[]]', 1, true],
    ['{"a":{}}', 1, true],
    ['{"a":{},"b":{}}', 2, false],
    ['[[],[],[]]', 2, false],
    ['["[[["]', 1, false],
    ['["\\"[[["]', 1, false],
    ['["\\\\",[]]', 1, true],
  ])('is too deep: %s for %i levels: %s', (text, limit, isTooDeep) => {
    expect(messages.isTooDeep(text, limit)).toBe(isTooDeep);
  });

  it('is undefined for a text that is no JSON, or too deep', () => {
    expect(['1', 'x', nested(1_000), nested(1_001)].map((text) => messages.parseJson(text) !== undefined)).toEqual([
      ...[true, false, true, false],
    ]);
  });
});

describe('a message', () => {
  const operation = (id: string) =>
    operationsOf(loadDocument()).find(({ operationId }) => operationId === id) as Operation;
  const request = (path: string, query = ''): messages.RequestView => ({
    ...{ operation: operation('getDriveFile'), path, query: decodeQuery(query), headers: {}, body: { kind: 'none' } },
  });

  it('has the parameters of its path decoded', () => {
    expect(messages.pathParameter(request('/drives/a+b/files/c%20d'), 'driveId')).toBe('a+b');
    expect(messages.pathParameter(request('/drives/a/files/c%20d'), 'fileId')).toBe('c d');
    expect(messages.pathParameter(request('/drives/a/files/%ff'), 'fileId')).toBeUndefined();
    expect(messages.pathParameter(request('/drives/a/files/b'), 'agentId')).toBeUndefined();
    expect(messages.pathParameter(request('/drives'), 'driveId')).toBe('');
  });

  it('has all values of a parameter of its query', () => {
    expect(messages.valuesOf(request('/', 'a=1&b=2&a=%ff&a'), 'a')).toEqual(['1', undefined, '']);
  });

  it('has its query decoded, pair by pair', () => {
    expect(decodeQuery('')).toEqual([]);
    expect(decodeQuery('&a=1&&b+c=d+e%20f=g&%ff=1&h&=i&')).toEqual([
      { name: 'a', value: '1' },
      { name: 'b c', value: 'd e f=g' },
      { name: '%ff', value: '1' },
      { name: 'h', value: '' },
      { name: '', value: 'i' },
    ]);
  });

  it('has a media type without parameters, in lower case', () => {
    const typeOf = (type: string) => messages.mediaTypeOf({ 'content-type': type });
    expect([typeOf(' Text/HTML ; charset=x;y'), typeOf(''), messages.mediaTypeOf({})]).toEqual(['text/html', '', '']);
  });

  it('has a list where its operation lists', () => {
    expect(messages.listIn(operation('listDrives'), { data: [1] })).toEqual([1]);
    expect(messages.listIn(operation('listDrives'), [1])).toBeUndefined();
    expect(messages.listIn(operation('listDrives'), { data: 1 })).toBeUndefined();
    expect(messages.listIn(operation('listAgents'), [1])).toEqual([1]);
    expect(messages.listIn(operation('createDrive'), [1])).toBeUndefined();
  });

  it('has members and elements where it is an object or a list', () => {
    const some = [{ a: 1 }, { b: 1 }, [1], null, 'a', undefined];
    expect(some.map((value) => messages.member(value, 'a'))).toEqual([1, ...Array(5).fill(undefined)]);
    expect(messages.member({}, 'toString')).toBeUndefined();
    expect(some.map((value) => messages.isObject(value))).toEqual([true, true, false, false, false, false]);
    expect(some.map((value) => messages.items(value))).toEqual([[], [], [1], [], [], []]);
  });

  it.each([
    [199, false, false, false],
    [200, true, false, false],
    [299, true, false, false],
    [300, false, false, false],
    [399, false, false, false],
    [400, false, true, true],
    ...[401, 407, 408, 421, 425, 429].map((status) => [status, false, true, false] as const),
    [499, false, true, true],
    [500, false, false, false],
  ] as const)('with status %i is a success: %s, blames the client: %s, for its input: %s', (status, ...expected) => {
    expect([isSuccess({ status }), isClientError({ status }), isInputRefused({ status })]).toEqual(expected);
  });
});

describe('what is remembered', () => {
  it('is made once for each of the last hundred texts that are short', () => {
    let count = 0;
    const make = remembering((text) => ({ text, count: ++count }));
    const [first, again] = [make('a'), make('a')];
    expect(again).toBe(first);
    for (let index = 0; index < 99; index++) make(String(index));
    expect(make('a')).toBe(first);
    make('one more');
    expect(make('a')).toEqual({ text: 'a', count: 102 });
    const [longest, longer] = ['x'.repeat(512), 'x'.repeat(513)];
    expect(make(longest)).toBe(make(longest));
    expect(make(longer)).not.toBe(make(longer));
  });

  it('is told apart by its text, or is the latest object', () => {
    const byFirst = rememberingBy(
      ([first = '']: string[]) => first,
      (item) => ({ item }),
      1,
    );
    expect(byFirst(['a', 'b'])).toBe(byFirst(['a', 'c']));
    expect(byFirst(['ab'])).not.toBe(byFirst(['ab']));
    const latest = rememberingLatest((item: object) => ({ item }));
    const [one, two] = [{}, {}];
    const before = latest(one);
    expect(latest(one)).toBe(before);
    expect(latest(two).item).toBe(two);
    expect(latest(one)).not.toBe(before);
  });
});

describe('the objects of a body', () => {
  const document = {
    components: { schemas: { Inner: { properties: { a: {} } }, None: {} } },
  } as unknown as ContractDocument;
  const inner = { $ref: '#/components/schemas/Inner' };
  const outer = { properties: { one: inner, list: { items: inner }, none: { properties: {} }, plain: {} } };
  const placesOf = (schema: unknown, value: unknown) =>
    [...bodyObjects(document, schema as SchemaObject | undefined, value)].map(({ location }) => location.join('/'));

  it('are all whose schema shows fields, from the outermost in', () => {
    const value = { list: [{ a: 1 }, 2, null, {}], one: { a: { a: 1 } }, none: {}, plain: {}, more: {} };
    expect(placesOf(outer, value)).toEqual(['', 'one', 'list/0', 'list/3']);
    expect([...bodyObjects(document, inner as never, { a: 1 })]).toEqual([
      { schema: { properties: { a: {} } }, value: { a: 1 }, location: [] },
    ]);
  });

  it('are those of the first items, where no more are asked for', () => {
    const value = { list: Array.from({ length: 5 }, () => ({ a: 1 })), one: { a: 1 } };
    const found = [...bodyObjects(document, outer as unknown as SchemaObject, value, 2)];
    expect(found.map(({ location }) => location.join('/'))).toEqual(['', 'one', 'list/0', 'list/1']);
  });

  it('are none where there is no schema, or no object', () => {
    expect([placesOf(undefined, {}), placesOf(inner, null), placesOf(inner, 'a'), placesOf(inner, [{}])]).toEqual([
      ...[[], [], [], []],
    ]);
    expect(placesOf({ properties: { toString: inner } }, {})).toEqual(['']);
  });
});
