import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { degenerateServers } from '../../proof/power/degenerate-servers.ts';
import { createMock } from '../../src/index.ts';
import { runCommand, startProcess, stopAgain } from '../support/command.ts';
import { isFull, sampleOf } from '../support/depth.ts';
import { breaking, createBench, keys } from '../support/judging.ts';

const { folder, at, write, conformance } = await createBench();

it('a signal stops a run immediately if repeated', async () => {
  const server = await degenerateServers.find(({ id }) => id === 'never-answers')?.start();
  const running = startProcess(['conformance', '-u', server?.baseUrl ?? ''], keys);
  await running.printed(/Read-only run/);
  void running.stop('SIGINT');
  await running.complained(/^Stopping: /);
  expect((await stopAgain(running)).code).toBe(130);
  await server?.close();
});

describe('a secret key', () => {
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

  /** Runs the suite, and expects no secret in anything that it says and writes. */
  async function runInSecret(name: string, args: readonly string[], more: Record<string, string> = {}) {
    const summary = { GITHUB_STEP_SUMMARY: at(`${name}-summary.md`) };
    const ended = await runCommand(['conformance', ...args, ...everywhere(name)], {
      ...environment,
      ...summary,
      ...more,
    });
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const written = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    const text = [ended.stdout, ended.stderr, ...written].join('\n');
    expect(text.length).toBeGreaterThan(500);
    for (const part of [secret, secret.slice(0, -1), gateway, Buffer.from(secret).toString('base64').slice(0, 20)]) {
      expect(text.toLowerCase().includes(part.toLowerCase())).toBe(false);
    }
    return ended;
  }

  it('does not appear in output or files for a target that echoes everything', async () => {
    const server = await degenerateServers.find(({ id }) => id === 'echo')?.start();
    const only = isFull ? [] : ['--only', 'list*', '--only', 'create*'];
    await runInSecret('echo', ['-u', server?.baseUrl ?? '', '--allow-writes', '--settle', '20', ...only]);
    await server?.close();
  });

  const places: [string, RegExp][] = [
    [
      'check',
      /Left behind on the target[\s\S]*The suite stopped: listAgents\.[\s\S]*\nexit code 2: the suite stopped early; 1 check could not be judged\n/,
    ],
    ['start', /^The suite stopped; this says nothing about the target\. Error: broken on purpose, with <API_KEY>/m],
    [
      'report',
      /\nexit code 2: 1 file could not be written\n[\s\S]*conformance\.junit\.xml cannot be written: broken on purpose/,
    ],
    [
      'timer',
      /Left behind on the target[\s\S]*^exit code 2: the suite stopped early\n[\s\S]*^The suite stopped; this says nothing about the target\. Error: broken/m,
    ],
  ];
  it.each(sampleOf(places, 2))(
    'does not appear where the suite itself breaks, which ends it with 2 and the receipt: %s',
    async (place, told) => {
      const target = await createMock({
        seed: {
          organizations: [
            { name: 'A', keys: [secret] },
            { name: 'B', keys: [`${secret}-other`] },
          ],
        },
      });
      const args = [
        '-u',
        target.url,
        '--allow-writes',
        '--only',
        'createDrive.is-served',
        '--only',
        'listAgents.status-is-200',
      ];
      const { code, stdout, stderr } = await runInSecret(place, args, breaking(place));
      await target.close();
      expect(stdout + stderr).toMatch(/broken on purpose, with <API_KEY>/);
      expect(stdout + stderr).toMatch(told);
      expect(code).toBe(2);
      // No file is written in part.
      if (place === 'report') expect(readdirSync(at(place)).sort()).toEqual(['conformance.html', 'conformance.md']);
    },
  );

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
});
