/**
 * Looks for what nobody knows yet: `npm run explore -- --minutes 60`. Runs the tests and tools that draw again and again, each
 * time with another random seed, and prints for each round the line that replays it. `--random-seed <number>` uses the
 * same rounds as before. Exits with 1 when something was found, with 2 when it is asked wrongly.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Started, start } from '../../test/support/shell.ts';
import { explore, type Outcome } from './explore.ts';
import { allExplorers, root } from './explorers.ts';
import type { Command } from './rounds.ts';

const usage = 'Usage: npm run explore -- --minutes <number> [--random-seed <number>]';
// A round that takes longer hangs.
const timeoutMs = 1_800_000;

function refuse(problem: string): never {
  console.error(`${problem}\n${usage}`);
  process.exit(2);
}

function readArguments() {
  const options = { minutes: { type: 'string' }, 'random-seed': { type: 'string' } } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function toNumber(option: string, text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse(`--${option} must be a whole number, not ${text}.`);
}

let running: Started | undefined;
process.once('SIGINT', () => {
  running?.kill();
  process.exit(130);
});

async function runOnce({ program, args, environment = {} }: Command): Promise<Outcome> {
  running = start(program, args, { cwd: root, environment, timeoutMs });
  const { stdout, stderr, exitCode } = await running.ended;
  const summary = stdout.trimEnd().split('\n').at(-1) ?? '';
  return { hasFound: exitCode !== 0, summary: summary.trim(), output: stdout + stderr };
}

const { minutes = refuse('Say how long: --minutes.'), 'random-seed': seed } = readArguments();
const found = await explore({
  explorers: allExplorers(),
  randomSeed: seed === undefined ? randomInt(1_000_000) : toNumber('random-seed', seed),
  limitMs: toNumber('minutes', minutes) * 60_000,
  run: runOnce,
  now: () => performance.now(),
  print: console.log,
});
process.exitCode = found.length === 0 ? 0 : 1;
