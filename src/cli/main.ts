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
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  isInteractive: process.stdout.isTTY === true,
  write: (text) => void process.stdout.write(text),
  // By the signal itself: an orderly exit waits for the write.
  giveUp: () => {
    process.removeAllListeners('SIGTERM');
    process.kill(process.pid, 'SIGTERM');
  },
  stopped: () => stopped,
});

export {};
