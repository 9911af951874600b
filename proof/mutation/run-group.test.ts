import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startProgram } from '../../test/support/command.ts';
import { createFolder } from '../../test/support/folder.ts';
import { timeLimit } from '../../test/support/time-limit.ts';
import { runGroup } from './run-group.ts';

const { path: folder, at } = createFolder('run-group');
const module = new URL('./run-group.ts', import.meta.url).href;

/** The text of a file, once it is there. */
const written = (name: string) =>
  expect.poll(() => readFileSync(at(name), 'utf8'), { timeout: timeLimit(10_000) }).toMatch(/^\d+ \d+$/);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a program that is run to its end', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends by %s with all that it has started', async (signal) => {
    // Neither of the two ends by itself.
    const inner = `const { spawn } = require('node:child_process');
      const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      require('node:fs').writeFileSync(${JSON.stringify(at(signal))}, process.pid + ' ' + other.pid);
      setInterval(() => {}, 1000);`;
    const outer = `const { runGroup } = await import(${JSON.stringify(module)});
      await runGroup('.', process.execPath, ['-e', ${JSON.stringify(inner)}], {});`;
    const running = startProgram(['--input-type=module', '--eval', outer]);
    await written(signal);
    const { code, stderr } = await running.stop(signal);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`ended with ${signal}.`)]);
    const pids = readFileSync(at(signal), 'utf8').split(' ').map(Number);
    await expect.poll(() => pids.filter(isAlive), { timeout: timeLimit(10_000) }).toEqual([]);
  });

  it('is given its folder and environment, and has to end with 0', async () => {
    const run = (code: string) => runGroup(folder, process.execPath, ['-e', code], { CODE_OF_END: '0' });
    const isThere = `process.cwd() === require('node:fs').realpathSync(${JSON.stringify(folder)})`;
    await expect(run(`process.exit(${isThere} ? Number(process.env.CODE_OF_END) : 9)`)).resolves.toBeUndefined();
    await expect(run('process.exit(7)')).rejects.toThrow(/ ended with 7\.$/);
  });
});
