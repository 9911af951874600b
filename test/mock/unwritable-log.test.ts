import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fullEnvironment } from '../support/command.ts';
import { sampleOf } from '../support/depth.ts';
import { freePort } from '../support/free-port.ts';

// A server whose log cannot be written responds as always, and one SIGTERM ends it with the exit code of a clean stop.

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Starts a command whose standard output and standard error lead into such a sink. */
type Sink = (args: string[]) => ChildProcess;

const start = (args: string[], sink: 'pipe' | number) =>
  spawn(process.execPath, [main, ...args], { env: fullEnvironment(), stdio: ['ignore', sink, sink] });

const onDevice = (args: string[]) => {
  const full = openSync('/dev/full', 'w');
  const child = start(args, full);
  closeSync(full);
  return child;
};

const sinks: Record<string, Sink> = {
  // Nobody reads, so the pipe fills.
  'a pipe that is not read': (args) => start(args, 'pipe'),
  'a pipe that is closed': (args) => {
    const child = start(args, 'pipe');
    child.stdout?.destroy();
    child.stderr?.destroy();
    return child;
  },
  // Linux only: macOS has no such device.
  ...(existsSync('/dev/full') ? { 'a full disk': onDevice } : {}),
};

const commands: Record<string, (port: number) => Promise<string[]>> = {
  mock: async (port) => ['mock', '--port', `${port}`],
  // Each of its requests fails and is noted, since nothing listens there.
  proxy: async (port) => ['proxy', '--port', `${port}`, '--upstream', `http://127.0.0.1:${await freePort()}/v0.1`],
};

const formats = ['json', 'pretty'];
const cases = Object.keys(commands).flatMap((command) =>
  Object.keys(sinks).flatMap((sink) => formats.map((format) => ({ command, sink, format }))),
);

const responds = (url: string) =>
  fetch(url).then(
    async (response) => (await response.arrayBuffer()).byteLength > 0,
    () => false,
  );

describe('log that cannot be written', () => {
  it.each(sampleOf(cases, 1))('$command, $format log, $sink', async ({ command, sink, format }) => {
    const port = await freePort();
    const args = (await commands[command]?.(port)) ?? [];
    const child = sinks[sink]?.([...args, '--log-format', format]);
    if (child === undefined) throw new Error('There is no such sink.');
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const origin = `http://127.0.0.1:${port}`;
    await expect.poll(() => responds(`${origin}/__admin/health`)).toBe(true);
    // More than a pipe holds.
    const path = `/v0.1/agents?${'x'.repeat(4_000)}`;
    for (let count = 0; count < 60; count++) expect(await responds(origin + path)).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
