import { execFileSync, spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand, startMockHere } from '../support/command.ts';
import { createFolder } from '../support/folder.ts';

// A file that an option names may be a pipe, as in `--profile <(some program)`: it can be read once.

const { at, write } = createFolder('pipes');
let count = 0;

/** A pipe into which somebody writes a text once. */
function pipeWith(text: string): string {
  const [pipe, file] = [at(`pipe-${++count}`), write(`text-${count}`, text)];
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', 'cat "$1" > "$2"', 'sh', file, pipe], { stdio: 'ignore' });
  onTestFinished(() => void writer.kill());
  return pipe;
}

const profile = () => ['--profile', pipeWith('errorBody: list\n')];
const seed = () => ['--seed', pipeWith('organizations:\n  - { name: Alder, keys: [key-a] }\n')];

async function resumed(): Promise<string[]> {
  const state = ['--state', at('old.state')];
  await (await startMockHere(state)).stop();
  return [...state, ...profile(), '--set', 'listOrder=byName'];
}

// Windows has no named pipes in its file system.
describe.skipIf(process.platform === 'win32')('the mock', () => {
  it.each<[string, () => string[] | Promise<string[]>]>([
    ['a profile', profile],
    ['a profile and a choice', () => [...profile(), '--set', 'listOrder=byName']],
    ['a profile and --vary', () => [...profile(), '--vary']],
    ['a seed and a profile', () => [...seed(), ...profile()]],
    ['a new state and --vary', () => [...seed(), ...profile(), '--vary', '--state', at('new.state')]],
    ['a state that is resumed', resumed],
  ])('starts with %s from a pipe', async (_, words) => {
    const mock = await startMockHere(await words());
    const { code, stdout } = await mock.stop();
    expect([code, stdout]).toEqual([0, expect.stringContaining('"message":"listening"')]);
  });

  it('does not watch a pipe', async () => {
    for (const words of [profile(), seed()]) {
      const { code, stderr } = await runCommand(['mock', '--port', '0', '--watch', ...words]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`--watch cannot watch ${words[1]}, which is a pipe.`),
      ]);
    }
  });
});
