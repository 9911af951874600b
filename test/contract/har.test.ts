import { expect, it } from 'vitest';
import { toHarRequest, toHarResponse } from '../../lib/har.ts';

// What stands in an entry of a HAR file. Sizes and times are in test/pages/copies.test.ts, whole files in test/suite/trace.

it('a request has its parameters decoded, and its body with its type', () => {
  const url = 'http://api.test/v0.1/drives?limit=1&name=a%20b&name=c';
  const headers = { accept: '*/*', 'Content-Type': 'application/json' };
  expect(toHarRequest({ method: 'POST', url, headers, body: '' })).toMatchObject({
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    queryString: [
      { name: 'limit', value: '1' },
      { name: 'name', value: 'a b' },
      { name: 'name', value: 'c' },
    ],
    postData: { mimeType: 'application/json', params: [], text: '' },
  });
  expect(toHarRequest({ method: 'GET', url: '/drives?limit=1', headers: {} })).toMatchObject({ queryString: [] });
  expect(toHarRequest({ method: 'GET', url, headers: {} })).not.toHaveProperty('postData');
});

it('a response has its type, and where it redirects to', () => {
  const headers = { 'content-type': 'text/plain', Location: '/elsewhere' };
  expect(toHarResponse({ status: 302, headers, body: 'e' }, 'Found')).toMatchObject({
    ...{ status: 302, statusText: 'Found', content: { mimeType: 'text/plain' }, redirectURL: '/elsewhere' },
  });
  expect(toHarResponse({ status: 0, headers: {}, body: '' }, '')).toMatchObject({
    ...{ headers: [], content: { mimeType: '' }, redirectURL: '' },
  });
});
