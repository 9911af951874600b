import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMock } from '../../src/index.ts';
import { createProxy } from '../../src/proxy/create-proxy.ts';
import { fixturesOf } from '../../test/support/fixtures.ts';

const root = join(import.meta.dirname, '../..');
const own = ['src', 'openapi', 'lib'].map((folder) => `${join(root, folder)}/`);

/** The named functions that were entered, by file. */
type Functions = ReadonlyMap<string, readonly string[]>;
type Entered = [what: string, functions: Functions];

/** What some requests enter of the project's files. Each is sent three times before it is counted. */
export async function entered(): Promise<Entered[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const counted = async (what: string, act: () => Promise<unknown>): Promise<Entered> => {
    // Coverage is counted from the last time that it was taken.
    await session.post('Profiler.takePreciseCoverage');
    await act();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return [what, enteredIn(result)];
  };
  const starts = [
    await counted('start of a mock', async () => (await createMock()).close()),
    await counted('start with maxSandboxes', async () => (await createMock({ maxSandboxes: 5 })).close()),
  ];
  const requests = await countRequests(counted);
  session.disconnect();
  return [...requests, ...starts];
}

type Count = (what: string, act: () => Promise<unknown>) => Promise<Entered>;

async function countRequests(counted: Count): Promise<Entered[]> {
  const mock = await createMock();
  const proxy = await createProxy({ upstream: mock.url });
  const [file] = fixturesOf(mock).files ?? [];
  const send = async (url: string, init: RequestInit = {}) => {
    const headers = { 'x-api-key': mock.key, 'content-type': 'application/json' };
    await (await fetch(url, { headers, ...init })).text();
  };
  const refused = { method: 'PATCH', body: '{"path":"/a/../b"}' };
  const settings = { method: 'PATCH', body: '{"latency":0}' };
  const requests: [string, () => Promise<void>][] = [
    ['GET /drives', () => send(`${mock.url}/drives`)],
    ['GET /drives, for the first time', () => send(`${mock.url}/drives?limit=7&offset=1`)],
    ['PATCH of a file, refused', () => send(`${mock.url}/drives/${file?.driveId}/files/${file?.id}`, refused)],
    ['GET /drives through the proxy', () => send(`${proxy.url}/drives`)],
    ['PATCH /__admin/settings', () => send(new URL('/__admin/settings', mock.url).href, settings)],
  ];
  const found: Entered[] = [];
  for (const [what, act] of requests) {
    if (!what.endsWith('first time')) for (let times = 0; times < 3; times++) await act();
    found.push(await counted(what, act));
  }
  await proxy.close();
  await mock.close();
  return found;
}

interface Covered {
  url: string;
  functions: { functionName: string; ranges: { count: number }[] }[];
}

function enteredIn(scripts: readonly Covered[]): Functions {
  const ours = scripts.map(({ url, functions }): [string, string[]] => {
    const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    return [pathOf(url), called.map(({ functionName }) => functionName)];
  });
  const found = ours.filter(([path, called]) => own.some((folder) => path.startsWith(folder)) && called.length > 0);
  return new Map(found.map(([path, called]) => [relative(root, path), called.filter((name) => name !== '')]));
}

function pathOf(url: string): string {
  return url.startsWith('file:') ? fileURLToPath(url) : url;
}
