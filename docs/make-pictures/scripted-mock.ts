/** A mock with a stopped clock, and what a frontend team may have done with it: the same each time. */
import { createMock, type Mock } from '../../src/index.ts';

/** The ids that the views of the page select. */
export interface Ids {
  organization: string;
  drive: string;
  /** Is moved and then deleted. */
  file: string;
  otherFile: string;
  server: string;
}

/** Starts the mock. Its key is the first of the demo data. */
export async function startScriptedMock(clock: string): Promise<{ mock: Mock; ids: Ids }> {
  const mock = await createMock({ clock });
  const ids = await readIds(mock);
  await sendTraffic(mock, ids);
  return { mock, ids };
}

async function readIds(mock: Mock): Promise<Ids> {
  const read = async (path: string): Promise<{ id: string }[]> => (await fetch(`${mock.adminUrl}${path}`)).json();
  const idAt = (list: readonly { id: string }[], index: number) => list[index]?.id ?? '';
  const organization = idAt(await read('/organizations'), 0);
  const all = `/organizations/${organization}`;
  const drive = idAt(await read(`${all}/drives`), 0);
  const files = await read(`${all}/drives/${drive}/files`);
  const server = idAt(await read(`${all}/mcp-servers`), 0);
  return { organization, drive, file: idAt(files, 0), otherFile: idAt(files, 3), server };
}

async function sendTraffic(mock: Mock, { drive, file, server }: Ids): Promise<void> {
  const [key = '', otherKey = ''] = mock.keys;
  const send = async (method: string, path: string, body?: unknown, as = key) => {
    const headers = { 'X-API-Key': as, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(mock.url + path, { method, headers, ...sent });
    await response.arrayBuffer();
  };
  const oneFile = `/drives/${drive}/files/${file}`;
  mock.faults.add({
    id: 'tools-down-once',
    operations: ['listMcpServerTools'],
    effect: { status: { code: 503, retryAfterSeconds: 5 } },
    when: { next: 1 },
  });
  mock.faults.add({
    id: 'slow-servers',
    operations: ['listMcpServers', 'createMcpServer'],
    effect: { latency: { delayMs: 250 } },
  });
  mock.faults.add({
    id: 'lost-responses',
    operations: ['updateDriveFile'],
    effect: { emptyAnswer: {} },
    isEnabled: false,
  });
  await send('GET', '/agents');
  await send('GET', '/drives?limit=2');
  await send('POST', '/drives', { name: 'Launch plans' });
  await send('GET', '/drives?limit=500');
  await send('GET', '/agents', undefined, 'not-a-key');
  await send('GET', '/mcp-servers', undefined, otherKey);
  await send('GET', `/mcp-servers/${server}/tools`);
  await send('GET', `/mcp-servers/${server}/tools`);
  await send('GET', oneFile);
  await send('PATCH', oneFile, { path: '/../logo.svg' });
  await send('PATCH', oneFile, { path: '/2026/logo.svg' });
  await send('DELETE', `/drives/${drive}/items/tree?path=/2026`);
  await send('GET', oneFile);
}
