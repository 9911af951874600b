import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, operationsOf } from '../../openapi/contract/operations.ts';
import type { AnswerView, RequestView } from '../../openapi/reading/messages.ts';
import { decodeQuery } from '../../openapi/reading/query.ts';
import { Reading } from '../../openapi/reading/reading.ts';

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
