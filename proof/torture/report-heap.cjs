/** Preloaded into a mock that runs with `--expose-gc`: at SIGUSR2 it writes what it holds to the file HEAP_FILE, as JSON. */
const { renameSync, writeFileSync } = require('node:fs');

process.on('SIGUSR2', () => {
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const file = process.env.HEAP_FILE;
  writeFileSync(
    `${file}.part`,
    JSON.stringify({ heldBytes: heapUsed + external, rssBytes: rss, cpuUs: user + system }),
  );
  renameSync(`${file}.part`, file);
});
