import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, operationsOf } from '../../openapi/contract/operations.ts';
import type { AnswerView, RequestView } from '../../openapi/reading/messages.ts';
import { decodeQuery } from '../../openapi/reading/query.ts';
import { Reading } from '../../openapi/reading/reading.ts';

const listDrives = operationsOf(loadDocument()).find(({ operationId }) => operationId === 'listDrives') as Operation;

interface Page {
  query: string;
  ids: string[];
  limit?: number;
  offset?: number;
  total?: number;
}

/** What pages of drives show, in the order in which they were read. */
function learnedFrom(...pages: readonly Page[]) {
  const reading = new Reading();
  for (const { query, ids, ...pagination } of pages) {
    const value = { data: ids.map((id) => ({ id })), pagination };
    reading.add(
      { operation: listDrives, path: '/drives', query: decodeQuery(query), headers: {}, body: { kind: 'none' } },
      { status: 200, headers: {}, body: { kind: 'json', value, lengthBytes: 0 } },
      `GET /drives?${query}`,
      (text) => text,
    );
  }
  return reading.learned();
}

describe('learned meaning of the total of a page', () => {
  const whole = { query: 'limit=20', ids: ['a', 'b', 'c', 'd', 'e'], limit: 20, offset: 0, total: 5 };

  it('is all drives, even when an earlier page showed more', () => {
    const later = { query: 'limit=2', ids: ['a', 'b'], limit: 2, offset: 0, total: 3 };
    expect(learnedFrom(whole, later).observed.totalMeaning).toBe('all');
  });

  it('stays unknown when all drives fit on one page, even when an earlier page showed more', () => {
    const later = { query: 'limit=20', ids: ['a', 'b'], limit: 20, offset: 0, total: 2 };
    expect(learnedFrom(whole, later).observed.totalMeaning).toBeUndefined();
    expect(learnedFrom(whole, later).unclear.totalMeaning).toBeUndefined();
  });

  it('is the drives on the page when more drives are known', () => {
    const first = { query: 'limit=1', ids: ['a'], limit: 1, offset: 0, total: 1 };
    expect(learnedFrom(whole, first).observed.totalMeaning).toBe('page');
    const second = { query: 'limit=1&offset=1', ids: ['b'], limit: 1, offset: 1, total: 1 };
    expect(learnedFrom(second).observed.totalMeaning).toBe('page');
  });

  it('is unclear when smaller than the number of drives up to the end of the page', () => {
    const page = { query: 'limit=2&offset=2', ids: ['c', 'd'], limit: 2, offset: 2, total: 3 };
    expect(learnedFrom(page).unclear.totalMeaning).toEqual([
      {
        sighting: { other: '3 with 2 of at least 4 drives on the page' },
        count: 1,
        first: 'GET /drives?limit=2&offset=2',
      },
    ]);
  });
});

describe('learned use of a limit or offset out of range', () => {
  const page = (query: string, limit: number, offset = 0) => ({ query, ids: ['a'], limit, offset });
  const learned = (...pages: readonly Page[]) => {
    const { observed, unclear } = learnedFrom(...pages);
    return unclear.outOfRangePaging?.map(({ sighting }) => sighting) ?? observed.outOfRangePaging;
  };

  it('is the nearest value when both bounds show, which cannot both be the default', () => {
    expect(learned(page('limit=101', 100))).toBeUndefined();
    expect(learned(page('limit=101', 100), page('limit=0', 1))).toBe('clamped');
    expect(learned(page('limit=2&offset=-1', 2, 0))).toBeUndefined();
  });

  it('is the default when another value than the nearest one shows', () => {
    expect(learned(page('limit=101', 20))).toBe('ignored');
    expect(learned(page('limit=101', 100), page('limit=0', 100))).toBe('ignored');
    expect(learned(page('limit=2&offset=-1', 2, 1))).toBe('ignored');
  });

  it('is unclear when two defaults show, or a value out of range', () => {
    expect(learned(page('limit=101', 20), page('limit=0', 1))).toEqual(['ignored', 'clamped']);
    expect(learned(page('limit=101', 101))).toEqual([{ other: 'a number out of range is used' }]);
  });
});

describe('ids of several formats', () => {
  it('are reported per format with count and first request', () => {
    const { observed, unclear } = learnedFrom(
      { query: 'offset=0', ids: ['drv_1', 'drv_2'] },
      { query: 'offset=2', ids: ['box_1'] },
      { query: 'offset=3', ids: ['4'] },
    );
    expect(observed.idFormat).toBeUndefined();
    expect(unclear.idFormat).toEqual([
      { sighting: 'prefixed', count: 2, first: 'GET /drives?offset=0' },
      { sighting: 'numeric', count: 1, first: 'GET /drives?offset=3' },
    ]);
  });
});

describe('exchange that is handed in again', () => {
  const operation = (id: string) =>
    operationsOf(loadDocument()).find(({ operationId }) => operationId === id) as Operation;
  const json = (value: unknown) => ({ kind: 'json', value, lengthBytes: 0 }) as const;
  const headers = { 'x-api-key': 'k', 'content-type': 'application/json' };
  const asked = (id: string, path: string, sent: unknown = undefined, query = ''): RequestView => ({
    ...{ operation: operation(id), path, query: decodeQuery(query), headers },
    body: sent === undefined ? { kind: 'none' } : json(sent),
  });
  const answered = (status: number, value: unknown): AnswerView => ({
    ...{ status, headers: { 'content-type': 'application/json' } },
    body: value === undefined ? { kind: 'none' } : json(value),
  });
  const page = (...ids: string[]) => ({
    data: ids.map((id) => ({ id, createdAt: '2026-01-01T00:00:00Z', name: id })),
    pagination: { limit: 2, offset: 0, total: ids.length },
  });
  const file = (id: string, path: string) => ({ id, path, metadata: {} });
  // Each changes what others are read by: whether the key is good, what is listed, taken or gone.
  const exchanges: readonly [RequestView, AnswerView][] = [
    [asked('listDrives', '/drives', undefined, 'limit=2'), answered(200, page('a', 'b'))],
    [asked('listDrives', '/drives', undefined, 'limit=2'), answered(200, page('b', 'c'))],
    [asked('listDrives', '/drives', undefined, 'limit=0'), answered(422, { message: 'no' })],
    [asked('listDrives', '/drives', undefined, 'x=1'), answered(403, { message: 'no' })],
    [asked('createDrive', '/drives', { name: 'a' }), answered(201, { id: 'n', name: 'a' })],
    [asked('createDrive', '/drives', { name: 'a' }), answered(409, { message: 'taken' })],
    [asked('createDrive', '/drives', {}), answered(400, { message: 'incomplete' })],
    [asked('getDriveFile', '/drives/a/files/f'), answered(200, file('f', '/x'))],
    [asked('getDriveFile', '/drives/a/files/g'), answered(200, file('g', '/y'))],
    [asked('getDriveFile', '/drives/a/files/h'), answered(404, { message: 'unknown' })],
    [asked('updateDriveFile', '/drives/a/files/g', { path: '/x' }), answered(409, { message: 'taken' })],
    [asked('deleteDriveTree', '/drives/a/tree', undefined, 'path=/'), answered(204, undefined)],
  ];

  it('shows more once its key is known to be good', () => {
    const reading = new Reading();
    const refused = exchanges[2] as (typeof exchanges)[number];
    const add = ([request, answer]: (typeof exchanges)[number]) => reading.add(request, answer, 'a line', String);
    add(refused);
    expect(reading.choiceAt('outOfRangePaging')).toBeUndefined();
    add([asked('listAgents', '/agents'), answered(200, [])]);
    add(refused);
    expect(reading.choiceAt('outOfRangePaging')).toBe('refused');
  });

  it('shows what another one like it shows', () => {
    const indices = fc.array(fc.nat(exchanges.length - 1), { maxLength: 60 });
    fc.assert(
      fc.property(indices, (order) => {
        const [again, anew] = [new Reading(), new Reading()];
        for (const index of order) {
          const [request, answer] = exchanges[index] as (typeof exchanges)[number];
          const line = `${request.operation.operationId} ${index}`;
          again.add(request, answer, line, (text) => text);
          anew.add({ ...request }, { ...answer }, line, (text) => text);
        }
        expect(again.learned()).toEqual(anew.learned());
      }),
    );
  });
});

describe('a reading', () => {
  const create = operationsOf(loadDocument()).find(({ isCreation }) => isCreation) as Operation;
  const headers = { 'x-api-key': 'k', 'content-type': 'application/json' };
  const body = (name: string) => ({ kind: 'json', value: { name }, lengthBytes: 0 }) as const;
  const createOne = (reading: Reading, name: string, status = 201) =>
    reading.add(
      { operation: create, path: '/drives', query: [], headers, body: body(name) },
      { status, headers: {}, body: body(name) },
      name,
      String,
    );

  it('tells a choice only where it is clear', () => {
    const reading = new Reading();
    expect(reading.choiceAt('createStatus')).toBeUndefined();
    createOne(reading, 'Ab');
    expect(reading.choiceAt('createStatus')).toBe(201);
    createOne(reading, 'Cd', 202);
    expect(reading.choiceAt('createStatus')).toBeUndefined();
    expect(reading.learned().unclear.createStatus).toEqual([
      { sighting: 201, count: 1, first: 'Ab' },
      { sighting: 202, count: 1, first: 'Cd' },
    ]);
  });

  it('forgets what it knew first after ten thousand facts', () => {
    const reading = new Reading();
    for (let index = 0; index < 10_000; index++) createOne(reading, `Name${index}`);
    createOne(reading, 'Name0');
    expect(reading.choiceAt('duplicateNames')).toBeUndefined();
    createOne(reading, 'Name9999');
    expect(reading.choiceAt('duplicateNames')).toBe('allowed');
  });

  it('keeps twenty different sightings of an open point', () => {
    const reading = new Reading();
    for (let status = 201; status < 231; status++) createOne(reading, `Name${status}`, status);
    createOne(reading, 'Again', 202);
    const seen = reading.learned().unclear.createStatus ?? [];
    expect(seen.map(({ sighting }) => sighting)).toEqual(Array.from({ length: 20 }, (_, index) => 201 + index));
    expect(seen.slice(0, 3).map(({ count }) => count)).toEqual([1, 2, 1]);
  });
});
