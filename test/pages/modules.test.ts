import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { authHeadersOf } from '../../openapi/contract/security.ts';
import { errorShapes } from '../../openapi/points/error-bodies.ts';
import type { RequestLogEntry } from '../../src/app/request-log.ts';
import { createMock } from '../../src/index.ts';
import { createEventReader, type StreamEvent } from '../../src/ui/shared/event-stream.ts';
import { indentedPieces } from '../../src/ui/shared/json.ts';
import { formatPlace, parsePlace } from '../../src/ui/shared/place.ts';
import { readProblem } from '../../src/ui/shared/problem.ts';
import { createWindow } from '../../src/ui/shared/row-window.ts';
import { selects, type TrafficFilter } from '../../src/ui/traffic/filter.ts';
import { describe as describeOpen, responseFields } from '../../src/ui/try/contract-docs.ts';
import { examplesOf, fieldsOf } from '../../src/ui/try/fields.ts';
import { fromBody, toBody, toRequest } from '../../src/ui/try/request.ts';
import { fetchSnippet, typedSnippet } from '../../src/ui/try/snippets.ts';
import { depth, randomSeed } from '../support/depth.ts';

// What the developer page computes, without a browser.

const runs = { seed: randomSeed, numRuns: depth(200, 3_000) };

describe('the filter of exchanges', () => {
  const entry = {
    requestId: 'req-1',
    operationId: 'createDrive',
    request: { method: 'POST', url: '/v0.1/drives', headers: {}, body: '{"name":"Plans"}' },
    answer: { status: 422, headers: {}, body: '{"title":"Invalid input"}' },
    faults: ['fault-10'],
    openPoints: ['listOrder'],
  } as unknown as RequestLogEntry;

  it.each<[TrafficFilter, boolean]>([
    [{}, true],
    [{ find: 'POST drives' }, true],
    [{ find: 'plans invalid req-1' }, true],
    [{ find: 'plans elsewhere' }, false],
    [{ status: '4xx' }, true],
    [{ status: '422' }, true],
    [{ status: '2xx' }, false],
    [{ status: '0' }, false],
    [{ operation: 'createDrive' }, true],
    [{ operation: 'listDrives' }, false],
    [{ fault: 'fault-10' }, true],
    [{ fault: 'fault-1' }, false],
    [{ point: 'listOrder' }, true],
    [{ point: 'idFormat' }, false],
    [{ broke: 'none' }, true],
    [{ broke: 'any' }, false],
  ])('%j selects: %s', (filter, isSelected) => {
    expect(selects(filter, entry)).toBe(isSelected);
  });

  it('tells exchanges without a response', () => {
    expect(selects({ status: '0' }, { ...entry, answer: { status: 0, headers: {} } })).toBe(true);
  });
});

describe('the address of the page', () => {
  it('reads what it writes', () => {
    const anyPlace = fc.record({
      view: fc.stringMatching(/^[a-z-]{1,8}$/),
      selected: fc.string({ unit: 'grapheme' }),
      query: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.string({ unit: 'grapheme', minLength: 1 }), {
        noNullPrototype: true,
      }),
    });
    fc.assert(
      fc.property(anyPlace, (place) => {
        expect(parsePlace(formatPlace(place))).toEqual(place);
      }),
      runs,
    );
  });

  it('keeps its slashes legible', () => {
    const place = { view: 'state', selected: 'drives/a b/files/x%2Fy', query: {} };
    expect(formatPlace(place)).toBe('#/state/drives/a%20b/files/x%252Fy');
    expect(parsePlace('#/state/drives%2Fa%20b%2Ffiles%2Fx%252Fy')).toEqual(place);
  });

  it.each(['', '#', '#/', '#/try/%', '#/try?%', '#///'])('takes %j', (hash) => {
    expect(parsePlace(hash)).toMatchObject({ view: expect.any(String) });
  });
});

const indented = (text: string) =>
  indentedPieces(text)
    ?.map((piece) => piece.text)
    .join('');

it('indents JSON without changing a token, and tells names from texts', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 1, 3), (text, spaces) => {
      const sent = JSON.stringify(JSON.parse(text), null, spaces);
      expect(indented(sent)).toBe(prettyOf(JSON.parse(text)));
    }),
    runs,
  );
  const long = '{"id":12345678901234567890,"one":1.0,"e":1E2,"u":"\\u0041 {,}","empty":{},"none":[]}';
  expect(indented(long)?.replaceAll(/\n */g, '').replaceAll('": ', '":')).toBe(long);
  for (const no of ['', '{', 'no json', '<p>']) expect(indentedPieces(no)).toBeUndefined();
  const kinds = indentedPieces('{"a":"b","c":[1,true]}')?.filter(({ kind }) => kind !== 'plain');
  expect(kinds?.map(({ text, kind }) => `${text} ${kind}`)).toEqual([
    ...['"a" name', '"b" text', '"c" name', '1 number', 'true word'],
  ]);
});

const prettyOf = (value: unknown) => JSON.stringify(value, null, 2);

it('reads events wherever the stream is cut', () => {
  const anyEvents = fc.array(fc.record({ name: fc.constantFrom('exchange', 'message'), data: fc.json() }), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(anyEvents, fc.array(fc.nat({ max: 40 })), (events, cuts) => {
      const blocks = events.map(({ name, data }, id) => `event: ${name}\nid: ${id}\ndata: ${data}\n\n`);
      let rest = `: a comment\n\n${blocks.join(': another\n\n')}`;
      const read: StreamEvent[] = [];
      const take = createEventReader((event) => read.push(event));
      for (const cut of cuts) {
        take(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      take(rest);
      expect(read).toEqual(events);
    }),
    runs,
  );
});

it('draws the rows in sight, and few others', () => {
  fc.assert(
    fc.property(fc.nat(5_000), fc.nat(200_000), fc.integer({ min: 1, max: 2_000 }), (count, scrollTop, height) => {
      const { first, last } = createWindow(count, scrollTop, height);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(last).toBeLessThanOrEqual(count);
      expect(last - first).toBeLessThan(height / 32 + 20);
      const top = Math.min(Math.floor(scrollTop / 32), Math.max(0, count - 1));
      if (count > 0 && scrollTop < count * 32) expect(first <= top && top < last).toBe(true);
    }),
    runs,
  );
});

it.each(Object.entries(errorShapes))('reads the reason in an error body of the form %s', (_, { toBody: write }) => {
  const problem = {
    ...{ type: 'urn:agent-platform:problem:invalid-input', title: 'Invalid input', status: 422 },
    detail: 'body.name is required',
    validation: [{ location: ['body', 'name'], severity: 'Error', code: 'required', message: 'is required' }],
  };
  const read = readProblem(JSON.stringify(write(problem as Parameters<typeof write>[0])));
  expect(`${read?.detail} ${read?.violations.map(({ message }) => message)}`).toContain('is required');
});

const ofFault = '{"title":"Unavailable","detail":"A fault caused this response. The header X-Fault names the fault."}';

it.each(['', 'text', 'null', '[]', '12', '{}', '{"error":null}', ofFault])('reads no reason in %j', (body) => {
  expect(readProblem(body)).toBeUndefined();
});

describe('the form of an operation', () => {
  const contract = loadDocument();
  const operations = operationsOf(contract);
  const authHeaders = authHeadersOf(contract);

  it('has a field for each value of the examples', () => {
    for (const operation of operations) {
      const known = fieldsOf(contract, operation).map(({ key }) => key);
      for (const { values } of examplesOf(contract, operation))
        expect(known).toEqual(expect.arrayContaining(Object.keys(values)));
    }
  });

  it('tells of each field of a response what is stated, what is expected and what is open', async () => {
    const mock = await createMock();
    const served = await (await fetch(new URL('/openapi.json', mock.url))).json();
    await mock.close();
    const fieldsAt = (id: string) =>
      responseFields(served, operationsOf(served).find((one) => one.operationId === id) as (typeof operations)[number]);
    expect(fieldsAt('listDrives').map(({ path, depth: level, presence }) => [path, level, presence])).toEqual(
      expect.arrayContaining([
        ['data', 0, 'always there'],
        ['data[].id', 1, 'expected'],
        ['pagination.limit', 1, 'expected'],
      ]),
    );
    const status = fieldsAt('getDriveFile').find(({ path }) => path === 'status');
    expect(status).toMatchObject({ type: '"processing" or "ready" or "error"', stated: 'Processing status.' });
    expect(status?.open.map(({ id }) => id)).toEqual(['fileStatusFlow']);
    const [limit] = fieldsOf(
      served,
      operationsOf(served).find(({ operationId }) => operationId === 'listDrives') as (typeof operations)[number],
    );
    expect(limit).toMatchObject({ stated: 'Maximum number of drives to return.' });
    expect(limit?.open).toMatchObject([{ id: 'pagingDefaults.limit', choice: '20', means: '20 drives' }]);
    expect(describeOpen('Only stated.')).toEqual({ stated: 'Only stated.', open: [] });
  });

  it('puts required fields first', () => {
    for (const operation of operations) {
      const required = fieldsOf(contract, operation).map(({ isRequired }) => isRequired);
      expect(required).toEqual([...required].sort().reverse());
    }
  });

  it('makes a body that holds what was typed', () => {
    const [operation] = operations.filter(({ operationId }) => operationId === 'createMcpServer');
    if (operation === undefined) throw new Error('The contract has lost an operation.');
    const fields = fieldsOf(contract, operation);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ minLength: 1 }), (name, url) => {
        const body = toBody(fields, { 'body.name': name, 'body.url': url });
        expect(JSON.parse(body)).toEqual({ name, url });
        expect(fromBody(fields, body)).toMatchObject({ 'body.name': name, 'body.url': url });
      }),
      runs,
    );
    expect(toBody(fields, {})).toBe('{}');
    expect(fromBody(fields, ' {"url": "u", "name": "n"}')).toMatchObject({ 'body.name': 'n', 'body.url': 'u' });
    for (const text of ['', '[]', 'null', '5', '{"name": 1', '{"name":1}', '{"name":""}', '{"other":"lost"}'])
      expect(fromBody(fields, text), text).toBeUndefined();
  });

  const hostile = `it's "$(id)" \`x\`\\ \u2028 é\n`;
  const requests = operations.map((operation) => {
    const fields = fieldsOf(contract, operation);
    const typed = (type: unknown) => (type === 'integer' ? '5' : hostile);
    const values = Object.fromEntries(fields.map(({ key, schema }) => [key, typed(schema.type)]));
    const form = { values, rawBody: undefined, key: 'key-a', authHeaders: authHeaders.slice(0, 1), prefer: 'code=200' };
    return { operation, form, request: toRequest(operation, fields, form, '/v0.1') };
  });

  it('is copied as fetch so that it sends the same', async () => {
    for (const { request } of requests) {
      const sent: unknown[] = [];
      const fetch = async (url: string, options: object = {}) => {
        sent.push([url, options]);
        return new Response('');
      };
      const run = new Function('fetch', 'console', `return (async () => { ${fetchSnippet(request, 'http://a')} })()`);
      await run(fetch, { log: () => undefined });
      const { method, body, headers } = request;
      const options = {
        ...(method === 'GET' ? {} : { method }),
        headers: Object.fromEntries(headers),
        ...(body && { body }),
      };
      expect(sent).toEqual([[`http://a${request.target}`, options]]);
    }
  });

  it('is copied as a call of a typed client that is TypeScript', () => {
    for (const { operation, form, request } of requests) {
      const text = typedSnippet(operation, request, form, 'http://a/v0.1');
      const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
      expect(
        diagnostics.map(({ messageText }) => messageText),
        text,
      ).toEqual([]);
      expect(text).toContain(`client.${operation.method}('${operation.path}'`);
      const [client = '', call = ''] = text.split('await client.');
      expect([client.includes('Prefer'), call.includes("headers: { Prefer: 'code=200' }")]).toEqual([false, true]);
    }
  });
});
