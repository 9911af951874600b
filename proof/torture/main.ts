/**
 * Tortures the mock in one way: `npm run torture -- <name>`. With `--seed <number>` a run is used again; `--count <number>`
 * says how many rounds it has; `mutation` takes the names of its parts, and with `--write` writes
 * its figures into proof/mutation/RESULTS.md. Exits with 1 on the first thing that is wrong.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { TortureOptions } from './options.ts';

interface Torture {
  run(options: TortureOptions): Promise<void>;
}

const tortures: Readonly<Record<string, () => Promise<Torture>>> = {
  kill: () => import('./kill.ts'),
  connections: () => import('./connections.ts'),
  fuzz: () => import('./fuzz.ts'),
  files: () => import('./files.ts'),
  mutation: () => import('./mutation.ts'),
  order: () => import('./order.ts'),
  soak: () => import('./soak.ts'),
};

const usage = `Usage: npm run torture -- ${Object.keys(tortures).join('|')} [--seed <number>] [--count <number>]`;

function readArguments() {
  const text = { type: 'string' } as const;
  try {
    const options = { seed: text, count: text, write: { type: 'boolean' } } as const;
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function refuse(problem: string): never {
  console.error(`${problem}\n${usage}`);
  process.exit(2);
}

function toNumber(option: string, text: string): number {
  return /^\d+$/.test(text) ? Number(text) : refuse(`--${option} must be a whole number, not ${text}.`);
}

const { values, positionals } = readArguments();
const [name = '', ...names] = positionals;
const load = Object.hasOwn(tortures, name) ? tortures[name] : undefined;
if (load === undefined) refuse(name === '' ? 'Name a torture.' : `There is no torture ${name}.`);
const { run } = await load();
await run({
  seed: values.seed === undefined ? randomInt(1_000_000) : toNumber('seed', values.seed),
  ...(values.count === undefined ? {} : { count: toNumber('count', values.count) }),
  names,
  isWritten: values.write === true,
  print: console.log,
});
