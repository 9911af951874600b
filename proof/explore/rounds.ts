import { createRandom } from '../../src/domain/random.ts';
import { shuffledByName } from '../../test/support/random-seed.ts';

/** Something that draws: a test file, or a tool of the proof. */
export interface Explorer {
  /** What people call it: unique. */
  name: string;
  /** How to run it once. Nothing but the random seed changes what it draws. */
  with(randomSeed: number): Command;
}

/** A program that is run from the root of the repository. It exits with 0 when it found nothing. */
export interface Command {
  program: string;
  args: readonly string[];
  environment?: Readonly<Record<string, string>>;
}

/** One run of one explorer. */
export interface Round {
  explorer: string;
  randomSeed: number;
  command: Command;
}

/** The rounds that follow from a random seed, without end: all explorers in turn, each time in another order, with another seed. */
export function* roundsFrom(explorers: readonly Explorer[], randomSeed: number): Generator<Round, never> {
  const random = createRandom(`explore ${randomSeed}`);
  for (;;) {
    for (const explorer of shuffledByName(explorers, random.uint32(), ({ name }) => name)) {
      const drawn = random.uint32() % 1_000_000_000;
      yield { explorer: explorer.name, randomSeed: drawn, command: explorer.with(drawn) };
    }
  }
}

/** The line for a shell that uses a round again. */
export function replayLine({ command: { program, args, environment = {} } }: Round): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return [...variables, program, ...args].join(' ');
}
