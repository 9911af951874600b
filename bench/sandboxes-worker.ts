/** Writes a `SandboxesSample` as JSON: `node --expose-gc bench/sandboxes-worker.ts <sandboxes>`. */
import { loadBuilt } from './built.ts';
import { type Connection, connectTo } from './connection.ts';
import { heapBytes } from './heap.ts';
import type { SandboxesSample } from './sandboxes.ts';

const { createMock } = await loadBuilt();

async function measure(count: number): Promise<SandboxesSample> {
  const mock = await createMock({ openKeys: true, maxSandboxes: count, requestLogLimit: 0 });
  const connection = await connectTo(mock.url);
  const askEach = async (
    prefix: string,
    use = (key: string): Promise<unknown> => connection.send('GET', '/agents', key),
  ) => {
    const startedMs = performance.now();
    for (let index = 0; index < count; index++) await use(`${prefix}-${index}`);
    return performance.now() - startedMs;
  };
  // Compiles the code that opens sandboxes.
  await connection.send('GET', '/agents', 'first');
  const before = heapBytes();
  const openingMs = await askEach('sandbox');
  const bytes = heapBytes() - before;
  const sameAgainMs = await askEach('sandbox');
  await askEach('sandbox', (key) => listAndCreate(connection, key));
  const usedBytes = heapBytes() - before;
  connection.close();
  await mock.close();
  return { openedMs: Math.max(0, openingMs - sameAgainMs), bytesEach: bytes / count, usedBytesEach: usedBytes / count };
}

/** What a test does in its sandbox: it lists everything, and creates a drive. */
async function listAndCreate({ send }: Connection, key: string): Promise<void> {
  for (const path of ['/agents', '/drives', '/mcp-servers']) await send('GET', path, key);
  const { status, body } = await send('POST', '/drives', key, '{"name":"Quarterly reports"}');
  if (status >= 400) throw new Error(`A drive is not created: ${body}`);
}

console.log(JSON.stringify(await measure(Number(process.argv[2]))));
