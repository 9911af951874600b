import { expect, it } from 'vitest';
import { randomSeed } from '../../test/support/depth.ts';
import { run } from './fuzz.ts';

// The short form of `npm run torture -- fuzz`.

it('odd and damaged requests get no 5xx, hang nothing, and change nothing when they are refused', async () => {
  const lines: string[] = [];
  await run({ seed: randomSeed, count: 20_000, print: (line) => lines.push(line) });
  expect(lines.at(-1)).toMatch(/^\d{5} inputs, \d{5} answers, .*No 5xx/);
});
