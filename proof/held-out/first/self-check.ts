import assert, { AssertionError } from 'node:assert/strict';
import type { Facts } from './base/facts.ts';
import { checkDetails, checkOperations } from './checks.ts';
import { faults } from './faults/index.ts';
import { entries, start } from './index.ts';
import { Tester } from './tester.ts';

const began = Date.now();
const problems: string[] = [];

async function withServer(names: string[], use: (baseUrl: string, facts: Facts) => Promise<void>): Promise<unknown> {
  const server = await start(names);
  try {
    await use(server.baseUrl, server.facts);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await server.stop();
  }
}

function report(name: string, problem: string, error: unknown): void {
  problems.push(`${name}: ${problem}${error instanceof Error ? ` (${error.message.split('\n')[0]})` : ''}`);
}

const names = entries.map((entry) => entry.name);
assert.equal(
  new Set(names).size,
  names.length,
  `names must be unique: ${names.filter((name, index) => names.indexOf(name) !== index)}`,
);
for (const entry of entries) {
  assert.match(entry.name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  assert.match(entry.section, /^\d(\.\d+)?$/, entry.name);
}

const only = process.argv.slice(2);
const chosen = (name: string): boolean => only.length === 0 || only.includes(name);

for (const check of [checkOperations, checkDetails]) {
  const error = await withServer([], (baseUrl, facts) => check(new Tester(baseUrl, facts)));
  if (error) report('base', 'does not behave as specified', error);
}

for (const fault of faults.filter(({ name }) => chosen(name))) {
  const hidden = await withServer([fault.name], fault.shows);
  if (hidden) report(fault.name, 'cannot be seen', hidden);
  const refused = await withServer([], fault.shows);
  if (!refused) report(fault.name, 'is also seen on the base', undefined);
  else if (!(refused instanceof AssertionError)) report(fault.name, 'its demonstration breaks on the base', refused);
}

// Some legal servers are slow, so that a few share the waiting.
const legalNames = entries.filter(({ kind, name }) => kind === 'legal' && chosen(name)).map(({ name }) => name);
await Promise.all(
  Array.from({ length: 5 }, async () => {
    for (let name = legalNames.shift(); name; name = legalNames.shift()) {
      const error = await withServer([name], (baseUrl, facts) => checkOperations(new Tester(baseUrl, facts)));
      if (error) report(name, 'does not do the ten operations', error);
    }
  }),
);

// Faults combine: one server may play several.
const together = ['limit-ignored', 'file-kind-document', 'tree-underscore-is-a-wildcard'];
const unseen = await withServer(together, async (baseUrl, facts) => {
  for (const fault of faults.filter(({ name }) => together.includes(name))) await fault.shows(baseUrl, facts);
});
if (unseen) report('three faults together', 'do not all show', unseen);

for (const problem of problems) console.log(problem);
const count = (kind: string): number => entries.filter((entry) => entry.kind === kind).length;
console.log(
  `must ${count('must')}, should ${count('should')}, legal ${count('legal')}; ${problems.length} problems; ${Date.now() - began} ms`,
);
const sections = new Map<string, number>();
for (const { section, kind } of entries) {
  const row = `${kind === 'legal' ? 'legal' : 'fault'} ${section}`;
  sections.set(row, (sections.get(row) ?? 0) + 1);
}
console.log(
  [...sections]
    .sort()
    .map(([row, number]) => `${row}: ${number}`)
    .join(', '),
);
process.exitCode = problems.length ? 1 : 0;
