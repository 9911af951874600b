/**
 * Tortures the mock in one way: `npm run torture -- <name>`. With `--seed <number>` a run is played again; `--count <number>`
 * says how many rounds it has; `mutation` takes the names of its parts, and with `--write` writes
 * its figures into docs/mutation.md. Exits with 1 on the first thing that is wrong.
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, count: { type: 'string' }, write: { type: 'boolean' } },
});
const [name = '', ...names] = positionals;
const load = Object.hasOwn(tortures, name) ? tortures[name] : undefined;
if (load === undefined) {
  console.error(`Name one of: ${Object.keys(tortures).join(', ')}.`);
  process.exit(2);
}
const { run } = await load();
await run({
  seed: Number(values.seed ?? randomInt(1_000_000)),
  ...(values.count === undefined ? {} : { count: Number(values.count) }),
  names,
  isWritten: values.write === true,
  print: console.log,
});
