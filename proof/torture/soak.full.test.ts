import { expect, it } from 'vitest';
import { randomSeed } from '../../test/support/depth.ts';
import { run } from './soak.ts';

// The short form of `npm run torture -- soak`.

it('mixed requests, faults, resets, many sandboxes and readers that do not read make the memory of the mock grow no further', async () => {
  const lines: string[] = [];
  await run({ seed: randomSeed, count: 60_000, print: (line) => lines.push(line) });
  expect(lines.at(-1)).toMatch(/: held 0\.\d+|: held 1\.0/);
});
