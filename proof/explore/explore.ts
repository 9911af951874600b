import { type Command, type Explorer, type Round, replayLine, roundsFrom } from './rounds.ts';

/** What a round came to. */
export interface Outcome {
  hasFound: boolean;
  /** What was drawn, in one line. */
  summary: string;
  /** Everything that was printed. */
  output: string;
}

/** How long to explore, and with what. */
export interface Exploration {
  explorers: readonly Explorer[];
  randomSeed: number;
  limitMs: number;
  run(command: Command): Promise<Outcome>;
  /** Milliseconds, from any beginning. */
  now(): number;
  print(line: string): void;
}

/**
 * Runs one round after the other until the time is over; a round that has begun is finished, and there is at least one. Resolves
 * to the rounds that found something.
 */
export async function explore({ explorers, randomSeed, limitMs, run, now, print }: Exploration): Promise<Round[]> {
  print(`Exploring with random seed ${randomSeed}: ${explorers.length} test files and tools that draw.`);
  const startedMs = now();
  const found: Round[] = [];
  let count = 0;
  for (const round of roundsFrom(explorers, randomSeed)) {
    const beganMs = now();
    const { hasFound, summary, output } = await run(round.command);
    const seconds = Math.round((now() - beganMs) / 1_000);
    count += 1;
    print(`${hasFound ? 'FOUND' : 'ok'}  round ${count}, ${seconds} s: ${replayLine(round)}\n    ${summary}`);
    if (hasFound) {
      found.push(round);
      print(output);
    }
    if (now() - startedMs >= limitMs) break;
  }
  print(closing(count, found, Math.round((now() - startedMs) / 60_000)));
  return found;
}

function closing(count: number, found: readonly Round[], minutes: number): string {
  const rounds = `${count} round${count === 1 ? '' : 's'} in ${minutes} min`;
  if (found.length === 0) return `${rounds}. Nothing was found.`;
  const lines = found.map((round) => `  ${replayLine(round)}`);
  return [`${rounds}, ${found.length} of them found something. Each is used again by its line:`, ...lines].join('\n');
}
