import { readdirSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseReport } from '../../conformance/parse-report.ts';
import { degenerateServers } from '../../proof/power/degenerate-servers.ts';
import { takeSnapshot } from '../../proof/power/snapshot.ts';
import { createMock } from '../../src/index.ts';
import { runCommand, startProcess, stopAgain } from '../support/command.ts';
import { hasJustRun, sampleOf } from '../support/depth.ts';
import { breaking, createBench, demo, keys, startPassing } from '../support/judging.ts';

const { mock, folder, at, write, conformance } = await createBench();
const url = mock.url;

/** The mock with late answers, and when it was first asked to move something. */
async function lateMock() {
  const { promise: moved, resolve } = Promise.withResolvers<void>();
  const onAnswer = ({ method }: IncomingMessage) => {
    if (method === 'PATCH') resolve();
  };
  const front = await startPassing(url, onAnswer, 5);
  return { front, moved };
}

describe('a signal during a run', () => {
  const pathsNow = () => [...takeSnapshot(mock).files];

  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const;
  it.each(sampleOf(signals, 1))(
    '%s moves files back, prints the receipt, writes the report and ends with code %i',
    async (signal, exitCode) => {
      const before = pathsNow();
      const { front, moved } = await lateMock();
      const file = at(`${signal}.json`);
      const running = startProcess([
        'conformance',
        '-u',
        front.baseUrl,
        '--config',
        demo,
        '--json',
        file,
        '--skip',
        'deleteDriveTree.*',
      ]);
      await Promise.race([moved, running.ended]);
      void running.stop(signal);
      const { code, stdout, stderr } = await running.ended;
      await front.close();
      expect(stderr).toMatch(/^Stopping: moving files back\./);
      expect(stdout).toMatch(/Left behind on the target \(\d+\)[\s\S]*The suite stopped: stopped before its end/);
      expect(code).toBe(exitCode);
      expect(pathsNow()).toEqual(before);
      expect(parseReport(readFileSync(file, 'utf8'), file).run.suiteError).toBe('stopped before its end');
    },
  );

  it('stops the run immediately if repeated', async () => {
    const server = await degenerateServers.find(({ id }) => id === 'never-answers')?.start();
    const running = startProcess(['conformance', '-u', server?.baseUrl ?? ''], keys);
    await running.printed(/Read-only run/);
    void running.stop('SIGINT');
    await running.complained(/^Stopping: /);
    expect((await stopAgain(running)).code).toBe(130);
    await server?.close();
  });
});

describe.skipIf(hasJustRun)('a secret key', () => {
  const secret = `sk-${crypto.randomUUID()}`;
  const gateway = `gw-${crypto.randomUUID()}`;
  const others = { AGENT_PLATFORM_OTHER_API_KEY: `${secret}-other`, AGENT_PLATFORM_HEADER: `X-Gateway: ${gateway}` };
  const environment = { AGENT_PLATFORM_API_KEY: secret, ...others };
  const everywhere = (name: string) => [
    '--json',
    at(`${name}.json`),
    '--report',
    'junit,html,markdown',
    '--report-dir',
    at(name),
    '--observe',
    at(`${name}.yaml`),
  ];

  /** Everything that a run said and wrote. */
  async function traces(name: string, args: readonly string[], more: Record<string, string> = {}): Promise<string> {
    const summary = { GITHUB_STEP_SUMMARY: at(`${name}-summary.md`) };
    const { stdout, stderr } = await runCommand(['conformance', ...args, ...everywhere(name)], {
      ...environment,
      ...summary,
      ...more,
    });
    const files = [...readdirSync(folder, { recursive: true, withFileTypes: true })].filter((entry) => entry.isFile());
    return [stdout, stderr, ...files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))].join(
      '\n',
    );
  }

  function expectNoSecret(text: string): void {
    expect(text.length).toBeGreaterThan(500);
    for (const part of [secret, secret.slice(0, -1), gateway, Buffer.from(secret).toString('base64').slice(0, 20)]) {
      expect(text.toLowerCase().includes(part.toLowerCase())).toBe(false);
    }
  }

  it('does not appear in output or files for a target that echoes everything', async () => {
    const server = await degenerateServers.find(({ id }) => id === 'echo')?.start();
    expectNoSecret(await traces('echo', ['-u', server?.baseUrl ?? '', '--allow-writes', '--settle', '20']));
    await server?.close();
  });

  it('does not appear in errors of the suite itself', async () => {
    const target = await createMock({
      seed: {
        organizations: [
          { name: 'A', keys: [secret] },
          { name: 'B', keys: [`${secret}-other`] },
        ],
      },
    });
    const args = ['-u', target.url, '--allow-writes', '--only', 'createDrive.is-served', '--only', 'listAgents.*'];
    for (const place of ['check', 'start', 'report']) {
      const text = await traces(place, args, breaking(place));
      expect(text).toMatch(/broken on purpose, with <API_KEY>/);
      expectNoSecret(text);
    }
    await target.close();
  });

  it('does not appear in errors about a command line or a config', async () => {
    const config = write('with-key.json', { apiKey: secret, otherApiKey: secret, baseUrl: `http://u:${secret}@x` });
    const malformed = write('malformed.yaml', `apiKey: ${secret}: ${secret}\n`);
    rmSync(at('echo'), { recursive: true, force: true });
    for (const args of [
      ['--api-key', secret, '--api-key', secret],
      ['--api-key', secret, secret],
      ['--other-api-key', secret, '--timeout', secret],
      ['-u', `http://${secret}@example.com`],
      ['--header', `${gateway}`],
      ['--config', config],
      ['--config', malformed],
      ['--explain', secret],
      ['doctor', '-u', `http://127.0.0.1:1/${secret}`],
      ['compare', secret, secret],
      [secret],
    ]) {
      const { code, stdout, stderr } = await conformance(args, environment);
      expect(code).toBe(2);
      expect(stderr).not.toBe('');
      expect(`${stdout}${stderr}`.toLowerCase()).not.toContain(secret);
      expect(stderr).not.toContain(gateway);
    }
    rmSync(config);
    rmSync(malformed);
  });

  it('does not appear after a crash, which still prints the receipt', async () => {
    const target = await createMock({ seed: { organizations: [{ name: 'A', keys: [secret] }] } });
    const front = await startPassing(target.url, undefined, 40);
    const { code, stdout, stderr } = await runCommand(
      ['conformance', '-u', front.baseUrl, '--allow-writes', '--skip', 'list*'],
      { AGENT_PLATFORM_API_KEY: secret, ...breaking('timer') },
    );
    await front.close();
    await target.close();
    expect(stderr).toMatch(
      /^The suite stopped; this says nothing about the target\. Error: broken on purpose, with <API_KEY>/,
    );
    expect(stdout).toMatch(/Left behind on the target/);
    expect(stdout + stderr).not.toContain(secret);
    expect(code).toBe(2);
  });
});
