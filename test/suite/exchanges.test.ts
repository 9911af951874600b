import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../conformance/run/settings.ts';
import {
  authHeaderIn,
  carries,
  extended,
  foreignScheme,
  inOtherCase,
  inSpelling,
  invalidKey,
  keysNear,
  mixed,
  noKey,
  shortened,
  validKey,
  withOtherStart,
} from '../../conformance/target/credentials.ts';
import { isSilent } from '../../conformance/target/pace.ts';
import { readAnswer, toFailure } from '../../conformance/target/received.ts';
import type { Reply } from '../../conformance/target/reply.ts';
import { toExchange } from '../../conformance/target/reply.ts';
import { contentOf, encodeName, fillPath, queryOf, spellJson } from '../../conformance/target/request-parts.ts';
import { requestIdOf } from '../../conformance/target/target.ts';

const asIs = (text: string) => text;

describe('an error of the HTTP client', () => {
  it.each([
    ['timeout', 'ECONNABORTED ETIMEDOUT ETIME', 'no complete response came within the time limit'],
    ['refused', 'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH', 'no connection could be made'],
    ['reset', 'ECONNRESET EPIPE UND_ERR_SOCKET', 'the connection closed before the response was complete'],
    [
      'tooLarge',
      'ETOOLARGE ERR_BUFFER_TOO_LARGE HPE_HEADER_OVERFLOW',
      'the response is larger than 20 MB, or its headers larger than 1 MB',
    ],
    ['unreadable', 'HPE_INVALID_CONSTANT Z_DATA_ERROR', 'the response is not HTTP, or not encoded as its headers say'],
    [
      'certificate',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID',
      'the certificate of the target is not trusted',
    ],
    ['other', 'EPROTO EXHPE_ CERTAIN', 'the request failed'],
  ])('is %s for the codes %s', (kind, codes, words) => {
    for (const code of codes.split(' ')) {
      const { failure, ...rest } = toFailure(Object.assign(new Error('broken'), { code }));
      expect([failure?.kind, failure?.message.shown(asIs)]).toEqual([kind, `${words} (${code})`]);
      expect(rest).toEqual({ status: 0, headers: {}, text: '', isTooDeep: false, hasBody: false });
    }
  });

  it('may have its code in its text', () => {
    const { failure } = toFailure(new Error('ECONNREFUSED: connect to 127.0.0.1:1'));
    expect(failure?.kind).toBe('refused');
    expect(failure?.message.shown(asIs)).toBe('no connection could be made (ECONNREFUSED)');
  });

  it('without a code is quoted, and so without its secrets', () => {
    for (const error of [new Error('no E: sk-1 is odd'), new Error('at ECONNRESET: sk-1'), { message: 'sk-1' }]) {
      const { failure } = toFailure(error);
      expect(failure?.kind).toBe('other');
      expect(failure?.message.shown((text) => text.replace('sk-1', '***'))).toBe(
        `the request failed (${error.message.replace('sk-1', '***')})`,
      );
    }
  });
});

describe('a response', () => {
  const answer = (body: unknown) => readAnswer({ status: 201, headers: { a: 'b', 'set-cookie': ['c', 'd'] }, body });

  it('has its status, its headers as texts, and its body', () => {
    const common = { status: 201, headers: { a: 'b', 'set-cookie': 'c,d' }, isTooDeep: false };
    expect(answer(Buffer.from('[1]'))).toEqual({ ...common, text: '[1]', hasBody: true });
    expect(answer(Buffer.alloc(0))).toEqual({ ...common, text: '', hasBody: false });
    expect(answer({})).toEqual({ ...common, text: '', hasBody: false });
  });

  it('has no text if its bytes are not UTF-8', () => {
    expect(answer(Buffer.from([0xff, 0xfe]))).toMatchObject({ text: undefined, hasBody: true, isTooDeep: false });
  });

  it('is kept in part only if it is nested too deep', () => {
    const { text, isTooDeep } = answer(Buffer.from('['.repeat(50_000)));
    expect([text, isTooDeep]).toEqual(['['.repeat(4_000), true]);
  });

  it.each<[Partial<Reply>, boolean]>([
    [{ status: 200 }, false],
    [{ status: 500 }, false],
    [{ status: 501 }, false],
    [{ status: 502 }, true],
    [{ status: 503 }, true],
    [{ status: 503, headers: { 'retry-after': '5' } }, false],
    [{ status: 504 }, true],
    [{ status: 505 }, false],
    [{ status: 0, failure: 'timeout' }, true],
    [{ status: 0, failure: 'reset' }, true],
    [{ status: 0, failure: 'tooLarge' }, false],
  ])('tells whether the target is there: %j', (reply, silent) => {
    expect(isSilent({ headers: {}, ...reply } as Reply)).toBe(silent);
  });
});

describe('the id of a request', () => {
  it.each<[Partial<Settings>, number, object]>([
    [{}, 7, { 'X-Request-Id': '0123abcd-0000-4000-8000-000000000007' }],
    [{ requestIdHeader: 'X-Trace' }, 123_456, { 'X-Trace': '0123abcd-0000-4000-8000-000000123456' }],
    [{ requestIdHeader: 'none' }, 7, {}],
    [{ headers: { 'x-REQUEST-id': 'mine', 'X-Other': 'a' } }, 7, {}],
    [{ headers: { 'X-Other': 'a' } }, 7, { 'X-Request-Id': '0123abcd-0000-4000-8000-000000000007' }],
  ])('has the form of a UUID, unless none is wanted or the user sends that header: %j', (settings, count, sent) => {
    const usual = { runId: 'run-0123abcd', requestIdHeader: 'X-Request-Id', headers: {} };
    expect(requestIdOf({ ...usual, ...settings }, count)).toEqual(sent);
  });
});

describe('an exchange as evidence', () => {
  const happened = (more: object = {}, answered: object = {}) => ({
    request: {
      operation: 'listAgents' as const,
      method: 'GET',
      path: '/agents?q=sk-1',
      headers: {},
      isAuthenticated: true,
      ...more,
    },
    answered: { status: 200, headers: {}, text: 'sk-1', isTooDeep: false, hasBody: true, ...answered },
    ...{ sentAtMs: 10, receivedAtMs: 12.34, requestId: undefined },
  });
  const redact = (text: string) => text.replaceAll('sk-1', '***');
  const settings = { baseUrl: 'http://target.test/v0.1', headers: { 'X-Gateway': 'via sk-1' } };
  const shown = (one: ReturnType<typeof happened>, longest?: number) => toExchange(settings, redact, one, longest);

  it('has what was sent and what came, without secrets', () => {
    const keys = { Authorization: 'Bearer sk-1', 'X-API-Key': 'sk-1', 'Content-Type': 'application/json' };
    const sent = { ...happened({ headers: keys, body: 'for sk-1' }, { headers: { 'x-sk-1': 'a' } }), requestId: 'r-1' };
    expect(shown(sent as never)).toEqual({
      operation: 'listAgents',
      request: {
        ...{ method: 'GET', url: 'http://target.test/v0.1/agents?q=***', body: 'for ***' },
        headers: {
          ...{ 'X-Gateway': 'via ***', Authorization: 'Bearer ***', 'X-API-Key': '***' },
          'Content-Type': 'application/json',
        },
      },
      response: { status: 200, headers: { 'x-***': 'a' }, body: '***' },
      durationMs: 2.3,
      requestId: 'r-1',
    });
    expect(shown(happened()).request).not.toHaveProperty('body');
    expect(shown(happened())).not.toHaveProperty('requestId');
    expect(shown(happened({}, { text: undefined })).response?.body).toBe('(bytes that are not UTF-8)');
  });

  it('is cut behind the longest body, and says so', () => {
    const long = happened({ body: 'b'.repeat(11) }, { text: 'a'.repeat(10) });
    expect(shown(long, 10).response?.body).toBe('a'.repeat(10));
    expect(shown(long, 10).request.body).toBe(`${'b'.repeat(10)}… (truncated, 10 of 11 characters)`);
    const usual = `${'a'.repeat(2_000)}… (truncated, 2,000 of 2,001 characters)`;
    expect(shown(happened({}, { text: 'a'.repeat(2_001) })).response?.body).toBe(usual);
  });

  it('has the reason why no response came', () => {
    const { failure } = toFailure(new Error('sk-1'));
    const { failure: told, response } = shown(happened({}, { failure }));
    expect([told, response]).toEqual([{ kind: 'other', message: 'the request failed (***)' }, undefined]);
  });
});

describe('a key in a request', () => {
  const spelled = (turn: number) => Object.keys(inSpelling(validKey('k', 'header'), turn).headers)[0];

  it('is carried in either header', () => {
    expect(validKey('k', 'header')).toEqual({ headers: { 'X-API-Key': 'k' }, isValid: true });
    expect(validKey('k', 'bearer')).toEqual({ headers: { Authorization: 'Bearer k' }, isValid: true });
    expect(invalidKey('k', 'bearer')).toEqual({ headers: { Authorization: 'Bearer k' }, isValid: false });
    expect(invalidKey('k', 'header', 'half a key')).toMatchObject({ isValid: false, kind: 'half a key' });
    expect(noKey).toEqual({ headers: {}, isValid: false });
    expect(foreignScheme('k')).toMatchObject({ headers: { Authorization: 'Basic k' }, isValid: false });
    expect(foreignScheme('k', 'Token').kind).toBe('the key under the scheme Token');
  });

  it('is spelled in every case by turns', () => {
    expect([0, 1, 2, 3, 4].map(spelled)).toEqual(['x-api-key', 'X-API-KEY', 'X-Api-Key', 'X-API-Key', 'x-api-key']);
    expect(inSpelling(invalidKey('k', 'header'), 0)).toEqual({ headers: { 'x-api-key': 'k' }, isValid: false });
  });

  it('is found in whichever spelling, and no other one is', () => {
    for (const authHeader of ['header', 'bearer'] as const)
      for (const turn of [0, 1, 2, 3]) {
        const { headers } = inSpelling(validKey('k', authHeader), turn);
        expect([carries(headers, 'k'), carries(headers, 'K'), authHeaderIn(headers)]).toEqual([
          true,
          false,
          authHeader,
        ]);
      }
    expect(carries({ Authorization: 'Basic k' }, 'k')).toBe(false);
    expect(carries({}, 'undefined')).toBe(false);
  });
});

describe('a key near another one', () => {
  const anyKey = fc.stringMatching(/^[!-~]{1,24}$/);

  it('is not that key, not empty, can be sent, and comes once', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const values = keysNear(key).map(({ value }) => value);
        expect(values).not.toContain(key);
        expect(values.filter((value) => !/^[!-~]([ -~]*[!-~])?$/.test(value))).toEqual([]);
        expect(new Set(values).size).toBe(values.length);
      }),
    );
  });

  it.each([
    ['is changed', ['Ab', 'b3', 'AB3', 'ab3', '~b3', '_b3', 'Ab_', 'Ab%', 'Ab*', 'Ab.', 'Ab~']],
    [
      'has something around it',
      ['xAb3', 'Ab3%', 'Ab3*', '%Ab3', 'Ab3.x', 'Ab3:x', 'Ab3=', "Ab3'--", '"Ab3"', 'Ab3Ab3'],
    ],
    ['is a text of nobody', ['%', '*', '.*', "'OR'1'='1", 'null', 'undefined', 'true', '0', '___', '...', '%%%']],
  ])('%s, and is told in words without the key', (_, values) => {
    const near = keysNear('Ab3');
    expect(near.map(({ value }) => value)).toEqual(expect.arrayContaining(values));
    expect(near.filter(({ kind }) => !/\S/.test(kind) || /Ab|b3/i.test(kind))).toEqual([]);
    expect(new Set(near.map(({ kind }) => kind)).size).toBe(near.length);
  });

  it('is changed in the way that its name says', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(shortened(key) + key.at(-1)).toBe(key);
        expect(extended(key)).toBe(`${key}x`);
        expect(withOtherStart(key).slice(1)).toBe(key.slice(1));
        expect(inOtherCase(key).toLowerCase()).toBe(key.toLowerCase());
        if (/[a-z]/i.test(key)) expect(inOtherCase(key)).not.toBe(key);
      }),
    );
  });

  it('made of two begins as one and ends as the other, unless a part may be any word', () => {
    expect(mixed('abcdefgh', 'ijklmnop')).toEqual(['abcdmnop']);
    expect(mixed('abcdefgh', 'ijklmn')).toEqual([]);
    expect(mixed('abcdefg', 'ijklmnop')).toEqual([]);
    expect(mixed('abcdefgh', 'ijklmno')).toEqual(['abcdlmno']);
    expect(mixed('abcdefgh', '')).toEqual([]);
  });
});

describe('a JSON value', () => {
  it('means the same in every spelling', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(20), (value, turn) => {
        expect(JSON.parse(spellJson(value, turn))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { examples: [[{ a: '/é€😀', b: [1, { c: null }] }, 2]] },
    );
  });

  it('is spelled close, with lines, in ASCII, and from its end', () => {
    const value = { path: '/é', list: [1, 2] };
    expect([0, 1, 2, 3, 4].map((turn) => spellJson(value, turn))).toEqual([
      '{"path":"/é","list":[1,2]}',
      '{\n  "path": "/é",\n  "list": [\n    1,\n    2\n  ]\n}\n',
      '{"path":"\\/\\u00e9","list":[1,2]}',
      '{"list":[1,2],"path":"/é"}',
      '{"path":"/é","list":[1,2]}',
    ]);
    for (const value of [null, [2, 1], 'ba']) expect(JSON.parse(spellJson(value, 3))).toEqual(value);
  });
});

describe('the parts of a request', () => {
  it('have a media type where there is a body', () => {
    expect(contentOf({}, 0)).toEqual({ headers: {} });
    expect(contentOf({ json: null }, 0)).toEqual({ headers: { 'Content-Type': 'application/json' }, body: 'null' });
    const raw = { body: 'a', contentType: 'text/plain' };
    expect(contentOf({ raw, json: 1 }, 0)).toEqual({ headers: { 'Content-Type': 'text/plain' }, body: 'a' });
  });

  it('hold each parameter of the path, encoded', () => {
    const path = fillPath('/drives/{driveId}/files/{fileId}', { driveId: 'a/b c?', fileId: '\ud800é' });
    expect(path).toBe('/drives/a%2Fb%20c%3F/files/%EF%BF%BD%C3%A9');
    expect(fillPath('/drives/{driveId}/items', {})).toBe('/drives//items');
  });

  it('have a query with its parameters in either order', () => {
    const query = { limit: 2, 'a b&c': '=é' };
    expect([0, 1, 2].map((turn) => queryOf('listDrives', query, turn))).toEqual([
      '?limit=2&a%20b%26c=%3D%C3%A9',
      '?a%20b%26c=%3D%C3%A9&limit=2',
      '?limit=2&a%20b%26c=%3D%C3%A9',
    ]);
    expect(queryOf('listDrives', undefined, 0)).toBe('?limit=100&offset=0');
    expect(queryOf('listAgents', undefined, 0)).toBe('');
    expect(queryOf('listDrives', {}, 0)).toBe('');
    expect(queryOf('listDrives', 'limit=%', 1)).toBe('?limit=%');
  });

  it('encode only what would change the name of a parameter', () => {
    expect(encodeName("tree-path_1.[x]/$!*'()")).toBe("tree-path_1.[x]/$!*'()");
    expect(encodeName('a&b=c+d#e%f g\u00e9😀')).toBe('a%26b%3Dc%2Bd%23e%25f%20g%C3%A9%F0%9F%98%80');
  });
});
