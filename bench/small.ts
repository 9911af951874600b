import { runNode } from './children.ts';

/** What opening sandboxes took, beyond the same requests to sandboxes that are open. */
export interface SandboxesSample {
  openedMs: number;
  bytesEach: number;
  /** The same after a test has listed everything in it, and created a drive. */
  usedBytesEach: number;
}

const limitMs = 60_000;
const sandboxes = 1_000;

/** Opens a thousand sandboxes in a process of its own, so many times. */
export async function measureSandboxes(rounds: number): Promise<SandboxesSample[]> {
  const samples: SandboxesSample[] = [];
  for (let round = 0; round < rounds; round++) {
    const output = await runNode(['--expose-gc', 'bench/sandboxes-worker.ts', String(sandboxes)], limitMs);
    samples.push(JSON.parse(output) as SandboxesSample);
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
