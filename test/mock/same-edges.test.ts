/** What is shipped for pages answers any request as the mock over HTTP does, in any profile, to the byte. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { bundles } from '../../.ci/bundle.mjs';
import { dereference } from '../../openapi/contract/document.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { createFetch, FetchOptions } from '../../src/browser/fetch.ts';
import { createMock } from '../../src/index.ts';
import { loadControlDocument } from '../../src/workbench/admin-api/handlers.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { valuesNear } from '../support/near-values.ts';
import { temporaryFolder } from '../support/shell.ts';

let create: typeof createFetch;
beforeAll(async () => {
  const folder = temporaryFolder('bundle');
  const file = folder.at('fetch.mjs');
  writeFileSync(file, (await bundles())['fetch.js']);
  ({ createFetch: create } = await import(pathToFileURL(file).href));
  folder.remove();
});

interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const ids = fc.constantFrom(
  'drv-1',
  'fil-1',
  'agt-1',
  'mcp-1',
  'none',
  'a.b',
  '%2e',
  'drv%2D1',
  '%FF',
  'a%2Fb',
  'ä',
  '',
);
const queries = fc.constantFrom(
  ...['', '?', '?limit=1', '?limit=0', '?limit=x', '?limit=1&limit=2', '?offset=1', '?offset=99', '?colour=red'],
  ...[
    '?path=/notes',
    '?path=notes',
    '?path=/../x',
    '?path=/%2e%2e',
    '?directory=/notes',
    '?path=%FF',
    '?path=',
    '?__code=503',
  ],
);
const paths = fc.oneof(
  fc.constantFrom('/agents', '/drives', '/mcp-servers', '/none', '/agents/', '/DRIVES', '//drives', ''),
  ids.map((id) => `/agents/${id}/publish`),
  fc.tuple(ids, ids).map(([drive, file]) => `/drives/${drive}/files/${file}`),
  ids.map((id) => `/drives/${id}/items/tree`),
  ids.map((id) => `/mcp-servers/${id}/tools`),
);
const values = fc.constantFrom<unknown>(
  'New',
  '',
  ' x ',
  7,
  null,
  true,
  [],
  '/notes/x',
  '/..',
  '/a\nb',
  'https://a.example',
  'rev-2',
);
const fields = fc.constantFrom('name', 'url', 'path', 'revisionId', 'colour');
const bodies = fc.oneof(
  fc.dictionary(fields, values, { maxKeys: 3 }).map((body) => JSON.stringify(body)),
  fc.constantFrom('{', '[]', 'null', '{"name":"x"}', '\ufeff{}', `{"name":"${'x'.repeat(5000)}"}`, ''),
);
const headers = fc
  .record(
    {
      'x-api-key': fc.constantFrom('key-a', 'key-b', 'key-x'),
      authorization: fc.constantFrom('Bearer key-a', 'bearer key-b', 'Basic x'),
      'content-type': fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain'),
      prefer: fc.constantFrom('code=404', 'code=201', 'example=x', 'code=1'),
      'x-request-id': fc.constantFrom('mine-1', 'not an id'),
    },
    { requiredKeys: [] },
  )
  .map((sent): Record<string, string> => ({ 'x-api-key': 'key-a', 'content-type': 'application/json', ...sent }));
const asked: fc.Arbitrary<Asked> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'),
    path: fc.tuple(paths, queries).map((parts) => parts.join('')),
    headers,
    body: bodies,
  })
  .map((request) => (/^(GET|HEAD)$/.test(request.method) ? { ...request, body: undefined } : request));

// Of the connection, of pages of other origins, and of a clock of their own.
const ofTheWire = ['connection', 'keep-alive', 'vary', 'transfer-encoding'];

const seed: FetchOptions['seed'] = {
  organizations: [
    {
      ...{ id: 'org-a', name: 'Acme', keys: ['key-a'] },
      agents: [{ id: 'agt-1', name: 'Writer', revisions: [{ id: 'rev-1' }, { id: 'rev-2' }], published: 1 }],
      drives: [{ id: 'drv-1', name: 'Docs', files: [{ id: 'fil-1', path: '/a.txt' }, { path: '/notes/b.txt' }] }],
      mcpServers: [
        { id: 'mcp-1', name: 'Search', url: 'https://mcp.example/', tools: [{ name: 'find', description: '' }] },
      ],
    },
    { id: 'org-b', name: 'Beta', keys: ['key-b'] },
  ],
};

const usual: FetchOptions = { seed, clock: '2026-03-02T08:15:00Z' };

const controlDocument = loadControlDocument();
const controlIds: Record<string, string> = {
  ...{ organizationId: 'org-a', agentId: 'agt-1', driveId: 'drv-1', fileId: 'fil-1', mcpServerId: 'mcp-1' },
  faultId: 'fault-1',
};

/** A request to the admin API. Not for the request log, which shows headers of the connection. */
const controlled: fc.Arbitrary<Asked> = fc.oneof(
  ...operationsOf(controlDocument)
    .filter(({ path }) => !path.startsWith('/requests'))
    .map(({ method, path, definition }) => {
      const body = dereference(controlDocument, definition.requestBody)?.content['application/json']?.schema;
      const near = body === undefined ? fc.constant(undefined) : valuesNear(body as never, controlDocument);
      const queries = fc.constantFrom(
        ...['', '?organization=org-a', '?organization=none', '?colour=red', '?vary=visible&randomSeed=7'],
      );
      const named = path.replaceAll(/\{(\w+)\}/g, (_, name) => controlIds[name] ?? 'none');
      return fc.record({
        method: fc.constant(method),
        path: queries.map((query) => named + query),
        headers: fc.constant({ 'content-type': 'application/json' }),
        // A clock that runs shows other times on each edge.
        body: near.map((value) =>
          value === undefined ? value : JSON.stringify(value).replaceAll('"clock":', '"now":'),
        ),
      });
    }),
);

interface Edge {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  base: string | undefined;
}

/** Sends the same requests to both, and expects the same answers. */
async function compare(
  requests: fc.Arbitrary<Asked>,
  drawnBy: number,
  overHttp: Edge,
  inPage: Edge,
  without: readonly string[] = [],
) {
  const ask = async ({ fetch, base }: Edge, { method, path, headers: sent, body }: Asked) => {
    const init = { method, headers: sent, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) };
    const answer = await fetch(base + path, init);
    const kept = [...answer.headers].filter(([name]) => ![...ofTheWire, ...without].includes(name));
    return { status: answer.status, headers: Object.fromEntries(kept), body: await answer.text() };
  };
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      expect(await ask(inPage, request)).toEqual(await ask(overHttp, request));
    }),
    { seed: drawnBy, numRuns: depth(60, 150), endOnFailure: true },
  );
}

describe('the mock for pages', () => {
  const profiles = Array.from({ length: depth(12, 40) }, (_, index) => randomSeed + index);

  async function both(options: FetchOptions, test: TestContext) {
    const mock = await createMock(options);
    test.onTestFinished(() => mock.close());
    return { mock, page: create({ ...options, baseUrl: mock.url }) };
  }

  it.for(profiles)(
    'answers as the mock over HTTP does, in the profile of the random seed %i',
    async (drawnBy, test) => {
      const { mock, page } = await both({ ...usual, vary: 'visible', randomSeed: drawnBy }, test);
      expect(page.profile).toEqual(mock.profile);
      await compare(asked, drawnBy, { fetch, base: mock.url }, { fetch: page, base: page.url });
    },
  );

  it.for(profiles)('has the same admin API, to requests of the random seed %i', async (drawnBy, test) => {
    const { mock, page } = await both({ ...usual, randomSeed: drawnBy }, test);
    // Over HTTP it tells the time of the machine.
    await compare(controlled, drawnBy, { fetch, base: mock.adminUrl }, { fetch: page, base: page.adminUrl }, ['date']);
  });
});
