import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { toCurl as toSuiteCurl } from '../../conformance/target/credentials.ts';
import type { CurlRequest } from '../../lib/curl.ts';
import { toCurl as toPageCurl } from '../../src/ui/shared/curl.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { succeed } from '../support/shell.ts';
import { timeLimit } from '../support/time-limit.ts';
import { startUpstream } from '../support/upstream.ts';

// A shell runs each printed line, with the curl of this machine: it sends the request that the line was made from.

const received: CurlRequest[] = [];
const { origin, close } = await startUpstream(async (request, response) => {
  const { method = '', url = '', rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
  const body = (await buffer(request)).toString();
  received.push({ method, url, headers: headers.filter(([name]) => !ofCurl.test(name)), body });
  response.end();
});
const ofCurl = /^(?:Host|User-Agent|Accept|Content-Length)$/;

afterAll(close);

const key = `k'"$HOME \`id\` \\`;
const environment = { AGENT_PLATFORM_API_KEY: key };

async function sentBy(line: string): Promise<CurlRequest | undefined> {
  received.length = 0;
  await succeed('sh', ['-c', line], { cwd: '/', environment });
  expect(received).toHaveLength(1);
  return received[0];
}

const traps = [
  ...['/..', '/../', '/./', '/%2e%2E/', '/%2e', '//', '[1-3]', '{a,b}', '[', '}', '?', '&', '=', '+', '%', '@'],
];
const signs = [
  ...['"', "'", '\\', '$HOME', '`id`', '!', '*', '~', '|', ';', '<', '>', '^', ':', ',', '(', ')', 'a', '/', '.'],
];
const anyTarget = fc
  .array(fc.constantFrom(...traps, ...signs), { maxLength: 8 })
  .map((parts) => `/v0.1/drives${parts.join('')}`);
const anyValue = fc.array(fc.constantFrom('', ' ', ';', ':', '@', '%', ...signs), { maxLength: 5 });
/** A server removes the blanks around a value. */
const asReceived = ([name, value]: CurlRequest['headers'][number]) => [name, value.trim()];
const anyBody = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom('', '@/etc/hosts', '{"path":"/it\'s"}', '-d', 'a\r\nb\n'),
);
const anyRequest: fc.Arbitrary<CurlRequest> = fc.record(
  {
    method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
    url: anyTarget,
    headers: fc
      .tuple(
        fc.dictionary(
          fc.stringMatching(/^X-[A-Za-z]{1,4}$/),
          anyValue.map((parts) => parts.join('')),
          {
            noNullPrototype: true,
            maxKeys: 2,
          },
        ),
        fc.constantFrom<Record<string, string>>({}, { 'content-type': 'application/json' }),
      )
      .map(([some, type]) => Object.entries({ ...some, ...type })),
    body: anyBody,
  },
  { requiredKeys: ['method', 'url', 'headers'] },
);

describe.each<[string, (request: CurlRequest) => string, CurlRequest['headers']]>([
  [
    'a report',
    ({ method, url, headers, body }) => {
      const request = { method, url, headers: { 'X-API-Key': '<API_KEY>', ...Object.fromEntries(headers) } };
      return toSuiteCurl({ request: { ...request, ...(body === undefined ? {} : { body }) }, durationMs: 0 });
    },
    [['X-API-Key', key]],
  ],
  ['the page', toPageCurl, []],
])('a curl line of %s', (_, toCurl, added) => {
  it('sends method, target, headers and body as they were', { timeout: timeLimit(240_000) }, async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const line = toCurl({ ...request, url: origin + request.url });
        const { method, url, headers, body = '' } = request;
        expect(await sentBy(line), line).toEqual({
          method,
          url,
          headers: [...added, ...headers.map(asReceived)],
          body,
        });
      }),
      { seed: randomSeed, numRuns: depth(12, 600) },
    );
  });
});
