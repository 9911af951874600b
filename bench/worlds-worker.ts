/** Writes a `WorldsSample` as JSON: `node --expose-gc bench/worlds-worker.ts <worlds>`. */
import { loadBuilt } from './built.ts';
import { connectTo } from './connection.ts';
import { heapBytes } from './heap.ts';
import type { WorldsSample } from './small.ts';

const { createMock } = await loadBuilt();

async function measure(count: number): Promise<WorldsSample> {
  const mock = await createMock({ openKeys: true, maxWorlds: count, journalLimit: 0 });
  const connection = await connectTo(mock.url);
  const askEach = async (prefix: string) => {
    const startedMs = performance.now();
    for (let index = 0; index < count; index++) await connection.send('GET', '/agents', `${prefix}-${index}`);
    return performance.now() - startedMs;
  };
  // Compiles the code that opens worlds.
  await connection.send('GET', '/agents', 'first');
  const before = heapBytes();
  const openingMs = await askEach('world');
  const bytes = heapBytes() - before;
  const sameAgainMs = await askEach('world');
  connection.close();
  await mock.close();
  return { openedMs: Math.max(0, openingMs - sameAgainMs), bytesEach: bytes / count };
}

console.log(JSON.stringify(await measure(Number(process.argv[2]))));
