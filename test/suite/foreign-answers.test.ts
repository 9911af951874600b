import { describe, expect, it } from 'vitest';
import { adviceFor, describeForeign, isForeign } from '../../conformance/run/reach.ts';
import type { TransportFailure } from '../../conformance/target/received.ts';
import type { Reply } from '../../conformance/target/reply.ts';

interface Answer {
  status: number;
  path?: string;
  location?: string;
  contentType?: string;
  text?: string;
  failure?: TransportFailure;
  message?: string;
}

const base = 'http://target.test/api/v0.1';

/** The reply with which a server answers `GET /agents`, or does not. */
function replyOf({ status, path = '/agents', location, contentType, text = '', failure, message = '' }: Answer): Reply {
  const headers = { ...(location && { location }), ...(contentType && { 'content-type': contentType }) };
  const isJson = /^[[{"]/.test(text);
  const exchange = {
    request: { method: 'GET', url: `${base}${path}` },
    ...(failure && { failure: { kind: failure, message } }),
  };
  return {
    request: { path },
    status,
    headers,
    text,
    isJson,
    exchange,
    ...(failure && { failure }),
  } as unknown as Reply;
}

const asIs = (text: string) => text;
const advice = (answers: readonly Answer[], baseUrl = base) => adviceFor(answers.map(replyOf), baseUrl).shown(asIs);

const usual = 'Check that the server is running, and that the base URL is right; it ends with v0.1.';
const unheard = 'Nothing is listening there: start the server, or correct the host and port of the base URL.';
const key = 'Check the key (AGENT_PLATFORM_API_KEY), and that it belongs to this server.';
const people = 'It returns web pages: something else listens there. Check host, port and path of the base URL.';
const certificate = 'Set NODE_EXTRA_CA_CERTS to the CA file of the certificate, and check the host name.';
const noTls = 'The port does not speak TLS: try http:// instead of https://.';
const unknown = 'There is no such host: correct the base URL.';
const slow = 'It does not respond in time: check that it is running, or raise --timeout.';
const busy = 'It is not accepting more requests for now: wait, or send fewer per second with --rate.';
const starting = 'It is not ready: wait until it is, or check the gateway or proxy in front of it.';
const tls = 'The port speaks TLS: try https:// instead of http://.';
const refuses = 'It refuses every list request. Check the base URL, and whether it needs another header (--header).';
const moved = (to: string) => `It redirects, and redirects are not followed: use ${to} as the base URL.`;
const elsewhere = 'It redirects. Use the redirect target as the base URL.';
const ending = 'Nothing is served at this path. The base URL ends with the version segment v0.1';

describe('the advice for a server that does not respond as the service', () => {
  it.each<[string, Answer[], string]>([
    ['refuses the key', [{ status: 500 }, { status: 401 }], key],
    ['forbids', [{ status: 403 }], key],
    ['refuses the key for some lists, and lacks others', [{ status: 404 }, { status: 401 }], key],
    ['has a certificate that nobody trusts', [{ status: 0, failure: 'certificate' }], certificate],
    ['has such a certificate at times', [{ status: 404 }, { status: 0, failure: 'certificate' }], certificate],
    ['speaks no TLS', [{ status: 0, failure: 'other', message: 'the request failed (EPROTO)' }], noTls],
    ['speaks something else', [{ status: 0, failure: 'other', message: '(ERR_SSL_WRONG_VERSION_NUMBER)' }], noTls],
    ['does not answer', [{ status: 0, failure: 'refused', message: '(ECONNREFUSED)' }], unheard],
    ['has a name that nobody knows', [{ status: 0, failure: 'refused', message: '(ENOTFOUND)' }], unknown],
    ['takes too long', [{ status: 0, failure: 'timeout' }], slow],
    ['has had too many requests', [{ status: 200 }, { status: 429 }], busy],
    ['is not ready', [{ status: 503 }], starting],
    ['refuses everything', [{ status: 400 }, { status: 422 }], refuses],
    ['serves HTTPS', [{ status: 400, text: 'Client sent an HTTP request to an HTTPS server.' }], tls],
    ['serves HTTPS, and says so in a page', [{ status: 400, text: '<p>The plain HTTP request … HTTPS port' }], tls],
    ['stands before a server that it cannot reach', [{ status: 502, text: '{"error":"TLS handshake"}' }], starting],
    ['refuses, and links to its documentation', [{ status: 400, text: '{"see":"https://docs.test"}' }], refuses],
    ['fails', [{ status: 500, text: '{}' }], usual],
    ['serves a page', [{ status: 200, contentType: 'text/html; charset=utf-8', text: 'Hello' }], people],
    ['serves a page as XHTML', [{ status: 500, contentType: 'application/xhtml+xml' }], people],
    ['serves a page without a type', [{ status: 404, text: '\n <!doctype html>' }], people],
    [
      'redirects to another host',
      [{ status: 308, location: 'https://agents.test/v0.1/agents' }],
      moved('https://agents.test/v0.1'),
    ],
    ['redirects to a path', [{ status: 301, location: '/v0.1/agents/' }], moved('http://target.test/v0.1')],
    [
      'redirects one of the lists',
      [{ status: 404 }, { status: 307, path: '/drives?limit=100', location: '/v2/drives?limit=100' }],
      `${ending}: try http://target.test/v0.1, for instance.`,
    ],
    [
      'redirects a list with a query',
      [{ status: 307, path: '/drives?limit=100', location: '/v2/drives?limit=100' }],
      moved('http://target.test/v2'),
    ],
    ['redirects to itself', [{ status: 302, location: '/api/v0.1/agents' }], elsewhere],
    ['redirects to itself with a slash', [{ status: 302, location: '/api/v0.1/agents/' }], elsewhere],
    ['redirects to a page', [{ status: 303, location: '/login' }], elsewhere],
    ['redirects to no place', [{ status: 302 }], elsewhere],
    ['redirects to no URL', [{ status: 302, location: 'http://[' }], elsewhere],
  ])('that %s', (_, answers, expected) => {
    expect(advice(answers)).toBe(expected);
  });

  it.each([
    ['http://target.test/v0.1', `${ending}, after any path before it.`],
    ['http://target.test/v0.1/', `${ending}, after any path before it.`],
    ['http://target.test/api/v0.1', `${ending}: try http://target.test/v0.1, for instance.`],
    ['http://target.test/api/v0.1/', `${ending}: try http://target.test/v0.1, for instance.`],
    ['http://target.test/api/', `${ending}: try http://target.test/api/v0.1, for instance.`],
    ['http://target.test/v0.1/agents', `${ending}: try http://target.test/v0.1, for instance.`],
    ['http://target.test', `${ending}: try http://target.test/v0.1, for instance.`],
    ['http://target.test/v0.10', `${ending}: try http://target.test/v0.1, for instance.`],
    ['http://target.test/v0x1', `${ending}: try http://target.test/v0x1/v0.1, for instance.`],
  ])('that has nothing at %s names another path', (baseUrl, expected) => {
    for (const status of [404, 405, 410]) expect(advice([{ status }], baseUrl)).toBe(expected);
  });
});

describe('a response that is not from the service', () => {
  it.each<[Answer, string]>([
    [{ status: 302, location: '/login' }, 'status 302, to /login'],
    [{ status: 300 }, 'status 300, without a Location'],
    [{ status: 399 }, 'status 399, without a Location'],
    [{ status: 200, text: ' <p>' }, 'status 200, a web page'],
    [{ status: 404, text: '{}' }, 'status 404'],
  ])('is told from one that is: %j', (answer, words) => {
    expect(isForeign(replyOf(answer))).toBe(true);
    expect(describeForeign(replyOf(answer)).shown(asIs)).toBe(words);
  });

  it.each<[Answer, string]>([
    [{ status: 200, text: '[]' }, 'status 200'],
    [{ status: 200, text: '"<p>"', contentType: 'text/html' }, 'status 200'],
    [{ status: 200, text: 'a < b' }, 'status 200'],
    [{ status: 200, text: '', contentType: 'application/json; note=text/html' }, 'status 200'],
    [{ status: 400 }, 'status 400'],
    [{ status: 299 }, 'status 299'],
    [{ status: 500, text: '{}' }, 'status 500'],
    [{ status: 0, failure: 'reset', message: 'it closed', text: '<p>' }, 'it closed'],
  ])('is not taken for one that may be: %j', (answer, words) => {
    expect(isForeign(replyOf(answer))).toBe(false);
    expect(describeForeign(replyOf(answer)).shown(asIs)).toBe(words);
  });

  it('shows where it redirects without the secrets in it', () => {
    const reply = replyOf({ status: 302, location: '/login?key=secret' });
    expect(describeForeign(reply).shown((text) => text.replace('secret', '***'))).toBe('status 302, to /login?key=***');
  });
});
