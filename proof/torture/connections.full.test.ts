import { expect, it } from 'vitest';
import { randomSeed } from '../../test/support/depth.ts';
import { run } from './connections.ts';

// The short form of `npm run torture -- connections`. It waits for most of its time.

it('connections that are up to no good are all closed, and clients beside them get their answers', async () => {
  const lines: string[] = [];
  await run({ seed: randomSeed, count: 350, print: (line) => lines.push(line) });
  expect(lines).toEqual([
    expect.stringMatching(/^connections: 350 hostile ones of 7 kinds beside 50 clients, seed /),
    expect.stringMatching(/^clients alone: \d+ answers, .*; beside the others: \d+ answers, p50 .*, p99 /),
    expect.stringMatching(/^All hostile connections were closed after \d+ s; no client met an error\.$/),
  ]);
});
