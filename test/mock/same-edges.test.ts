/** What is shipped for pages answers any request as the mock over HTTP does, in any profile, to the byte. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { bundles } from '../../.ci/bundle.mjs';
import { dereference } from '../../openapi/contract/document.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { loadControlDocument } from '../../src/app/admin-api/handlers.ts';
import type { createFetch, FetchOptions } from '../../src/browser/fetch.ts';
import { createMock, type Profile } from '../../src/index.ts';
import { methodOf, pathOf, queryOf } from '../model/call.ts';
import { anyCallUnder } from '../model/random-calls.ts';
import { now, seed } from '../model/seed.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { valuesNear } from '../support/near-values.ts';
import { temporaryFolder } from '../support/shell.ts';

let create: typeof createFetch;
beforeAll(async () => {
  const folder = temporaryFolder('bundle');
  const file = folder.at('fetch.mjs');
  const built = await bundles();
  writeFileSync(file, built['fetch.js']);
  writeFileSync(folder.at('fetch.js.map'), built['fetch.js.map']);
  ({ createFetch: create } = await import(pathToFileURL(file).href));
  folder.remove();
});

interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Calls of the model, with what it never sends: other methods, odd ends of a path, preferences and request ids. */
const askedUnder = (profile: Profile): fc.Arbitrary<Asked> =>
  fc
    .record({
      call: anyCallUnder(profile),
      method: fc.option(fc.constantFrom('HEAD', 'PUT', 'OPTIONS', 'DELETE'), { freq: 6, nil: undefined }),
      end: fc.constantFrom('', '', '', '', '/', '/%2e', '/%FF', '//drives', '?__code=503', '?limit=1&limit=2'),
      more: fc.record(
        {
          prefer: fc.constantFrom('code=404', 'code=201', 'example=x', 'code=1'),
          'x-request-id': fc.constantFrom('mine-1', 'not an id'),
        },
        { requiredKeys: [] },
      ),
    })
    .map(({ call, method = methodOf(call), end, more }) => ({
      ...{ method, path: pathOf(call) + (end || queryOf(call)), headers: { ...call.headers, ...more } },
      body: /^(GET|HEAD)$/.test(method) ? undefined : call.body,
    }));

// Of the connection, of pages of other origins, and of a clock of their own.
const ofTheWire = ['connection', 'keep-alive', 'vary', 'transfer-encoding'];

const usual: FetchOptions = { seed, clock: now };

const controlDocument = loadControlDocument();
const controlIds: Record<string, string> = {
  ...{ organizationId: 'org-alpha', agentId: 'agent-published', driveId: 'drive-files', fileId: 'file-1' },
  ...{ mcpServerId: 'server-tools', faultId: 'fault-1' },
};

/** A request to the admin API. Not for the request log, which shows headers of the connection. */
const controlled: fc.Arbitrary<Asked> = fc.oneof(
  ...operationsOf(controlDocument)
    .filter(({ path }) => !path.startsWith('/requests'))
    .map(({ method, path, definition }) => {
      const body = dereference(controlDocument, definition.requestBody)?.content['application/json']?.schema;
      const near = body === undefined ? fc.constant(undefined) : valuesNear(body as never, controlDocument);
      const queries = fc.constantFrom(
        ...['', '?organization=org-alpha', '?organization=none', '?colour=red', '?vary=visible&randomSeed=7'],
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
    { seed: drawnBy, numRuns: depth(40, 150), endOnFailure: true },
  );
}

describe('the mock for pages', () => {
  const profiles = Array.from({ length: depth(2, 40) }, (_, index) => randomSeed + index);

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
      await compare(askedUnder(mock.profile), drawnBy, { fetch, base: mock.url }, { fetch: page, base: page.url });
    },
  );

  it.for(profiles)('has the same admin API, to requests of the random seed %i', async (drawnBy, test) => {
    const { mock, page } = await both({ ...usual, randomSeed: drawnBy }, test);
    // Over HTTP it tells the time of the machine.
    await compare(controlled, drawnBy, { fetch, base: mock.adminUrl }, { fetch: page, base: page.adminUrl }, ['date']);
  });
});
