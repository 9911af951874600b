/** What code sees of the mock itself: its admin API, faults, preferences and sandboxes. `same-edges.test.ts` draws calls. */
import { creation, type Fact, fact, inNode, json, kindOf, type Site } from './fact.ts';

/** Calls the admin API. */
const control = async ({ fetch, adminUrl }: Site, method: string, path: string, body?: unknown) => {
  const init = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
  const response = await fetch(adminUrl + path, { method, ...init });
  return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
};

/** What is told by a response in the end. */
async function told(asked: Promise<Response>): Promise<unknown> {
  try {
    const response = await asked;
    const named = ['content-type', 'content-length', 'allow', 'date', 'www-authenticate', 'retry-after', 'x-fault'];
    const mocked = ['x-mock-error', 'x-undeclared', 'preference-applied'];
    const headers = [...named, ...mocked].map((name) => response.headers.get(name));
    // Only over HTTP does a page send its origin, to which the open point `cors` applies.
    const openPoints = response.headers
      .get('x-open-points')
      ?.split(', ')
      .filter((id) => id !== 'cors');
    return { status: response.status, headers, openPoints, body: await response.text() };
  } catch (error) {
    return kindOf(error);
  }
}

const nameIn = async (response: Response): Promise<string> => (await response.json()).name;
const idIn = async (response: Response): Promise<string> => (await response.json()).id;

const answers: readonly Fact[] = [
  ...['/agents', '/drives?limit=1', '/none', '/drives//files/x'].map((path) =>
    fact(`HEAD ${path}`, (site) => told(site.ask(path, { method: 'HEAD' }))),
  ),
  ...['DELETE', 'OPTIONS'].map((method) =>
    fact(`${method} of drives`, (site) => told(site.ask('/drives', { method }))),
  ),
  ...['code=503', 'code=204', 'code=99', 'example=noDrives', 'delay=1'].map((prefer) =>
    fact(`the preference ${prefer}`, (site) => told(site.ask('/drives', { headers: { prefer } }))),
  ),
  fact('a preferred success changes nothing', async (site) => {
    const { status } = await site.ask('/drives', { ...creation(), headers: { ...json, prefer: 'code=201' } });
    return [status, await site.drives()];
  }),
  fact('a body that is too large', async (site) => {
    const limited = await control(site, 'PATCH', '/settings', { profile: { bodySizeLimit: 4096 } });
    const refused = await told(site.ask('/drives', creation('x'.repeat(5000))));
    await control(site, 'PATCH', '/settings', { profile: { bodySizeLimit: 1_048_576 } });
    return [limited.status, refused, await nameIn(await site.ask('/drives', creation('x'.repeat(5000))))];
  }),
];

const underFault = (fault: object) => async (site: Site) => {
  const { status } = await control(site, 'POST', '/faults', { id: 'f', ...fault });
  const seen = [await told(site.ask('/drives', creation())), await told(site.ask('/agents'))];
  return [status, seen, await site.drives()];
};

const faults: readonly Fact[] = [
  // Chromium sends a request again whose connection was reset.
  inNode('the fault a lost answer', underFault({ effect: { connectionReset: {} }, operations: ['createDrive'] })),
  ...Object.entries({
    'a status once': { effect: { status: { code: 503, retryAfterSeconds: 2 } }, when: { next: 1 } },
    'an answer that is lost before the change': { effect: { emptyAnswer: {} }, moment: 'before' },
    'a body in pieces': { effect: { slowDribble: { overMs: 30 } } },
    'a wrong media type': { effect: { wrongMediaType: {} } },
    'a latency': { effect: { latency: { delayMs: 5 } } },
  }).map(([title, fault]) => fact(`the fault ${title}`, underFault(fault))),
];

interface Entry {
  operationId?: string;
  organizationId?: string;
  request: { method: string; url: string; headers: Record<string, string>; body?: string };
  answer: { status: number };
  faults?: string[];
}

const admin: readonly Fact[] = [
  fact('a sandbox', async (site) => {
    const opened = await control(site, 'POST', '/organizations', { name: 'Mine', key: 'key-mine', copyOf: 'Acme' });
    const headers = { 'x-api-key': 'key-mine' };
    const named = await nameIn(await site.ask('/drives', { ...creation(), headers: { ...json, ...headers } }));
    const listed = await told(site.ask('/drives', { headers }));
    return [opened.status, named, listed, await site.drives()];
  }),
  fact('a snapshot', async (site) => {
    const { body } = await control(site, 'GET', '/snapshot');
    await site.ask('/drives', creation());
    const more = await site.drives();
    return [body, more, (await control(site, 'PUT', '/snapshot', body)).status, await site.drives()];
  }),
  fact('the clock', async (site) => {
    const moved = await control(site, 'PATCH', '/settings', { advanceMs: 60_000 });
    return [moved, await (await site.ask('/drives', creation())).json()];
  }),
  fact('the profile', async (site) => {
    const statuses: number[] = [];
    for (const createStatus of [202, 201]) {
      await control(site, 'PATCH', '/settings', { profile: { 'successStatus.createDrive': createStatus } });
      statuses.push((await site.ask('/drives', creation())).status);
    }
    return statuses;
  }),
  fact('ids after a reset', async (site) => {
    const first = await idIn(await site.ask('/drives', creation()));
    const reset = await control(site, 'POST', '/reset');
    return [first, reset, await idIn(await site.ask('/drives', creation()))];
  }),
  fact('the request log', async (site) => {
    await site.fault({ emptyAnswer: {} });
    const lost = await told(site.ask('/agents'));
    await control(site, 'DELETE', '/faults');
    for (const [path, init] of [
      ['/drives?limit=1', {}],
      ['/drives', creation()],
      ['/none', {}],
    ] as const)
      await (await site.ask(path, init)).text();
    const { body } = await control(site, 'GET', '/requests?limit=4');
    const shown = ({ request: { method, url, headers, body: sent }, answer, ...entry }: Entry) => ({
      ...{ method, url, sent, key: headers['x-api-key'], status: answer.status },
      ...{ operation: entry.operationId, organization: entry.organizationId, faults: entry.faults },
    });
    const filtered = await control(site, 'GET', '/requests?operation=createDrive&limit=1');
    return [lost, body.requests.map(shown), filtered.body.requests.map(shown)];
  }),
  ...['/health', '/seed', '/none', '/requests?limit=x'].map((path) =>
    fact(`GET ${path} of the admin API`, (site) => control(site, 'GET', path)),
  ),
];

export const factsOfTheMock: readonly Fact[] = [...answers, ...faults, ...admin];
