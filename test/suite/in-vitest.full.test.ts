import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { takeSnapshot } from '../../proof/power/snapshot.ts';
import { runProgram, startProgram } from '../support/command.ts';
import { createFolder } from '../support/folder.ts';
import { createBench, startPassing } from '../support/judging.ts';
import { wholeConfig } from '../support/whole-settings.ts';

const { mock } = await createBench();
const { path: root, at, write } = createFolder('in-vitest');
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const adapter = fileOf('../../conformance/vitest.ts');
const vitest = fileOf('../../node_modules/vitest/vitest.mjs');
const vitestApi = fileOf('../../node_modules/vitest/dist/node.js');

let files = 0;

/** Writes a test file that registers the suite against a server. Its name. */
function registering(baseUrl: string, options: object = {}, more = ''): string {
  const name = `registering-${++files}.test.ts`;
  const config = JSON.stringify({ ...wholeConfig(mock), baseUrl });
  const register = `import { registerConformance } from ${JSON.stringify(adapter)};
registerConformance(${config}, ${JSON.stringify({ moveLog: at(`${name}.jsonl`), ...options })});`;
  write(name, `${more}\n${register}\n`);
  return name;
}

function runVitest(file: string, ...args: string[]) {
  return runProgram([vitest, 'run', '--root', root, file, ...args]);
}

/** A front of the mock that keeps what it was asked. */
async function listeningFront() {
  const asked: string[] = [];
  const front = await startPassing(mock.url, ({ method, url }: IncomingMessage) => asked.push(`${method} ${url}`));
  return { front, asked };
}

describe('the suite in Vitest', () => {
  it('sends only what the selected tests need', async () => {
    const { front, asked } = await listeningFront();
    const { code, stdout } = await runVitest(registering(front.baseUrl), '-t', 'listAgents.no-key$');
    await front.close();
    expect(stdout).toMatch(/1 passed/);
    expect(code).toBe(0);
    expect(asked.length).toBeLessThan(15);
    expect(asked.filter((line) => !line.startsWith('GET '))).toEqual([]);
  });

  it('moves files back when Vitest is cancelled', async () => {
    const before = [...takeSnapshot(mock).files];
    const moved = Promise.withResolvers<void>();
    const front = await startPassing(
      mock.url,
      ({ method }) => {
        if (method === 'PATCH') moved.resolve();
      },
      5,
    );
    const script = write(
      'cancel.mjs',
      `import { createVitest } from ${JSON.stringify(vitestApi)};
const vitest = await createVitest('test', { root: ${JSON.stringify(root)}, watch: false, testNamePattern: 'createDrive.is-served|updateDriveFile' });
process.on('SIGUSR2', () => vitest.cancelCurrentRun('keyboard-input'));
await vitest.start([${JSON.stringify(registering(front.baseUrl))}]);
await vitest.close();`,
    );
    const running = startProgram([script]);
    await Promise.race([moved.promise, running.ended]);
    expect([...takeSnapshot(mock).files]).not.toEqual(before);
    const { stdout } = await running.stop('SIGUSR2');
    await front.close();
    expect(stdout).toMatch(/Left behind on the target/);
    expect([...takeSnapshot(mock).files]).toEqual(before);
  });
});
