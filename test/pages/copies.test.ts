import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CurlRequest } from '../../lib/curl.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsAt, operationsOf } from '../../openapi/contract/operations.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import type { RequestLogEntry } from '../../src/app/request-log.ts';
import { toCurl, toCurlForCmd } from '../../src/ui/shared/curl.ts';
import { toHar, wholeUrl } from '../../src/ui/traffic/har.ts';
import { nearestOperation } from '../../src/ui/traffic/nearest-operation.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { harSchema } from '../support/har-schema.ts';
import { argumentsOf, readByCmd } from '../support/windows-shell.ts';

// What the developer page copies and exports, and which operation it names for an unknown route.

const runs = { seed: randomSeed, numRuns: depth(100, 5_000) };
const signs = fc.stringMatching(/^[a-zA-Z%^"\\&|<>()!:=~,;'` \t\n[\]{}$*?@#é😀]{0,20}$/u);
const traps = fc.constantFrom(...String.raw`%PATH% %PATH:a=b% %PATH:~1,2% % %% \" \\" \ " ^`.split(' '), '\n', ' & ');
const anyText = fc.oneof(
  signs,
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.array(traps, { maxLength: 6 }).map((parts) => parts.join('')),
);
const oneLine = anyText.map((text) => text.replaceAll(/[\r\n\0]/g, ''));

describe('curl for cmd.exe', () => {
  const anyRequest: fc.Arbitrary<CurlRequest> = fc.record(
    {
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
      url: oneLine.map((text) => `http://127.0.0.1:4010/v0.1/${text}`),
      headers: fc.array(fc.tuple(fc.stringMatching(/^[a-z-]{1,8}$/), oneLine), { maxLength: 3 }),
      body: anyText,
    },
    { requiredKeys: ['method', 'url', 'headers'] },
  );

  it('passes on each character', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const command = toCurlForCmd(request);
        fc.pre(command !== undefined);
        const { method, url, headers, body } = request;
        const read = argumentsOf(readByCmd(command, {})).filter((word) => !/^(?:-g|--path-as-is)$/.test(word));
        expect(read).toEqual([
          'curl',
          ...(method === 'GET' && body === undefined ? [] : ['-X', method]),
          url,
          ...headers.flatMap(([name, value]) => ['-H', value.trim() === '' ? `${name};` : `${name}: ${value}`]),
          ...(body === undefined || headers.some(([name]) => name === 'content-type') ? [] : ['-H', 'Content-Type:']),
          ...(body === undefined ? [] : ['--data-raw', body]),
        ]);
      }),
      runs,
    );
  });

  it.each([
    ['a carriage return', 'a\r\nb'],
    ['a NUL', 'a\0b'],
    ['more than a line of cmd.exe holds', 'x'.repeat(8_200)],
  ])('is not made for a body with %s', (_, body) => {
    expect(toCurlForCmd({ method: 'POST', url: 'http://a/', headers: [], body })).toBeUndefined();
    expect(toCurl({ method: 'POST', url: 'http://a/', headers: [], body })).toContain(body);
  });

  it('takes a secret that is gone from a variable', () => {
    const headers = [
      ['x-api-key', '[REDACTED]'],
      ['authorization', 'Bearer [REDACTED]'],
      ['x-`id`', '[REDACTED]'],
    ] as const;
    const command = toCurlForCmd({ method: 'GET', url: 'http://a/', headers }) ?? '';
    const words = argumentsOf(readByCmd(command, { AGENT_PLATFORM_API_KEY: 'secret' }));
    expect(words).toEqual(expect.arrayContaining(['x-api-key: secret', 'Authorization: Bearer secret']));
    expect(words).toContain('x-`id`: [REDACTED]');
    const forShell = toCurl({ method: 'GET', url: 'http://a/', headers });
    expect(forShell).toContain("-H 'x-`id`: [REDACTED]'");
    expect(forShell).toContain('-H "x-api-key: $AGENT_PLATFORM_API_KEY"');
    expect(forShell).toContain('-H "Authorization: Bearer $AGENT_PLATFORM_API_KEY"');
  });
});

it.each([
  ['http://a/x?filter[path]=1', /^curl -g 'http/],
  ['http://a/b/../c', /^curl --path-as-is 'http/],
  ['http://a/b/..?c', /^curl --path-as-is 'http/],
  ['http://a/b..c/.d', /^curl 'http/],
])('is copied so that curl sends %s as it stands', (url, command) => {
  expect(toCurl({ method: 'GET', url, headers: [] })).toMatch(command);
});

describe('the export as HAR', () => {
  const isHar = new Schemas(harSchema).at('#');
  const anyHeaders = fc.dictionary(fc.stringMatching(/^[a-z-]{1,8}$/), fc.string(), { noNullPrototype: true });
  const anyEntry: fc.Arbitrary<RequestLogEntry> = fc.record(
    {
      id: fc.nat(),
      time: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString()),
      durationMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
      requestId: fc.string(),
      operationId: fc.constant('listDrives'),
      request: fc.record(
        {
          method: fc.constantFrom('GET', 'POST'),
          url: fc.webUrl().map((url) => new URL(url).pathname),
          headers: anyHeaders,
          body: anyText,
        },
        { requiredKeys: ['method', 'url', 'headers'] },
      ),
      answer: fc.record(
        { status: fc.constantFrom(0, 200, 404, 500), headers: anyHeaders, body: anyText },
        { requiredKeys: ['status', 'headers'] },
      ),
      isStripped: fc.boolean(),
    },
    { requiredKeys: ['id', 'time', 'durationMs', 'requestId', 'request', 'answer'] },
  );

  it('is HAR 1.2, the oldest exchange first, with each body as it was', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyEntry, { maxLength: 6, selector: ({ id }) => id }), (entries) => {
        const har = JSON.parse(toHar(entries, { origin: 'http://127.0.0.1:4010', version: '1.0.0' }));
        expect(isHar(har)).toEqual([]);
        const oldestFirst = entries.toSorted((one, other) => one.id - other.id);
        expect(har.log.entries).toHaveLength(entries.length);
        for (const [index, { request, answer, requestId, durationMs }] of oldestFirst.entries()) {
          const { _requestId, time, timings, request: sent, response } = har.log.entries[index];
          expect([_requestId, sent.postData?.text, response.content.text]).toEqual([
            ...[requestId, request.body, answer.body ?? ''],
          ]);
          const sizeOf = (text = '') => Buffer.byteLength(text);
          expect([sent.bodySize, response.content.size]).toEqual([sizeOf(request.body), sizeOf(answer.body)]);
          expect([time, timings]).toEqual([durationMs, { send: 0, wait: durationMs, receive: 0 }]);
        }
      }),
      runs,
    );
  });

  it.each([
    ['/v0.1/a/../b?x', 'http://m/v0.1/a/../b?x'],
    ['*', 'http://m/*'],
    ['http://other/x', 'http://other/x'],
  ])('has the URL of %s', (target, url) => {
    expect(wholeUrl(target, 'http://m')).toBe(url);
  });
});

describe('the nearest operation of an unknown route', () => {
  const operations = operationsOf(loadDocument());
  const anyOperation = fc.constantFrom(...operations);
  const anyId = fc.uuid();
  const pathOf = ({ segments }: (typeof operations)[number], id: string) =>
    `/${segments.map((segment) => ('literal' in segment ? segment.literal : id)).join('/')}`;

  it('is the operation itself where it is spelled right', () => {
    fc.assert(
      fc.property(anyOperation, anyId, (operation, id) => {
        expect(nearestOperation(operations, operation.method, `${pathOf(operation, id)}?a=b`)).toBe(operation);
      }),
      runs,
    );
  });

  it('has the same path where the method is another', () => {
    fc.assert(
      fc.property(anyOperation, anyId, fc.constantFrom('PATCH', 'HEAD', 'OPTIONS'), (operation, id, method) => {
        const path = pathOf(operation, id);
        const nearest = nearestOperation(operations, method, path);
        expect(operationsAt(operations, path)).toContain(nearest);
      }),
      runs,
    );
  });

  it('has the path that was misspelled by one letter, or by slashes', () => {
    const literals = operations.flatMap((operation) =>
      operation.segments.flatMap((segment, place) => ('literal' in segment ? [{ operation, place }] : [])),
    );
    const anyTypo = fc.record({
      literal: fc.constantFrom(...literals),
      id: anyId,
      at: fc.nat(20),
      letter: fc.constantFrom('', 'x', 'X', '-'),
      slashes: fc.constantFrom('', '/', '//'),
    });
    fc.assert(
      fc.property(anyTypo, ({ literal: { operation, place }, id, at, letter, slashes }) => {
        const parts = pathOf(operation, id).split('/');
        const word = parts[place + 1] ?? '';
        const cut = at % word.length;
        parts[place + 1] = word.slice(0, cut) + letter + word.slice(cut + 1);
        const nearest = nearestOperation(operations, operation.method, parts.join('/') + slashes);
        expect(nearest?.path).toBe(operation.path);
      }),
      runs,
    );
  });

  it('is none where nothing is alike', () => {
    for (const path of ['/', '', '/0000000000', '/?drives', '/%zz/+/**'])
      expect(nearestOperation(operations, 'GET', path)).toBeUndefined();
  });
});
