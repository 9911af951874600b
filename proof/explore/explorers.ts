import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Explorer } from './rounds.ts';

export const root = join(import.meta.dirname, '../..');

const draws = /\b(?:sampleOf|drawn|randomSeed|depth|useDeveloperPage)\(|\brandomSeed\b|from 'fast-check'/;

/** The test files whose input, servers, profiles or looks depend on the random seed. */
export function drawingTests(): string[] {
  const files = globSync('{test,proof}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] });
  return files.filter((file) => draws.test(readFileSync(join(root, file), 'utf8'))).sort();
}

// What the quick run leaves out: see vitest.config.ts.
function isQuick(file: string): boolean {
  return file.startsWith('test/') && !file.endsWith('.full.test.ts');
}

const script = (name: string, args: (randomSeed: number) => readonly (string | number)[]): Explorer => ({
  name: `npm run ${name} -- ${args(0)[0]}`,
  with: (randomSeed) => ({ program: 'npm', args: ['run', name, '--', ...args(randomSeed).map(String)] }),
});

/** Everything that draws: the test files, servers of the proof with shuffled checks and late answers, and the tortures. */
export function allExplorers(): Explorer[] {
  const tests = drawingTests().map(
    (file): Explorer => ({
      name: file,
      with: (randomSeed) => ({
        ...{ program: 'npm', args: ['test', '--', ...(isQuick(file) ? [] : ['--mode', 'full']), file] },
        environment: { TEST_SEED: String(randomSeed) },
      }),
    }),
  );
  return [
    ...tests,
    script('power', (randomSeed) => ['--drawn', 24, '--random-seed', randomSeed]),
    script('torture', (randomSeed) => ['fuzz', '--count', 2_000, '--seed', randomSeed]),
    script('torture', (randomSeed) => ['files', '--count', 1_000, '--seed', randomSeed]),
    script('torture', (randomSeed) => ['order', '--count', 20, '--seed', randomSeed]),
    script('torture', (randomSeed) => ['connections', '--count', 100, '--seed', randomSeed]),
  ];
}
