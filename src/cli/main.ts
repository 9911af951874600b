#!/usr/bin/env node
// Nothing is imported before the version is known: an old Node shall say what it needs, not fail on syntax.
const oldestMajor = 22;
const major = Number(process.versions.node.split('.')[0]);
if (major < oldestMajor) {
  console.error(`agent-platform needs Node ${oldestMajor} or later; this is Node ${process.versions.node}.`);
  process.exit(1);
}

// What a request leaves behind is gone with it: kept small, the young generation stays in the processor's caches.
const { setFlagsFromString } = await import('node:v8');
setFlagsFromString('--semi-space-growth-factor=1');

// Not there in the first 22.
const { enableCompileCache } = await import('node:module');
enableCompileCache?.();
const { run } = await import('./run.ts');

// Listened for from the start: a signal may come as soon as the first line is out.
const stopped = new Promise<void>((resolve) => {
  const stop = () => {
    // The next one finds no listener and ends the process.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, stop);
    resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
});

// Whoever reads may have gone: no reason to break off in the middle.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  isInteractive: process.stdout.isTTY === true,
  write: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(`${text}\n`),
  onCrash: (handle) => void process.on('uncaughtException', (error) => process.exit(handle(error))),
  // By the signal itself: an orderly exit waits for the write.
  giveUp: () => {
    process.removeAllListeners('SIGTERM');
    process.kill(process.pid, 'SIGTERM');
  },
  stopped: () => stopped,
});

export {};
