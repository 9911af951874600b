import { expect, it } from 'vitest';
import { harTimes, toHarRequest, toHarResponse } from '../../openapi/reading/har.ts';

// An entry of a HAR file, field by field. That whole files keep to the format is in conformance-trace.test.ts.

const url = 'http://api.test/v0.1/drives?limit=1&name=a%20b&name=c';

it('a request has its parameters decoded, and its body with its type and its size in bytes', () => {
  const headers = { accept: '*/*', 'Content-Type': 'application/json' };
  expect(toHarRequest({ method: 'POST', url, headers, body: '"é"' })).toEqual({
    ...{ method: 'POST', url, httpVersion: 'HTTP/1.1', cookies: [] },
    headers: [
      { name: 'accept', value: '*/*' },
      { name: 'Content-Type', value: 'application/json' },
    ],
    queryString: [
      { name: 'limit', value: '1' },
      { name: 'name', value: 'a b' },
      { name: 'name', value: 'c' },
    ],
    postData: { mimeType: 'application/json', params: [], text: '"é"' },
    ...{ headersSize: -1, bodySize: 4 },
  });
});

it('a request without a body has none, and one with an empty body of no type has that', () => {
  const plain = { method: 'GET', url: 'http://api.test/', httpVersion: 'HTTP/1.1', cookies: [], headers: [] };
  const sizes = { headersSize: -1, bodySize: 0 };
  const sent = { method: 'GET', url: 'http://api.test/', headers: {} };
  expect(toHarRequest(sent)).toEqual({ ...plain, queryString: [], ...sizes });
  expect(toHarRequest({ ...sent, body: '' })).toEqual({
    ...{ ...plain, queryString: [], postData: { mimeType: '', params: [], text: '' } },
    ...sizes,
  });
});

it('a URL that cannot be read has no parameters', () => {
  expect(toHarRequest({ method: 'GET', url: '/drives?limit=1', headers: {} })).toMatchObject({ queryString: [] });
});

it('a response has its body with its type and its size in bytes, and where it redirects to', () => {
  const headers = { 'content-type': 'text/plain', Location: '/elsewhere' };
  expect(toHarResponse({ status: 302, headers, body: 'é' }, 'Found')).toEqual({
    ...{ status: 302, statusText: 'Found', httpVersion: 'HTTP/1.1', cookies: [] },
    headers: [
      { name: 'content-type', value: 'text/plain' },
      { name: 'Location', value: '/elsewhere' },
    ],
    content: { size: 2, mimeType: 'text/plain', text: 'é' },
    ...{ redirectURL: '/elsewhere', headersSize: -1, bodySize: -1 },
  });
  expect(toHarResponse({ status: 0, headers: {}, body: '' }, '')).toMatchObject({
    ...{ status: 0, headers: [], content: { size: 0, mimeType: '', text: '' }, redirectURL: '' },
  });
});

it('all of the time is spent waiting, as nothing else was measured', () => {
  expect(harTimes(12)).toEqual({ time: 12, cache: {}, timings: { send: 0, wait: 12, receive: 0 } });
});
