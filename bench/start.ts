import { end } from './children.ts';
import type { Subject } from './servers.ts';

/** The times from the start of the process to the first valid answer, of each subject in turn, in milliseconds. */
export async function measureStarts<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(subjects) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) samples[name].push(await startMs(subjects[name]));
  }
  return samples;
}

async function startMs(subject: Subject): Promise<number> {
  const startedMs = performance.now();
  const { child } = await subject.start();
  const durationMs = performance.now() - startedMs;
  await end(child);
  return durationMs;
}
