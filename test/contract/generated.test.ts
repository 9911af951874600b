import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generated as documents } from '../../docs/generate.ts';
import { generated as contract } from '../../openapi/generate.ts';

it.each([
  ['of the contract', contract],
  ['of the documents: pages, tables and the schema of a seed', documents],
])('the generated files %s are up to date', async (_, generated) => {
  const stale = (await generated()).filter(({ file, text }) => readFileSync(file, 'utf8') !== text);
  expect(
    stale.map(({ file }) => file.pathname),
    'npm run generate writes them',
  ).toEqual([]);
});
