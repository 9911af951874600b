// Runs the proof of every faulty entry on its server and on the sound base, and the walk on every legal server.
// Words after the file's name choose the entries whose name, kind or class they are part of. All take about 90 seconds.

import { Bench } from './client.ts';
import { start } from './index.ts';
import { items } from './items.ts';
import { proofs } from './proofs.ts';
import type { Item } from './variant.ts';
import { walk } from './walk.ts';

const longest = 20_000,
  mostRequests = 250,
  together = 8;

// Runs some steps on a server with these variants; counts requests and time.
async function on<T>(
  names: readonly string[],
  steps: (bench: Bench) => Promise<T>,
): Promise<{ result: T; requests: number; ms: number }> {
  const server = await start(names);
  const began = Date.now();
  try {
    const bench = new Bench(server.baseUrl, server.facts);
    let requests = 0;
    for (const caller of [bench.a, bench.aBearer, bench.b, bench.bBearer, bench.nobody, bench.stranger]) {
      const send = caller.send.bind(caller);
      caller.send = (...all: Parameters<typeof send>) => {
        requests++;
        return send(...all);
      };
    }
    const result = await steps(bench);
    return { result, requests, ms: Date.now() - began };
  } finally {
    await server.stop();
  }
}

async function judge(item: Item): Promise<string[]> {
  if (item.kind === 'legal') return (await on([item.name], walk)).result;
  const proof = proofs[item.name];
  if (!proof) return ['has no proof'];
  const faulty = await on([item.name], proof),
    base = await on([], proof);
  const wrong: string[] = [];
  if (!faulty.result) wrong.push('the fault does not show');
  if (base.result) wrong.push('the base shows it, too');
  for (const run of [faulty, base])
    if (run.requests >= mostRequests || run.ms >= longest)
      wrong.push(`takes ${run.requests} requests and ${run.ms} ms`);
  return wrong;
}

const words = process.argv.slice(2);
const chosen = items.filter(
  (item) =>
    words.length === 0 || words.some((word) => item.name.includes(word) || item.kind === word || item.class === word),
);
let failed = 0;
const say = (name: string, problems: string[]): void => {
  if (problems.length) {
    failed++;
    console.log(`FAILS ${name}: ${problems.slice(0, 4).join('; ')}`);
  }
};

if (words.length === 0) {
  say('catalogue', [
    ...items
      .filter((item, n) => items.findIndex((one) => one.name === item.name) !== n)
      .map((item) => `${item.name} stands twice`),
    ...items
      .filter((item) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(item.name))
      .map((item) => `${item.name} is not kebab-case`),
    ...Object.keys(proofs)
      .filter((name) => !items.some((item) => item.name === name))
      .map((name) => `${name} has a proof and no entry`),
  ]);
  say('base', (await on([], walk)).result);
}
const queue = [...chosen];
await Promise.all(
  Array.from({ length: together }, async () => {
    for (let item = queue.shift(); item; item = queue.shift()) {
      try {
        say(`${item.kind} ${item.name}`, await judge(item));
      } catch (fault) {
        say(`${item.kind} ${item.name}`, [String(fault instanceof Error ? fault.stack : fault)]);
      }
    }
  }),
);
const table = new Map<string, number>();
for (const item of chosen)
  for (const key of [item.kind, `${item.kind === 'legal' ? 'legal' : 'faulty'} ${item.class}`])
    table.set(key, (table.get(key) ?? 0) + 1);
console.log(
  [...table]
    .sort()
    .map(([key, n]) => `${key}: ${n}`)
    .join(', '),
);
console.log(`${chosen.length} entries, ${failed} fail.`);
process.exitCode = failed ? 1 : 0;
