import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { authHeadersOf } from '../../openapi/contract/security.ts';
import { errorShapes } from '../../openapi/points/error-bodies.ts';
import { toCurl } from '../../src/ui/shared/curl.ts';
import { createEventReader, type StreamEvent } from '../../src/ui/shared/event-stream.ts';
import { indentJson } from '../../src/ui/shared/indent-json.ts';
import { formatPlace, parsePlace } from '../../src/ui/shared/place.ts';
import { readProblem } from '../../src/ui/shared/problem.ts';
import { filterKinds, formatTerm, parseFilter, selects, verdictOf } from '../../src/ui/traffic/filter.ts';
import { createWindow } from '../../src/ui/traffic/row-window.ts';
import { checkField } from '../../src/ui/try/check-field.ts';
import { examplesOf, fieldsOf } from '../../src/ui/try/fields.ts';
import { toBody, toRequest } from '../../src/ui/try/request.ts';
import { curlSnippet, fetchSnippet, typedSnippet } from '../../src/ui/try/snippets.ts';
import type { RequestLogEntry } from '../../src/workbench/request-log.ts';
import { depth, randomSeed } from '../support/depth.ts';

// What the developer page computes, without a browser.

const runs = { seed: randomSeed, numRuns: depth(200, 3_000) };
const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });

describe('the filter of exchanges', () => {
  const anyValue = fc.oneof(anyText, fc.stringMatching(/^[a-z":\\ -]{1,8}$/));
  const free = ['', 'method', 'op', 'path', 'sandbox', 'fault', 'point', 'id', 'body'];
  const anyTerm = fc.record({ name: fc.constantFrom(...free), value: anyValue, isNot: fc.boolean() });
  const anyEntry: fc.Arbitrary<RequestLogEntry> = fc.record(
    {
      id: fc.nat(),
      time: fc.constant('2026-06-01T12:00:00.000Z'),
      durationMs: fc.double({ noNaN: true }),
      requestId: fc.string(),
      operationId: fc.constantFrom('listDrives', 'createDrive'),
      organizationId: fc.constantFrom('org-a', 'org-b'),
      request: fc.record({
        method: fc.constantFrom('GET', 'POST'),
        url: fc.webPath(),
        headers: fc.constant({}),
        body: fc.string(),
      }),
      answer: fc.record({ status: fc.constantFrom(0, 200, 201, 404, 422, 500), headers: fc.constant({}) }),
      faults: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }),
      openPoints: fc.subarray(['listOrder', 'idFormat']),
    },
    { requiredKeys: ['id', 'time', 'durationMs', 'requestId', 'request', 'answer'] },
  );

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.array(anyTerm, { maxLength: 5 }), (terms) => {
        const text = terms.map(formatTerm).join(' ');
        expect(parseFilter(text, 'mock')).toEqual({ terms, errors: [] });
      }),
      runs,
    );
  });

  it('takes any text, and ends', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.stringMatching(/^[a-z":\\ -]{0,30}$/)), anyEntry, (text, entry) => {
        const { terms, errors } = parseFilter(text, 'mock');
        expect(terms.length + errors.length === 0).toBe(text.trim() === '');
        selects({ terms, errors }, entry);
      }),
      runs,
    );
  });

  it('selects by all terms, and the opposite by a minus', () => {
    fc.assert(
      fc.property(anyEntry, fc.array(anyTerm, { maxLength: 4 }), (entry, terms) => {
        const each = terms.map((term) => selects({ terms: [term], errors: [] }, entry));
        expect(selects({ terms, errors: [] }, entry)).toBe(each.every(Boolean));
        for (const [index, term] of terms.entries())
          expect(selects({ terms: [{ ...term, isNot: !term.isNot }], errors: [] }, entry)).toBe(!each[index]);
      }),
      runs,
    );
  });

  it('finds each exchange by what it shows', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const { method, url } = entry.request;
        const facts = { method, path: url, status: String(entry.answer.status), verdict: verdictOf(entry) };
        const ours = Object.entries({ ...facts, ...(entry.operationId && { op: entry.operationId }) });
        for (const [name, value] of ours.filter(([, shown]) => shown !== '')) {
          const filter = parseFilter(formatTerm({ name, value, isNot: false }), 'mock');
          expect([filter.errors, selects(filter, entry)]).toEqual([[], true]);
        }
        const { status } = entry.answer;
        expect(selects(parseFilter(`status:${Math.floor(status / 100)}XX`, 'mock'), entry)).toBe(true);
      }),
      runs,
    );
  });

  it.each([
    [0, 'lost'],
    [200, 'ok'],
    [399, 'ok'],
    [400, 'refused'],
    [499, 'refused'],
    [500, 'failed'],
  ])('calls an exchange with status %d %s', (status, verdict) => {
    expect(verdictOf({ answer: { status } } as RequestLogEntry)).toBe(verdict);
  });

  it.each([
    ['stauts:404', /no filter stauts \(did you mean status\?\)/],
    ['status:abc', /must be a status/],
    ['verdict:good', /must be one of ok/],
    ['path:"/a', /quote in path:"\/a is not closed/],
    ['method:', /method: needs a value/],
    ['-', /needs a word/],
    ['constructor:1', /no filter constructor/],
    ['broke:client', /broke: has no effect here; only a proxy has it/],
  ])('says what is wrong with %s, and applies the rest', (text, error) => {
    const { terms, errors } = parseFilter(`status:4xx ${text}`, 'mock');
    expect(errors).toEqual([expect.stringMatching(error)]);
    expect(terms).toEqual([{ name: 'status', value: '4xx', isNot: false }]);
  });

  it('refuses in a proxy what only a mock has', () => {
    const only = Object.entries(filterKinds).filter(([, { onlyIn }]) => onlyIn === 'mock');
    expect(only.map(([name]) => name)).toEqual(['sandbox', 'fault', 'point']);
    for (const [name] of only)
      expect(parseFilter(`${name}:any`, 'proxy').errors).toEqual([expect.stringMatching(/only a mock/)]);
    expect(parseFilter('broke:client', 'proxy').errors).toEqual([]);
  });

  it('finds a fault by its whole id', () => {
    const entry = { faults: ['fault-10'] } as unknown as RequestLogEntry;
    const finds = (value: string) => selects(parseFilter(`fault:${value}`, 'mock'), entry);
    expect([finds('fault-1'), finds('fault-10'), finds('any')]).toEqual([false, true, true]);
  });

  it('has a help that is a filter itself, for each name', () => {
    for (const [name, { help }] of Object.entries(filterKinds)) expect(help).toMatch(new RegExp(`^${name}:`));
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

  it.each(['', '#', '#/', '#/try/%', '#/try?%', '#///'])('takes %j', (hash) => {
    expect(parsePlace(hash)).toMatchObject({ view: expect.any(String) });
  });
});

it('indents JSON without changing a token', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 1, 3), (text, spaces) => {
      const sent = JSON.stringify(JSON.parse(text), null, spaces);
      expect(indentJson(sent)).toBe(prettyOf(JSON.parse(text)));
    }),
    runs,
  );
  const long = '{"id":12345678901234567890,"one":1.0,"e":1E2,"u":"\\u0041 {,}","empty":{},"none":[]}';
  expect(indentJson(long)?.replaceAll(/\n */g, '').replaceAll('": ', '":')).toBe(long);
  for (const no of ['', '{', 'no json', '<p>']) expect(indentJson(no)).toBeUndefined();
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

it.each(['', 'text', 'null', '[]', '12', '{}', '{"error":null}'])('reads no reason in %j', (body) => {
  expect(readProblem(body)).toBeUndefined();
});

describe('the form of an operation', () => {
  const contract = loadDocument();
  const operations = operationsOf(contract);
  const authHeaders = authHeadersOf(contract);

  it('finds nothing wrong with the examples of the contract', () => {
    const checked = operations.flatMap((operation) => {
      const fields = new Map(fieldsOf(contract, operation).map((field) => [field.key, field]));
      return examplesOf(contract, operation).flatMap(({ values }) =>
        Object.entries(values).map(([key, text]) => {
          const field = fields.get(key);
          return [operation.operationId, key, field === undefined ? 'no field' : checkField(field, text)];
        }),
      );
    });
    expect(checked.length).toBeGreaterThan(5);
    expect(checked.filter(([, , error]) => error !== undefined)).toEqual([]);
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
        expect(JSON.parse(toBody(fields, { 'body.name': name, 'body.url': url }))).toEqual({ name, url });
      }),
      runs,
    );
    expect(toBody(fields, {})).toBe('{}');
  });

  const hostile = `it's "$(id)" \`x\`\\ \u2028 é\n`;
  const requests = operations.map((operation) => {
    const fields = fieldsOf(contract, operation);
    const typed = (type: unknown) => (type === 'integer' ? '5' : hostile);
    const values = Object.fromEntries(fields.map(({ key, schema }) => [key, typed(schema.type)]));
    const form = { values, rawBody: undefined, key: 'key-a', authHeaders: authHeaders.slice(0, 1), prefer: 'code=200' };
    return { operation, form, request: toRequest(operation, fields, form, '/v0.1') };
  });

  it('is copied as curl with all of it, which a shell runs in test/contract/curl.test.ts', () => {
    for (const { request } of requests)
      expect(curlSnippet(request, 'http://a')).toBe(toCurl({ ...request, url: `http://a${request.target}` }));
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
