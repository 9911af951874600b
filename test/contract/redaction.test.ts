import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/index.ts';
import { createClient } from '../support/client.ts';
import { startMock } from '../support/command.ts';
import { clientsOf, startControlled } from '../support/control.ts';
import { depth } from '../support/depth.ts';
import { readEvents } from '../support/events.ts';
import { sendRaw } from '../support/raw-http.ts';

// Keys and tokens show nowhere but in a snapshot and in the answer that issues them: not in the request log, the settings,
// the organizations or the log, wherever in a request they stand and however they are spelt there.

/** Any key that a header can carry. */
const anyKey = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 6,
  maxLength: 60,
});

const percent = (text: string, toHex: (hex: string) => string) =>
  Array.from(text, (one) => `%${toHex(one.charCodeAt(0).toString(16).padStart(2, '0'))}`).join('');
const unicode = (text: string) =>
  Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Ways to spell a key in an address. */
const inAddress = [
  encodeURIComponent,
  (key: string) => percent(key, (hex) => hex),
  (key: string) => percent(key, (hex) => hex.toUpperCase()),
  (key: string) => key.slice(0, 3).replaceAll(/[^\w]/g, encodeURIComponent) + percent(key.slice(3), (hex) => hex),
];
/** Ways to spell it within the quotes of JSON. */
const inJson = [
  (key: string) => JSON.stringify(key).slice(1, -1),
  unicode,
  (key: string) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
  (key: string) => JSON.stringify(key.slice(0, 4)).slice(1, -1) + unicode(key.slice(4)),
];

/** Whether a text tells a key, in any of the spellings above, itself within JSON perhaps. */
function tells(text: string, key: string): boolean {
  const plain = [text, decodeJson(text), decodeJson(decodeJson(text))];
  return plain.some((one) => one.includes(key) || decodePercent(one).includes(key));
}

function decodePercent(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decodeJson(text: string): string {
  return text.replaceAll(/\\(?:u([\da-f]{4})|(["\\/]))/gi, (_, hex: string | undefined, character: string) =>
    hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Where a request carries its key beside the header that it belongs in. */
const anyPlace = fc.record({
  key: anyKey,
  isBearer: fc.boolean(),
  isKnown: fc.boolean(),
  address: fc.constantFrom(...inAddress),
  json: fc.constantFrom(...inJson),
  isMalformed: fc.boolean(),
});
type Place = typeof anyPlace extends fc.Arbitrary<infer T> ? T : never;

/** Requests that tell their key wherever they can. */
function requestsWith({ key, isBearer, address, json, isMalformed }: Place) {
  const header = isBearer ? `Authorization: Bearer ${key}` : `X-API-Key: ${key}`;
  const others = [
    `X-Request-Id: ${key}`,
    `Referer: http://page.test/?k=${address(key)}`,
    `X-Copy: ${key}`,
    `X-Forwarded: "${json(key)}"`,
  ];
  const lines = [header, 'Content-Type: application/json', ...others];
  const body = `{"name":"a ${json(key)} b"${isMalformed ? ',' : ''}}`;
  return [
    { method: 'GET', target: `/v0.1/drives?limit=1&of=${address(key)}`, lines },
    { method: 'GET', target: `/v0.1/drives/${address(key)}/files/x`, lines },
    { method: 'GET', target: `/nowhere/${address(key)}?${address(key)}=1`, lines },
    { method: 'POST', target: '/v0.1/drives', lines, body },
    { method: 'GET', target: `/v0.1/agents?api_key=${address(key)}`, lines: [] },
    { method: 'GET', target: `/v0.1/agents?password=${address(key)}&Secret=${address(key)}`, lines: [] },
    {
      ...{ method: 'POST', target: '/v0.1/mcp-servers', lines: ['Content-Type: application/json'] },
      body: JSON.stringify({ name: 'a', url: `https://me:${address(key)}@mcp.test/?token=${address(key)}` }),
    },
    { method: 'GET', target: `/v0.1/agents?x=1&access_token=${address(key)}&Token=${address(key)}`, lines: [] },
  ];
}

describe('keys', () => {
  it('appear neither in admin API listings nor in the log', async () => {
    const exchanges: Exchange[] = [];
    const { mock, control } = await startControlled({ onExchange: (exchange) => void exchanges.push(exchange) });
    const applied = async (place: Place) => {
      exchanges.length = 0;
      await control('POST', '/reset');
      if (place.isKnown) await control('POST', '/organizations', { json: { key: place.key } });
      for (const request of requestsWith(place)) await sendRaw(mock.url, request);
      const told = await Promise.all(['/requests', '/settings', '/organizations'].map((path) => control('GET', path)));
      expect(told[0]?.body.requests).toHaveLength(8);
      for (const { text } of told) expect([tells(text, place.key), text]).toEqual([false, text]);
      const logged = JSON.stringify(exchanges);
      expect([exchanges.length, tells(logged, place.key), logged]).toEqual([8, false, logged]);
    };
    await fc.assert(fc.asyncProperty(anyPlace, applied), { numRuns: depth(25, 150), seed: 20_260_601 });
  });

  it('appear in no event of the live request log', async () => {
    const { mock } = await startControlled();
    const reader = await readEvents(`${mock.adminUrl}/requests/live`);
    const [place] = fc.sample(anyPlace, { numRuns: 1, seed: 5 }) as [Place];
    for (const request of requestsWith(place)) await sendRaw(mock.url, request);
    const text = JSON.stringify(await reader.next(8));
    expect([tells(text, place.key), text]).toEqual([false, text]);
    reader.close();
  });

  it('appear, like admin tokens, in no output of the command', async () => {
    const token = 'token-"of"\\the/plane';
    const places = fc.sample(anyPlace, { numRuns: 20, seed: 7 });
    const mock = await startMock(['--admin-token', token, '--log-format', 'json'], {});
    const control = createClient(new URL('/__admin', mock.url).href, '');
    for (const request of places.flatMap(requestsWith)) await sendRaw(mock.url, request);
    const asToken = { key: token, isBearer: true, isKnown: false, isMalformed: false };
    const [address, json] = [encodeURIComponent, inJson[0] ?? unicode];
    for (const request of requestsWith({ ...asToken, address, json })) await sendRaw(mock.url, request);
    const headers = { authorization: `Bearer ${token}` };
    const told = await Promise.all(['/requests', '/settings'].map((path) => control('GET', path, { headers })));
    expect(told.map(({ status }) => status)).toEqual([200, 200]);
    const { stdout, stderr } = await mock.stop();
    expect(stdout.match(/"message":"request"/g)).toHaveLength(21 * 8);
    const all = [stdout, stderr, ...told.map(({ text }) => text)].join('\n');
    for (const secret of [token, ...places.map(({ key }) => key)])
      expect([secret, tells(all, secret)]).toEqual([secret, false]);
  });

  it('appear only in the response that issues them and in the snapshot', async () => {
    const { mock, control } = await startControlled({ openKeys: true });
    const opened = await control('POST', '/organizations');
    const issued = await control('POST', '/organizations/org-b/keys');
    await clientsOf(mock).api('GET', '/agents', { key: 'made-up-by-a-worker' });
    const keys = [opened.body.key, issued.body.key, 'made-up-by-a-worker'];
    const paths = ['/requests', '/settings', '/organizations', '/organizations/org-b', '/health', '/open-points', ''];
    for (const path of paths) {
      const { text } = await control('GET', path);
      for (const key of [...keys, 'key-a', 'key-b']) expect(tells(text, key)).toBe(false);
    }
    const { text } = await control('GET', '/snapshot');
    for (const key of keys) expect(tells(text, key)).toBe(true);
  });
});
