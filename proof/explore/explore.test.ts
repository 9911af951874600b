import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explore, type Outcome } from './explore.ts';
import { allExplorers, drawingTests, root } from './explorers.ts';
import { type Command, type Explorer, replayLine, roundsFrom } from './rounds.ts';

const explorer = (name: string): Explorer => ({
  name,
  with: (randomSeed) => ({ program: 'try', args: [name], environment: { SEED: String(randomSeed) } }),
});
const three = ['one', 'two', 'three'].map(explorer);

function take(count: number, randomSeed: number) {
  const rounds = roundsFrom(three, randomSeed);
  return Array.from({ length: count }, () => rounds.next().value);
}

/** Explores with rounds of one minute each, of which some find something. */
async function carryOut(limitMinutes: number, hasFound: (command: Command, round: number) => boolean) {
  const lines: string[] = [];
  const commands: Command[] = [];
  const run = async (command: Command): Promise<Outcome> => {
    commands.push(command);
    return { hasFound: hasFound(command, commands.length), summary: 'drew 7 servers', output: 'all that was printed' };
  };
  const found = await explore({
    ...{ explorers: three, randomSeed: 7, limitMs: limitMinutes * 60_000, run },
    now: () => commands.length * 60_000,
    print: (line) => lines.push(line),
  });
  return { found, lines, commands };
}

describe('the rounds of an exploration', () => {
  it('are the same for the same random seed', () => {
    expect(take(20, 1)).toEqual(take(20, 1));
    expect(take(20, 2)).not.toEqual(take(20, 1));
  });

  it('take all explorers in turn, each time with another random seed', () => {
    const rounds = take(30, 1);
    for (const index of [0, 3, 27])
      expect(new Set(rounds.slice(index, index + 3).map((round) => round.explorer)).size).toBe(3);
    expect(new Set(rounds.map(({ randomSeed }) => randomSeed)).size).toBe(30);
  });

  it('say how to replay them', () => {
    const [round] = take(1, 1);
    expect(round && replayLine(round)).toBe(`SEED=${round?.randomSeed} try ${round?.explorer}`);
  });
});

describe('an exploration', () => {
  it('ends when its time is over, and tells what each round drew', async () => {
    const { found, lines, commands } = await carryOut(5, () => false);
    expect(found).toEqual([]);
    expect(commands).toHaveLength(5);
    expect(lines[0]).toBe('Exploring with random seed 7: 3 test files and tools that draw.');
    expect(
      lines.filter((line) => /^ok {2}round \d, 60 s: SEED=\d+ try \w+\n {4}drew 7 servers$/.test(line)),
    ).toHaveLength(5);
    expect(lines.at(-1)).toBe('5 rounds in 5 min. Nothing was found.');
  });

  it('goes on when it has found something, shows it, and ends with the line that uses exactly this again', async () => {
    const { found, lines, commands } = await carryOut(5, (_, round) => round === 2);
    expect(commands).toHaveLength(5);
    expect(found.map(({ command }) => command)).toEqual(commands.slice(1, 2));
    expect(lines).toContain('all that was printed');
    const line = found.map(replayLine).join();
    expect(lines.at(-1)).toBe(
      `5 rounds in 5 min, 1 of them found something. Each is used again by its line:\n  ${line}`,
    );
  });

  it('has at least one round', async () => {
    expect((await carryOut(0, () => false)).commands).toHaveLength(1);
  });
});

describe('what explores', () => {
  it('is every test file that draws, with the seed in its environment', () => {
    const files = drawingTests();
    expect(files).toEqual(
      expect.arrayContaining(
        [
          ...['test/mock/random-profiles', 'test/mock/guesses', 'test/pages/points-modules', 'test/contract/path-rule'],
          ...['proof/power/send-again', 'test/suite/long-lists.full'],
        ].map((name) => `${name}.test.ts`),
      ),
    );
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const commands = allExplorers().map((one) => one.with(5));
    expect(commands).toContainEqual({
      program: 'npm',
      args: ['test', '--', 'test/contract/path-rule.test.ts'],
      environment: { TEST_SEED: '5' },
    });
    expect(commands).toContainEqual({
      program: 'npm',
      args: ['test', '--', '--mode', 'full', 'proof/power/send-again.test.ts'],
      environment: { TEST_SEED: '5' },
    });
    expect(commands.every((command) => JSON.stringify(command).includes('"5"'))).toBe(true);
  });

  it('has names of its own', () => {
    const names = allExplorers().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
