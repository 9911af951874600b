import { expect, it } from 'vitest';
import { randomSeed } from '../../test/support/depth.ts';
import { run } from './kill.ts';

it('loses nothing that was acknowledged, and leaves nothing half there, when the mock is killed', async () => {
  const printed: string[] = [];
  await run({ seed: randomSeed, count: 15, print: (line) => printed.push(line) });
  expect(printed.at(-1)).toMatch(/^15 kills survived, 4 of them during a start\.\n[1-9]\d* writes were acknowledged/);
});
