import { runNode } from './children.ts';

/** What opening worlds took, beyond the same requests to worlds that are open. */
export interface WorldsSample {
  openedMs: number;
  bytesEach: number;
  /** The same after a test has listed everything in it, and created a drive. */
  usedBytesEach: number;
}

const limitMs = 60_000;
const worlds = 1_000;

/** Opens a thousand worlds in a process of its own, so many times. */
export async function measureWorlds(rounds: number): Promise<WorldsSample[]> {
  const samples: WorldsSample[] = [];
  for (let round = 0; round < rounds; round++) {
    const output = await runNode(['--expose-gc', 'bench/worlds-worker.ts', String(worlds)], limitMs);
    samples.push(JSON.parse(output) as WorldsSample);
  }
  return samples;
}

/** The times from `createMock()` to the first answer, in milliseconds: each in a process that has imported the package. */
export async function measureFirstAnswers(rounds: number): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++)
    samples.push(Number(await runNode(['bench/first-answer-worker.ts'], limitMs)));
  return samples;
}
