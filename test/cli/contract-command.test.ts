import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { defaultProfile } from '../../openapi/contract/profile.ts';
import { profileDocument } from '../../openapi/contract/profile-document.ts';
import { loadOpenPoints } from '../../src/index.ts';
import { runCommand } from '../support/command.ts';
import { createFolder } from '../support/folder.ts';

const folder = createFolder('contract-command');
const contract = (...args: string[]) => runCommand(['contract', ...args]);
const shipped = (name: string) => readFileSync(new URL(`../../openapi/${name}`, import.meta.url), 'utf8');
const successOf = (document: { paths: Record<string, Record<string, { responses: object }>> }) =>
  Object.keys(document.paths['/drives']?.post?.responses ?? {}).find((code) => code.startsWith('2'));

const leaveOutDescription = (key: string, value: unknown) => (key === 'description' ? undefined : value);

describe('agent-platform-contract contract', () => {
  it('writes the contract of the default profile, also to a file, as it ships but for the links to open points', async () => {
    const { code, stdout, stderr } = await contract();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const profile = defaultProfile(loadOpenPoints());
    const document = parse(stdout);
    expect(document).toEqual(profileDocument(profile));
    const names = Object.entries(document.components as Record<string, object>).flatMap(([group, members]) =>
      group === 'securitySchemes' ? [] : Object.keys(members).map((name) => `#/components/${group}/${name}`),
    );
    expect(names.length).toBeGreaterThan(15);
    expect(
      names.filter((name) => !stdout.includes(name)),
      'components that nothing refers to',
    ).toEqual([]);
    const file = folder.at('contract.yaml');
    expect(await contract('--output', file)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(stdout);
    expect(parse(shipped('openapi.default.yaml'))).toEqual(profileDocument(profile, '../docs/open-points.md#'));
  });

  it('writes the contract of any profile, as YAML or JSON', async () => {
    const file = folder.write('profile.yaml', 'successStatus.createDrive: 202\nerrorBody: nested\n');
    for (const format of ['yaml', 'json']) {
      const read = (text: string) => (format === 'yaml' ? parse(text) : JSON.parse(text));
      const { code, stdout } = await contract(
        '--profile',
        file,
        '--set',
        'successStatus.createDrive=226',
        '--format',
        format,
      );
      expect(code).toBe(0);
      expect(successOf(read(stdout))).toBe('226');
      expect((await contract('--output', folder.at(`written.${format}`))).code).toBe(0);
      expect(successOf(read(readFileSync(folder.at(`written.${format}`), 'utf8')))).toBe('201');
      expect(stdout).not.toContain('problem+json');
    }
  });

  it('writes what is stated with --stated, as it ships but for the links to open points', async () => {
    const { code, stdout } = await contract('--stated');
    expect(code).toBe(0);
    expect(stdout).not.toContain('open-points.md');
    expect(stdout).toContain('the list of open points explains each id');
    const withoutDescriptions = (text: string) => JSON.parse(JSON.stringify(parse(text), leaveOutDescription));
    expect(withoutDescriptions(stdout)).toEqual(withoutDescriptions(shipped('openapi.yaml')));
  });

  // Linux only: macOS has no such device.
  const lines = ['contract', '--help', 'conformance --list', 'conformance --explain listAgents.is-served'];
  it.runIf(existsSync('/dev/full')).each(lines)('says that a full disk did not take the output of %s', (line) => {
    const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
    const full = openSync('/dev/full', 'w');
    const args = [main, ...line.split(' ')];
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    expect(`${stderr}`).toContain('Standard output cannot be written: no space left on device.');
    expect(status).toBe(2);
  });

  it('takes a closed pipe for a reader who has read enough', async () => {
    const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
    const child = spawn(process.execPath, [main, 'contract'], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each<[string[], RegExp]>([
    [['--stated', '--set', 'successStatus.createDrive=200'], /--stated and --set contradict each other/],
    [['--profile', '/nowhere/profile.yaml'], /\/nowhere\/profile\.yaml/],
    [['--output', '/nowhere/contract.yaml'], /\/nowhere\/contract\.yaml cannot be written: there is no folder/],
    [['--set', 'successStatus.createDrive=204'], /successStatus.createDrive/],
    [['--format', 'xml'], /--format/],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await contract(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
