#!/usr/bin/env node
// Checks the version before any other import, so that an old Node reports a clear message, not a syntax error.
const { nodeProblem } = await import('../app/node-version.ts');
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}

const { enableCompileCache } = await import('node:module');
enableCompileCache();
const { run } = await import('./run.ts');

// Listens from the start: a signal may come right after the first line of output.
const { listenForSignals } = await import('./stop-signals.ts');
const { stopped, onSecond } = listenForSignals();
const { nextLine } = await import('./next-line.ts');
const { errorExitCodes } = await import('./exit-codes.ts');

let isLost = false;
let waitsForReader = true;

// A closed pipe must not stop the process. A result that a full disk loses is an error; a server goes on without its log.
process.stderr.on('error', () => undefined);
process.stdout.on('error', async (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isLost) return;
  isLost = true;
  if (waitsForReader) process.exitCode ||= errorExitCodes.report;
  const { complaint } = await import('./output-files.ts');
  process.stderr.write(`${complaint('Standard output', error).plain}\n`);
});

const exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  isInteractive: process.stdout.isTTY === true,
  columns: () => process.stdout.columns,
  write: (text, done) => void process.stdout.write(text, done),
  complain: (text) => void process.stderr.write(`${text}\n`),
  onCrash: (handle) => {
    process.on('uncaughtException', async (error) => process.exit(await handle(error)));
  },
  waitForNoReader: () => {
    waitsForReader = false;
  },
  stopped: () => stopped,
  onSecondSignal: onSecond,
  ...(process.stdin.isTTY && process.stdout.isTTY ? { entered: (signal) => nextLine(process.stdin, signal) } : {}),
});

process.exitCode = exitCode || process.exitCode;
if (!waitsForReader) {
  const { setTimeout } = await import('node:timers/promises');
  const written = [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done)));
  await Promise.race([Promise.all(written), setTimeout(500)]);
  process.exit();
}

export {};
