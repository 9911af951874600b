import { expect, it } from 'vitest';
import { depth, randomSeed } from '../../test/support/depth.ts';
import { run } from './files.ts';

// The short form of `npm run torture -- files`.

it('damaged, odd and hurtful files are taken, or refused with an error that names them', async () => {
  const lines: string[] = [];
  await run({ seed: randomSeed, count: depth(800, 4_000), print: (line) => lines.push(line) });
  expect(lines.at(-1)).toMatch(/^\d+ files, \d+ of them taken, \d+ refused, .*\n.*\n.*nothing fell over\. Seed \d+\.$/);
});
