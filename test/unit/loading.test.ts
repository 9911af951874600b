/** Suite, proxy, Prism and MCP cost up to a second to load: each waits until it is used. */
import { describe, expect, it } from 'vitest';
import { depth, isFull } from '../support/depth.ts';
import { type Loaded, loadedBy, loadedByScript } from '../support/loaded.ts';

const command = (...words: string[]) => loadedBy(['src/cli/main.ts', ...words]);
/** Requests with these preferences, which get these statuses. */
const requests = (statuses: Readonly<Record<string, number>>) => `
  import { createMock, createProxy } from '<root>src/index.ts';
  const mock = await createMock();
  for (const [prefer, expected] of Object.entries(${JSON.stringify(statuses)})) {
    const { status } = await fetch(mock.url + '/drives', { headers: { prefer, 'x-api-key': mock.keys[0] } });
    if (status !== expected) throw new Error(prefer + ': ' + status);
  }
  await mock.close();
`;
const notGenerated = { 'delay=0': 200, 'example=misspelt': 400, 'code=204': 204, 'code=200': 200, 'code=503': 503 };

// Of the suite, of forced answers and the proxy, and of live MCP tools.
// Of the mock for pages as well: nothing.
const heavy =
  /^(vitest|vite|rolldown|msw|fast-check|supertest|superagent|@stoplight\/.*|@modelcontextprotocol\/.*|zod|postman-collection)$/;
const ofSuiteOrProxy = /^(conformance|src\/proxy|src\/browser)\//;

const early = ({ packages, files }: Loaded) => [
  ...packages.filter((name) => heavy.test(name)),
  ...files.filter((file) => ofSuiteOrProxy.test(file)),
];

describe('what is loaded', () => {
  const starts: [string, () => Promise<Loaded>][] = [
    ['createMock and requests that generate nothing', () => loadedByScript(requests(notGenerated))],
    ['conformance --help', () => command('conformance', '--help')],
    ['import of the library', () => loadedByScript(`import '<root>src/index.ts'`)],
    ['--help', () => command('--help')],
    ['mock --help', () => command('mock', '--help')],
    ['proxy --help', () => command('proxy', '--help')],
  ];

  it.each(starts.slice(0, depth(2, starts.length)))(
    'has nothing of suite, proxy, Prism and MCP: %s',
    async (_, load) => {
      const loaded = await load();
      expect(loaded.files.length).toBeGreaterThan(10);
      expect(early(loaded)).toEqual([]);
    },
  );

  // Were this test blind, it would see these nowhere.
  it.runIf(isFull)('has the suite once the suite is used', async () => {
    expect(early(await command('conformance', '--list'))).toEqual(
      expect.arrayContaining(['fast-check', 'supertest', 'conformance/index.ts']),
    );
  });

  it('has Prism once an answer is generated, and the proxy once one is created', async () => {
    const proxied = `await (await createProxy({ upstream: 'http://127.0.0.1:1' })).close();`;
    expect(early(await loadedByScript(requests({ 'dynamic=true': 200 }) + proxied))).toEqual(
      expect.arrayContaining(['@stoplight/prism-http', 'src/proxy/create-proxy.ts']),
    );
  });
});
