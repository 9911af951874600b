import { createMock } from '../../src/index.ts';

// Run directly, with --expose-gc. Measures what 1,000 sandboxes of the demo seed cost. Prints one line of JSON.

const count = 1_000;

function heapBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const mock = await createMock({ clock: '2026-10-01T09:00:00Z' });
mock.openSandbox();
const beforeBytes = heapBytes();
const startMs = performance.now();
const keys = Array.from({ length: count }, () => mock.openSandbox().key);
const durationMs = performance.now() - startMs;
const bytesEach = (heapBytes() - beforeBytes) / count;
const send = (key: string, method: string, path: string, body?: object) =>
  fetch(mock.url + path, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const statuses = new Set<number>();
for (const key of keys) statuses.add((await send(key, 'POST', '/drives', { name: 'Own' })).status);
const usedBytesEach = (heapBytes() - beforeBytes) / count;
await mock.close();
process.stdout.write(JSON.stringify({ durationMs, bytesEach, usedBytesEach, statuses: [...statuses] }));
