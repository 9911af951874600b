import {
  appendFileSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { expect, it } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../src/index.ts';
import { firstLine, firstSum, framesOf, toFrame } from '../src/node/state/frames.ts';
import { closeState, openState, type SavedState } from '../src/node/state/open-state.ts';
import { createClient } from './support/client.ts';
import { runCommand, startMock, startProgram } from './support/command.ts';
import { clientsOf } from './support/control.ts';
import { drawn } from './support/depth.ts';
import { createFolder } from './support/folder.ts';
import { tinySeed } from './support/tiny-seed.ts';

// The file that keeps a state: what it is like, what is refused, and what is made of one that was cut off or damaged.

const folder = createFolder('state-file');
let files = 0;
const newFile = () => folder.at(`${++files}.state`);

const start = (state: string, more: MockOptions = {}) => createMock({ seed: tinySeed, state, ...more });

async function createDrives(mock: Mock, ...names: string[]): Promise<void> {
  const { api } = clientsOf(mock);
  for (const name of names) expect((await api('POST', '/drives', { json: { name } })).status).toBe(201);
}

async function driveNames(mock: Mock): Promise<string[]> {
  const { body } = await clientsOf(mock).api('GET', '/drives?limit=100');
  return body.data.map(({ name }: { name: string }) => name).toSorted();
}

/** A file with some drives, written one after the other by a mock that was stopped. */
async function writtenFile(...names: string[]): Promise<string> {
  const file = newFile();
  const mock = await start(file);
  await createDrives(mock, ...names);
  await mock.close();
  return file;
}

/** The file with other bytes. */
function changed(file: string, change: (bytes: Buffer) => Buffer): string {
  const copy = newFile();
  writeFileSync(copy, change(readFileSync(file)));
  return copy;
}

it('is readable by its owner only, and nothing else is left beside it', async () => {
  const own = createFolder('state-file-alone');
  const mock = await start(own.at('a.state'));
  await createDrives(mock, 'one');
  mock.reset();
  expect(statSync(own.at('a.state')).mode & 0o777).toBe(0o600);
  expect(readdirSync(own.path)).toEqual(['a.state']);
  await mock.close();
  expect(readdirSync(own.path)).toEqual(['a.state']);
});

it('grows with each write by what was changed, and not at all while clients read', async () => {
  const file = newFile();
  const mock = await start(file);
  const growth = async (act: () => Promise<void>) => {
    const before = statSync(file).size;
    await act();
    return statSync(file).size - before;
  };
  const first = await growth(() => createDrives(mock, 'a'));
  await createDrives(mock, ...Array.from({ length: 300 }, (_, index) => `bulk ${index}`));
  const last = await growth(() => createDrives(mock, 'b'));
  expect(first).toBeGreaterThan(0);
  expect(last).toBeLessThan(first + 50);
  expect(await growth(async () => void (await driveNames(mock)))).toBe(0);
  await mock.close();
});

it('is made again when more was added than it held, and holds the same then', async () => {
  const file = newFile();
  const mock = await start(file);
  const { api } = clientsOf(mock);
  const { body: drive } = await api('POST', '/drives', { json: { name: 'x'.repeat(200) } });
  const sizes: number[] = [];
  for (let count = 0; count < 2_000; count++) {
    const choices = { listOrder: 'byName' } as const;
    // The whole organization is written each time.
    if (count % 2 === 0) mock.setProfile(choices, { organization: 'Alder' });
    else mock.setProfile(null, { organization: 'Alder' });
    sizes.push(statSync(file).size);
  }
  expect(sizes.some((size, index) => size < (sizes[index - 1] ?? 0))).toBe(true);
  const expected = mock.snapshot();
  await mock.close();
  const again = await start(file);
  expect(again.snapshot()).toEqual(expected);
  expect(await driveNames(again)).toContain(drive.name);
  await again.close();
});

it('leaves out a last line that was cut off, wherever, and says so', async () => {
  const file = await writtenFile('one', 'two');
  const bytes = readFileSync(file);
  const lines = bytes.toString('latin1').split('\n');
  const lastStart = bytes.length - (lines.at(-2)?.length ?? 0) - 1;
  for (let length = lastStart; length < bytes.length; length++) {
    const cut = changed(file, (whole) => whole.subarray(0, length));
    const open = await openState(cut);
    expect(open.saved?.leftOutBytes).toBe(length - lastStart);
    closeState(open);
    expect(statSync(cut).size).toBe(lastStart);
  }
});

it('goes on from every place at which it was cut off', async () => {
  const file = newFile();
  const mock = await start(file);
  const sizes = [statSync(file).size];
  for (const name of ['x', 'y', 'z']) {
    await createDrives(mock, name);
    sizes.push(statSync(file).size);
  }
  const whole = await driveNames(mock);
  await mock.close();
  const ends = sizes.slice(1);
  for (const [index, end] of ends.entries()) {
    const cut = newFile();
    copyFileSync(file, cut);
    truncateSync(cut, end - 7);
    const again = await start(cut);
    expect(again.state).toMatchObject({ isContinued: true, file: cut });
    expect(again.state?.leftOutBytes).toBeGreaterThan(0);
    const left = ['x', 'y', 'z'].slice(index);
    expect(await driveNames(again)).toEqual(whole.filter((name) => !left.includes(name)));
    await createDrives(again, ...left);
    await again.close();
    const third = await start(cut);
    expect(await driveNames(third)).toEqual(whole);
    await third.close();
  }
});

it('is refused with one other byte anywhere, unchanged', async () => {
  const file = await writtenFile('one', 'two');
  const { length } = readFileSync(file);
  const places = drawn(
    Array.from({ length }, (_, place) => place),
    300,
  );
  for (const place of [0, 31, 32, 40, 45, 55, length - 1, ...places]) {
    const spoilt = changed(file, (bytes) => {
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      return bytes;
    });
    const before = readFileSync(spoilt);
    await expect(openState(spoilt), `byte ${place}`).rejects.toMatchObject({ code: 'STATE_INVALID' });
    expect(readFileSync(spoilt).equals(before)).toBe(true);
  }
});

it('is refused when a line is missing, or stands in another place', async () => {
  const file = await writtenFile('one', 'two', 'three');
  const without = (at: number) => (bytes: Buffer) => {
    const lines = bytes.toString('latin1').split('\n');
    return Buffer.from(lines.toSpliced(lines.length - at, 1).join('\n'), 'latin1');
  };
  for (const at of [3, 4]) {
    const error = await openState(changed(file, without(at))).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'STATE_INVALID' });
    const [, byte] = /begins at byte (\d+)/.exec(error.message) ?? [];
    const kept = changed(file, (bytes) => bytes.subarray(0, Number(byte)));
    // As the message proposes.
    const mock = await start(kept);
    expect(mock.state?.leftOutBytes).toBe(0);
    await mock.close();
  }
});

/** The file as a version would have written it whose profiles differ by this. */
function writtenElsewhere(file: string, differ: (profile: Record<string, unknown>) => void): string {
  let bytes = Buffer.from(firstLine);
  let sum = firstSum;
  for (const { value } of framesOf(readFileSync(file))) {
    const { profile, askedProfile } = value as SavedState['head'];
    for (const each of [profile, askedProfile]) if (each !== undefined) differ(each as never);
    const frame = toFrame(value, sum);
    bytes = Buffer.concat([bytes, frame.bytes]);
    sum = frame.sum;
  }
  return changed(file, () => bytes);
}

it('is read where an earlier version knew fewer open points, and refused where another one knew more', async () => {
  const file = await writtenFile('one');
  const earlier = writtenElsewhere(file, (profile) => {
    delete profile.sizeUnit;
  });
  const mock = await start(earlier);
  expect(mock.profile.sizeUnit).toBe('bytes');
  await mock.close();
  const later = writtenElsewhere(file, (profile) => Object.assign(profile, { colour: 'red' }));
  const message = expect.stringMatching(/was written by version \S+, whose profile this one cannot play: colour/);
  await expect(start(later)).rejects.toMatchObject({ code: 'STATE_INVALID', message });
});

it.each([
  ['an empty file', '', /is no state file of this mock: it is empty/],
  ['another file', 'organizations: []\n', /is no state file of this mock\. Choose another file/],
  [
    'a file of another format',
    'agent-platform-contract state 2\n',
    /has the format 2 of another version; this one reads 1/,
  ],
  ['a file with nothing but its first line', 'agent-platform-contract state 1\n', /is damaged: .* byte 32 [^(]*$/s],
])('is refused when it is %s', async (_, content, says) => {
  const file = folder.write(`${++files}.state`, content);
  await expect(start(file)).rejects.toMatchObject({ code: 'STATE_INVALID', message: expect.stringMatching(says) });
  expect(readFileSync(file, 'utf8')).toBe(content);
});

it.each([
  ['a folder', () => folder.path, 'FILE_UNREADABLE', /is a folder/],
  ['a device', () => '/dev/null', 'FILE_UNREADABLE', /is no regular file/],
  ['in a folder that does not exist', () => folder.at('nowhere', 'a'), 'FILE_UNWRITABLE', /there is no folder/],
  ['without a name', () => '', 'OPTION_INVALID', /is empty/],
])('is refused when it is %s', async (_, file, code, says) => {
  await expect(start(file())).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
});

it('is not made when the mock cannot start', async () => {
  const file = newFile();
  await expect(start(file, { host: '203.0.113.1' })).rejects.toMatchObject({ code: 'ADDRESS_UNUSABLE' });
  await expect(start(file, { seed: folder.at('no-seed.yaml') })).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  expect(readdirSync(folder.path)).not.toContain(file.split('/').at(-1));
  await (await start(file)).close();
});

it('is used by one mock at a time, by whatever path, and free again after a stop or a kill', async () => {
  const file = newFile();
  const link = folder.at(`${++files}.link`);
  const killed = await startMock(['--state', file]);
  symlinkSync(file, link);
  for (const path of [file, link])
    await expect(start(path)).rejects.toMatchObject({ code: 'STATE_IN_USE', message: expect.stringContaining(path) });
  await killed.stop('SIGKILL');
  const mock = await start(link);
  expect((await runCommand(['mock', '--port', '0', '--state', file])).code).toBe(1);
  mock.reset();
  await mock.close();
  // The link still leads to the file.
  await (await start(file)).close();
});

it('wins over seed, random seed and clock, but not over the profile', async () => {
  const file = newFile();
  const options = ['--state', file, '--port', '0', '--log-format', 'json'];
  const first = await start(file, {
    seed: 'demo',
    randomSeed: 5,
    clock: '2026-03-02T08:15:00Z',
    set: { listOrder: 'byName' },
  });
  const { organizations } = first.snapshot();
  await clientsOf(first).control('PATCH', '/settings', { json: { profile: { createStatus: 202 } } });
  await first.close();
  const second = await start(file, { seed: tinySeed, clock: '2030-01-01T00:00:00Z', set: { sizeUnit: 'kilobytes' } });
  expect(second.snapshot().organizations.map(({ id }) => id)).toEqual(organizations.map(({ id }) => id));
  expect(second.engine.runtime.randomSeed).toBe(5);
  expect(second.engine.clock.nowMs()).toBe(Date.parse('2026-03-02T08:15:00Z'));
  // What was changed while it ran, and what this start asks for.
  expect(second.profile).toMatchObject({ createStatus: 202, sizeUnit: 'kilobytes', listOrder: 'oldestFirst' });
  second.reset();
  expect(second.snapshot().organizations).toEqual(organizations);
  await second.close();
  const third = await startMock([...options, '--random-seed', '7', '--clock', '2030-01-01T00:00:00Z']);
  await third.printed(/The file wins over --random-seed and --clock\./);
  await third.stop();
  appendFileSync(file, '00000');
  const fourth = await startMock(options);
  expect(await fourth.printed(/Left out .*/)).toContain('(5 bytes)');
  await fourth.stop();
});

it('contradicts --watch', async () => {
  const { code, stderr } = await runCommand(['mock', '--state', newFile(), '--watch', '--seed', 'x.yaml']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--state') });
});

// Where files may not grow above a limit, the system refuses a write as a full disk does.
it.runIf(process.platform === 'linux')(
  'stops the mock when it can no longer be written, and loses nothing',
  async () => {
    const file = newFile();
    const main = new URL('../src/cli/main.ts', import.meta.url).pathname;
    const limited = startProgram(['--eval', limit, process.execPath, main, 'mock', '--port', '0', '--state', file]);
    const url = await limited.printed(/http:\S+?\/v0\.1/);
    const api = createClient(url, 'demo-key');
    const acknowledged: string[] = [];
    const createMany = async () => {
      for (let count = 0; ; count++) {
        const name = `drive ${count}`;
        if ((await api('POST', '/drives', { json: { name } })).status === 201) acknowledged.push(name);
      }
    };
    await expect(createMany()).rejects.toThrow(TypeError);
    const { code, stderr } = await limited.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/The state can no longer be written to .*\.state \(EFBIG\), so the mock stops\./);
    expect(acknowledged.length).toBeGreaterThan(3);
    const mock = await createMock({ state: file });
    expect(mock.state?.leftOutBytes).toBe(0);
    const names = await driveNames(mock);
    expect(names.filter((name) => name.startsWith('drive '))).toEqual(acknowledged.toSorted());
    await mock.close();
  },
);

const limit = `
  const { spawn } = require('node:child_process');
  const script = "trap '' XFSZ; ulimit -f 60; exec \\"$@\\"";
  spawn('sh', ['-c', script, 'sh', ...process.argv.slice(1)], { stdio: 'inherit' }).on('exit', (code) => process.exit(code));
`;
