import { run } from './children.ts';

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
    const args = ['--expose-gc', 'bench/sandboxes-worker.ts', String(sandboxes)];
    samples.push(JSON.parse(await run(process.execPath, args, limitMs)) as SandboxesSample);
  }
  return samples;
}
