import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { runCommand, startMock, startMockHere } from '../support/command.ts';
import { sampleOf } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// --watch: what a running mock does when the files of its options change.

const folder = createFolder('mock-watch');
let count = 0;

interface Watched {
  mock: Awaited<ReturnType<typeof startMockHere>>;
  file: string;
  api: Client;
  control: Client;
  /** Waits for the next note of the log that contains this. */
  noted(text: string | RegExp): Promise<string>;
}

/** A mock that watches one file, which holds this value as JSON. */
async function startWatching(option: 'seed' | 'profile', value: unknown, words: readonly string[] = []) {
  return startWatchingAt(option, folder.write(`${option}-${++count}.json`, JSON.stringify(value)), words);
}

async function startWatchingAt(
  option: 'seed' | 'profile',
  file: string,
  words: readonly string[] = [],
): Promise<Watched> {
  const mock = await startMockHere([`--${option}`, file, '--watch', ...words]);
  onTestFinished(async () => void (await mock.stop()));
  const { origin } = new URL(mock.url);
  let seen = 0;
  const noted: Watched['noted'] = (text) =>
    vi.waitFor(
      () => {
        const lines = mock.stdout().split('\n').slice(0, -1);
        const notes = lines.map((line) => JSON.parse(line)).filter(({ message }) => message.includes('.'));
        const at = notes.findIndex(({ message }, index) => index >= seen && message.match(text) !== null);
        expect(at, `${text} in ${mock.stdout()}`).toBeGreaterThanOrEqual(0);
        seen = at + 1;
        return `${notes[at].level}: ${notes[at].message}`;
      },
      { timeout: 10_000, interval: 20 },
    );
  const plain = createClient(`${origin}/__admin`, '');
  const control: Client = (method, path, sent) => plain(method, path, { key: null, ...sent });
  return { mock, file, api: createClient(mock.url, 'key-a'), control, noted };
}

const write = (file: string, value: unknown) => writeFileSync(file, JSON.stringify(value));
const renamed = (name: string) => ({
  organizations: tinySeed.organizations.map((entry, at) => (at === 0 ? { ...entry, agents: [{ name }] } : entry)),
});
const agentsOf = async (api: Client, key = 'key-a') =>
  (await api('GET', '/agents', { key })).body.map(({ name }: { name: string }) => name);

describe('a profile that changes', () => {
  it('is used at once by all without a profile of their own; the state is kept', async () => {
    const { file, api, control, noted } = await startWatching('profile', {}, ['--seed', 'demo']);
    const key = 'demo-key';
    const create = async (of = key) => (await api('POST', '/drives', { key: of, json: { name: 'Kept' } })).status;
    await control('PATCH', '/settings?organization=self', {
      ...{ key: 'demo-key-2', json: { profile: { 'successStatus.createDrive': 202 } } },
    });
    expect([await create(), await create('demo-key-2')]).toEqual([201, 202]);
    write(file, { 'successStatus.createDrive': 200, idFormat: 'numeric' });
    const line = await noted('changed');
    expect(line).toMatch(/^info: .*successStatus.createDrive=200, idFormat=numeric\. The state is kept\./);
    expect(line).toContain('Until a reset, only new data is affected by idFormat');
    expect(line).toContain('Unchanged: 1 organization with a separate profile.');
    expect([await create(), await create('demo-key-2')]).toEqual([200, 202]);
    const names = (await api('GET', '/drives?limit=100', { key })).body.data.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => name === 'Kept')).toHaveLength(2);
  });

  it('keeps the choices of --set; where it is broken nothing changes, and the log names its place', async () => {
    const { file, control, noted } = await startWatching('profile', { 'successStatus.createDrive': 200 }, [
      '--set',
      'successStatus.getDriveFile=203',
    ]);
    write(file, { 'successStatus.createDrive': 200, 'successStatus.getDriveFile': 200 });
    expect(await noted('changed')).toMatch(/No choice changed/);
    expect((await control('GET', '/settings')).body.profile).toMatchObject({
      'successStatus.createDrive': 200,
      'successStatus.getDriveFile': 203,
    });
    writeFileSync(file, '{ "successStatus.createDrive": 20');
    expect(await noted(/is not JSON/)).toMatch(/^error: .*:1:\d+ is not JSON.*\n.*keeps using what it read before/);
    writeFileSync(file, 'errorBody: list\nsuccessStatus.createDrive: 404\n');
    expect(await noted('successStatus.createDrive')).toMatch(/^error: .*:2:28 successStatus.createDrive is invalid/);
    expect((await control('GET', '/settings')).body.profile).toMatchObject({
      'successStatus.createDrive': 200,
      errorBody: 'problem',
    });
    write(file, { 'successStatus.createDrive': 202 });
    await noted('successStatus.createDrive=202');
    expect((await control('GET', '/settings')).body.profile['successStatus.createDrive']).toBe(202);
  });
});

/** Ways to a file, each with what makes another file of it. `at` is its folder. */
type Way = (at: string, value: unknown) => [path: string, change: () => void];

const here =
  (change: (file: string, value: unknown) => void): Way =>
  (at, value) => {
    const file = join(at, 'file.json');
    write(file, {});
    return [file, () => change(file, value)];
  };

const ways: Record<string, Way> = {
  'after many quick writes': here((file, value) => {
    for (let at = 0; at < 30; at++) write(file, { 'successStatus.createDrive': 200 + (at % 3) });
    write(file, value);
  }),
  'when another takes its place by rename': here((file, value) => {
    write(`${file}.new`, value);
    renameSync(`${file}.new`, file);
  }),
  'when it is deleted and made again': here((file, value) => {
    rmSync(file);
    write(file, value);
  }),
  'when its folder holds other files that change': here((file, value) => {
    write(`${file}.other`, {});
    write(file, value);
    write(`${file}.other`, { x: 1 });
  }),
  'when a link takes its place': here((file, value) => {
    write(`${file}.target`, value);
    symlinkSync(`${file}.target`, `${file}.link`);
    renameSync(`${file}.link`, file);
  }),
  // As Kubernetes does with a ConfigMap: file -> ..data/file, ..data -> ..2026-01-01
  'when a link to a folder on the way leads elsewhere': (at, value) => {
    for (const version of ['..1', '..2']) mkdirSync(join(at, version));
    write(join(at, '..1', 'file.json'), {});
    write(join(at, '..2', 'file.json'), value);
    symlinkSync('..1', join(at, '..data'));
    symlinkSync(join('..data', 'file.json'), join(at, 'file.json'));
    const swap = () => {
      symlinkSync('..2', join(at, '..data_tmp'));
      renameSync(join(at, '..data_tmp'), join(at, '..data'));
    };
    return [join(at, 'file.json'), swap];
  },
  'when a linked folder further up leads elsewhere': (at, value) => {
    for (const version of ['one', 'two']) mkdirSync(join(at, version, 'deep', 'er'), { recursive: true });
    write(join(at, 'one', 'deep', 'er', 'file.json'), {});
    write(join(at, 'two', 'deep', 'er', 'file.json'), value);
    symlinkSync(join(at, 'one'), join(at, 'current'));
    const swap = () => {
      rmSync(join(at, 'current'));
      symlinkSync(join(at, 'two'), join(at, 'current'));
    };
    return [join(at, 'current', 'deep', 'er', 'file.json'), swap];
  },
  'when a folder on the way is renamed, and another takes its place': (at, value) => {
    for (const version of ['now', 'next']) mkdirSync(join(at, version, 'deep'), { recursive: true });
    write(join(at, 'now', 'deep', 'file.json'), {});
    write(join(at, 'next', 'deep', 'file.json'), value);
    const swap = () => {
      renameSync(join(at, 'now'), join(at, 'before'));
      renameSync(join(at, 'next'), join(at, 'now'));
    };
    return [join(at, 'now', 'deep', 'file.json'), swap];
  },
  'when its folder is deleted and made again': (at, value) => {
    mkdirSync(join(at, 'now'));
    write(join(at, 'now', 'file.json'), {});
    const swap = () => {
      rmSync(join(at, 'now'), { recursive: true });
      mkdirSync(join(at, 'now'));
      write(join(at, 'now', 'file.json'), value);
    };
    return [join(at, 'now', 'file.json'), swap];
  },
};

describe('a file is read again', () => {
  it.each(sampleOf(Object.entries(ways), 4))('%s, and when it changes after that', async (_, prepare) => {
    const at = folder.at(`way-${++count}`);
    mkdirSync(at);
    const [path, change] = prepare(at, { 'successStatus.createDrive': 202, errorBody: 'list' });
    const { control, noted } = await startWatchingAt('profile', path);
    change();
    await noted('errorBody=list');
    expect((await control('GET', '/settings')).body.profile).toMatchObject({
      'successStatus.createDrive': 202,
      errorBody: 'list',
    });
    write(realpathSync(path), { errorBody: 'empty' });
    await noted('errorBody=empty');
  });

  it('when it comes back; meanwhile the mock goes on', async () => {
    const { file, control, noted } = await startWatching('profile', { 'successStatus.createDrive': 202 });
    rmSync(file);
    expect(await noted('is gone')).toMatch(/^warn: /);
    expect((await control('GET', '/settings')).body.profile['successStatus.createDrive']).toBe(202);
    write(file, { 'successStatus.createDrive': 200 });
    await noted('successStatus.createDrive=200');
  });
});

describe('a seed that changes', () => {
  it('is new at once where nothing was changed; elsewhere with a reset', async () => {
    const { file, api, control, noted } = await startWatching('seed', renamed('Old'), ['--open-keys']);
    expect([await agentsOf(api, 'changed'), await agentsOf(api, 'untouched')]).toEqual([['Old'], ['Old']]);
    await api('POST', '/drives', { key: 'changed', json: { name: 'Kept' } });
    await api('POST', '/drives', { key: 'key-b', json: { name: 'Kept' } });
    write(file, renamed('New'));
    const line = await noted('changed');
    expect(line).toMatch(
      /Now on the new seed: Alder, Sandbox 2\. Not reloaded, because their data was changed: Birch, Sandbox 1\./,
    );
    expect(line).toContain('/__admin/reset?organization=');
    expect([await agentsOf(api), await agentsOf(api, 'untouched')]).toEqual([['New'], ['New']]);
    expect(await agentsOf(api, 'changed')).toEqual(['Old']);
    const drives = (await api('GET', '/drives?limit=100', { key: 'changed' })).body.data;
    expect(drives.map(({ name }: { name: string }) => name)).toContain('Kept');
    await control('POST', '/reset?organization=self', { key: 'changed' });
    expect(await agentsOf(api, 'changed')).toEqual(['New']);
  });

  it('that is broken changes nothing', async () => {
    const { file, api, noted } = await startWatching('seed', renamed('Old'));
    write(file, { organizations: [{ name: 'Alder', keys: 5 }] });
    expect(await noted('keys')).toMatch(/^error: .*:1:\d+ organizations\.0\.keys/);
    expect(await agentsOf(api)).toEqual(['Old']);
    write(file, renamed('New'));
    await noted('Now on the new seed');
    expect(await agentsOf(api)).toEqual(['New']);
  });
});

describe('--watch', () => {
  it('needs a file', async () => {
    for (const words of [[], ['--seed', 'demo']]) {
      const { code, stderr } = await runCommand(['mock', '--port', '0', '--watch', ...words]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/--watch needs a file to watch: --seed <file>/)]);
    }
  });

  it('is told of at the start, and does not keep the mock from ending', async () => {
    const file = folder.write('ending.json', '{}');
    const mock = await startMock(['--profile', file, '--watch', '--log-format', 'pretty']);
    expect(await mock.printed(/Reloads .*/)).toMatch(/^Reloads \S+ending\.json on change \(--watch\)\./);
    write(file, { 'successStatus.createDrive': 200 });
    expect((await mock.stop()).code).toBe(0);
  });
});
