import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import type { SavedStart } from '../../src/state/saved-state.ts';
import { StateFile } from '../../src/state/state-file.ts';
import { createRandom } from '../model/random.ts';
import { createClient } from '../support/client.ts';
import { type RunningProcess, runCommand, startMock, startMockHere, startProgram } from '../support/command.ts';
import { clientsOf } from '../support/control.ts';
import { depth, isFull, randomSeed, sampleOf } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// The file that keeps a state: what it is like, who may use it, what is refused, and what is made of one that is damaged.

const folder = createFolder('state-file');
let files = 0;
const newFile = () => folder.at(`${++files}.state`);

const start = (state: string, more: MockOptions = {}) => createMock({ seed: tinySeed, state, ...more });

async function createDrives(mock: Mock, ...names: string[]): Promise<void> {
  const { api } = clientsOf(mock);
  for (const name of names) expect((await api('POST', '/drives', { json: { name } })).status).toBe(201);
}

async function driveNames(mock: Mock): Promise<string[]> {
  const names: string[] = [];
  for (let offset = 0; offset === names.length; offset += 100) {
    const { body } = await clientsOf(mock).api('GET', `/drives?limit=100&offset=${offset}`);
    names.push(...body.data.map(({ name }: { name: string }) => name));
  }
  return names.toSorted();
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

it('is readable by its owner only, with a journal beside it while the mock runs', async () => {
  const own = createFolder('state-file-alone');
  const mock = await start(own.at('a.state'));
  await createDrives(mock, 'one');
  mock.reset();
  for (const name of readdirSync(own.path)) expect(statSync(own.at(name)).mode & 0o777).toBe(0o600);
  expect(readdirSync(own.path).toSorted()).toEqual(['a.state', 'a.state-journal']);
  await mock.close();
  expect(readdirSync(own.path)).toEqual(['a.state']);
});

it('is not written to while clients read', async () => {
  const file = newFile();
  const mock = await start(file);
  await createDrives(mock, 'one');
  const lookOf = () => {
    const { size, mtimeNs, ino } = statSync(file, { bigint: true });
    return { size, mtimeNs, ino };
  };
  const before = lookOf();
  await driveNames(mock);
  expect(lookOf()).toEqual(before);
  await mock.close();
});

it('has a row for each record, and gets no other rows with one more', async () => {
  const file = await writtenFile('one');
  const rowsOf = (kind: string) => {
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare('SELECT id, value FROM record WHERE kind = ? ORDER BY place').all(kind);
    database.close();
    return rows.map(({ id, value }) => ({ id, ...JSON.parse(String(value)) }));
  };
  const [count, places] = [rowsOf('drives').length, rowsOf('listed drives').length];
  expect(rowsOf('drives').at(-1)).toMatchObject({ name: 'one', id: rowsOf('listed drives').at(-1)?.id });
  const mock = await start(file);
  await createDrives(mock, 'two');
  await mock.close();
  expect(
    rowsOf('drives')
      .map(({ name }) => name)
      .slice(-2),
  ).toEqual(['one', 'two']);
  expect([rowsOf('drives').length, rowsOf('listed drives').length]).toEqual([count + 1, places + 1]);
});

it('keeps ids and names of any characters', async () => {
  const odd = ['"', '\\', '\\ud800', '\0', 'a\0b', "'", '\n', '%_', ' ', 'é', 'e\u0301'];
  const file = newFile();
  const mock = await start(file);
  const snapshot = mock.snapshot();
  const [organization] = snapshot.organizations;
  const times = { createdAtMs: 0, updatedAtMs: 0 };
  for (const id of odd) {
    organization?.drives.push({ id, name: id, ...times, files: [] });
    organization?.listed.drives.push(id);
  }
  mock.restore(snapshot);
  // Halves of characters, which no id has.
  await createDrives(mock, ...['\ud800', '\udc00\ud800', ...odd].map((name) => `n${name}`));
  const expected = mock.snapshot();
  await mock.close();
  const again = await start(file);
  expect(again.snapshot()).toEqual(expected);
  await again.close();
});

/** What a mock makes of a file: the message with which it is refused, or the state. */
async function outcomeOf(file: string): Promise<{ refused: string } | { state: unknown }> {
  const before = readFileSync(file);
  try {
    const mock = await start(file);
    const state = { ...mock.snapshot(), profile: mock.profile };
    await createDrives(mock, 'afterwards');
    await mock.close();
    return { state };
  } catch (error) {
    expect(error).toMatchObject({ code: 'STATE_INVALID', message: expect.stringContaining(file) });
    expect(readFileSync(file).equals(before)).toBe(true);
    return { refused: (error as Error).message };
  }
}

/** A file with two drives, and what a mock makes of it. */
async function soundFile() {
  const file = await writtenFile('one', 'two');
  return { file, sound: await outcomeOf(changed(file, (bytes) => bytes)), size: statSync(file).size };
}

it('is refused, unchanged, with one other bit, unless nothing depends on it', async () => {
  const { file, sound, size } = await soundFile();
  const random = createRandom(randomSeed);
  const places = Array.from({ length: depth(12, 256) }, () => random.integer(0, size * 8 - 1));
  // All that the first bytes say of the file, and bits anywhere.
  const header = sampleOf(
    Array.from({ length: 100 }, (_, byte) => byte * 8 + (byte % 8)),
    24,
  );
  const outcomes = { refused: 0, same: 0 };
  for (const place of [...header, ...places]) {
    const spoilt = changed(file, (bytes) => {
      bytes[place >> 3] = (bytes[place >> 3] ?? 0) ^ (1 << (place & 7));
      return bytes;
    });
    const outcome = await outcomeOf(spoilt);
    if ('refused' in outcome) expect(outcome.refused, `bit ${place}`).toMatch(/damaged/);
    else expect(outcome, `bit ${place}`).toEqual(sound);
    outcomes['refused' in outcome ? 'refused' : 'same']++;
  }
  expect(outcomes.refused).toBeGreaterThan(depth(10, 20));
  expect(outcomes.same).toBeGreaterThan(0);
});

it('is refused, unchanged, when it was cut off anywhere, unless nothing was there', async () => {
  const { file, sound, size } = await soundFile();
  const lengths = [1, 99, 100, 511, 512, 4_095, 4_096, 8_192, size - 4_096, size - 100, size - 1];
  for (const length of sampleOf(lengths, 6)) {
    const outcome = await outcomeOf(changed(file, (bytes) => bytes.subarray(0, length)));
    if ('refused' in outcome) expect(outcome.refused, `${length} bytes`).toMatch(/damaged/);
    // What SQLite reads behind the end of a file is zero, as it was in the last page.
    else expect({ length, outcome }).toEqual({ length: expect.toBeOneOf([size - 100, size - 1]), outcome: sound });
  }
});

const halves = [
  "DELETE FROM record WHERE kind = 'listed drives'",
  "UPDATE record SET value = replace(value, 'one', 'eno')",
  'UPDATE record SET sum = (SELECT sum FROM record WHERE place = 1) WHERE place = 2',
  "INSERT INTO record SELECT 10000, organization, kind, drive, 'x', value, sum FROM record WHERE kind = 'drives' LIMIT 1",
  'UPDATE record SET place = place + 256 WHERE place = 5',
  'DELETE FROM total',
];

it('is refused when half of a change is there', async () => {
  const whole = await writtenFile('one', 'two');
  const triggers = triggersOf(whole);
  for (const statement of halves) {
    const file = changed(whole, (bytes) => bytes);
    const database = new DatabaseSync(file);
    // As a page that was not written: without what goes with it.
    for (const trigger of ['added', 'replaced', 'removed']) database.exec(`DROP TRIGGER ${trigger}`);
    database.exec(statement);
    for (const { sql } of triggers) database.exec(String(sql));
    database.close();
    expect(await outcomeOf(file), statement).toMatchObject({ refused: expect.stringMatching(/damaged/) });
  }
});

function triggersOf(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  const triggers = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").all();
  database.close();
  return triggers;
}

/** The file as a version would have written it whose profiles differ by this. */
function writtenElsewhere(file: string, differ: (profile: Record<string, unknown>) => void): string {
  const copy = newFile();
  copyFileSync(file, copy);
  const { file: open, rows = [] } = StateFile.open(copy);
  open.write(
    rows.map((row) => {
      const { profile, askedProfile } = row.value as SavedStart;
      for (const each of [profile, askedProfile]) if (each !== undefined) differ(each as never);
      return { put: row };
    }),
  );
  open.close();
  return copy;
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
  const message = expect.stringMatching(/was written by version \S+, whose profile this version cannot use: colour/);
  await expect(start(later)).rejects.toMatchObject({ code: 'STATE_INVALID', message });
});

/** A SQLite file of somebody else. */
function foreignDatabase(...statements: string[]): string {
  const file = newFile();
  const database = new DatabaseSync(file);
  for (const statement of ['CREATE TABLE a (b)', 'INSERT INTO a VALUES (1)', ...statements]) database.exec(statement);
  database.close();
  return file;
}

const ours = 'PRAGMA application_id = 0x41504353';

const foreign: [file: () => string, says: RegExp][] = [
  [() => folder.write(`${++files}.state`, ''), /is empty, so it holds no state\. Remove it/],
  [() => folder.write(`${++files}.state`, 'organizations: []\n'), /is not a state file of this mock, or is damaged/],
  [() => foreignDatabase(), /is not a state file of this mock, or is damaged/],
  [() => foreignDatabase('PRAGMA journal_mode = WAL'), /is not a state file of this mock/],
  [
    () => foreignDatabase(ours, 'PRAGMA user_version = 3'),
    /has format 3: it is damaged, or was written by a different version\. This version reads format 2\./,
  ],
  [() => foreignDatabase(ours, 'PRAGMA user_version = 2'), /is damaged: It has unexpected tables\./],
];

it('is refused, unchanged, when it is that of somebody else or of another version', async () => {
  for (const [make, says] of foreign) {
    const file = make();
    expect(await outcomeOf(file)).toEqual({ refused: expect.stringMatching(says) });
    expect(readdirSync(folder.path).filter((name) => folder.at(name).startsWith(`${file}-`))).toEqual([]);
  }
});

const unusable: [file: () => string, code: string, says: RegExp][] = [
  [() => folder.path, 'FILE_UNREADABLE', /is a folder/],
  [() => '/dev/null', 'FILE_UNREADABLE', /is not a regular file/],
  [() => '/dev/full', 'FILE_UNREADABLE', /is not a regular file/],
  [() => folder.at('nowhere', 'a'), 'FILE_UNWRITABLE', /there is no folder/],
  [() => `${folder.write('plain', '')}/a`, 'FILE_UNWRITABLE', /there is no folder/],
  [() => '', 'OPTION_INVALID', /must not be empty/],
];

it('is refused when it is no file, or cannot be made', async () => {
  for (const [file, code, says] of unusable)
    await expect(start(file())).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
});

it('is not made when the mock cannot start', async () => {
  const file = newFile();
  for (const host of ['203.0.113.1', 'x'.repeat(300), 'a\0b'])
    await expect(start(file, { host })).rejects.toMatchObject({ code: 'ADDRESS_UNUSABLE' });
  await expect(start(file, { seed: folder.at('no-seed.yaml') })).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  expect(readdirSync(folder.path)).not.toContain(file.split('/').at(-1));
  await (await start(file)).close();
});

it('is used by one mock at a time, by whatever path, and free again after a stop or a kill', async () => {
  const file = newFile();
  const [link, other] = [folder.at(`${++files}.link`), folder.at(`${++files}.hard`)];
  const killed = await startMock(['--state', file]);
  symlinkSync(file, link);
  for (const path of [file, link])
    await expect(start(path)).rejects.toMatchObject({ code: 'STATE_IN_USE', message: expect.stringContaining(path) });
  await killed.stop('SIGKILL');
  const mock = await start(link);
  expect((await runCommand(['mock', '--port', '0', '--state', file])).code).toBe(1);
  await expect(start(file)).rejects.toMatchObject({ code: 'STATE_IN_USE' });
  linkSync(file, other);
  for (const path of [file, other])
    await expect(start(path)).rejects.toMatchObject({
      code: 'STATE_INVALID',
      message: expect.stringContaining(`${path} has 2 names (hard links); only one is allowed.`),
    });
  // It goes on meanwhile.
  await createDrives(mock, 'one');
  rmSync(other);
  mock.reset();
  await mock.close();
  // The link still leads to the file.
  await (await start(file)).close();
});

/** Why tests that need a separate network or separate file systems are left out. */
const noNamespaces = 'This system lets nobody here make a namespace of its own: `unshare` fails, or is missing.';

/** Leaves out the tests of this block if the system does not create such namespaces; the closing lines then say so. */
function needsNamespace(kind: 'net' | 'mount'): void {
  const isAllowed = spawnSync('unshare', [`--${kind}`, 'true']).status === 0;
  beforeEach(({ skip }) => skip(!isAllowed, noNamespaces));
}

describe.runIf(isFull)('in another network namespace', () => {
  needsNamespace('net');

  // In another container the port is free, and no socket tells of the other one.
  it('the file is refused that a mock uses', async () => {
    const file = newFile();
    const mock = await start(file);
    await createDrives(mock, 'one');
    const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;
    const script = `ip link set lo up; exec "$@"`;
    const args = ['--net', 'sh', '-c', script, 'sh', process.execPath, main, 'mock', '--port', '0', '--state', file];
    const { status, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('Another mock keeps its state in'),
    });
    await createDrives(mock, 'two');
    await mock.close();
    const again = await start(file);
    expect(await driveNames(again)).toEqual(expect.arrayContaining(['one', 'two']));
    await again.close();
  });
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
  await clientsOf(first).control('PATCH', '/settings', { json: { profile: { 'successStatus.createDrive': 202 } } });
  await first.close();
  const second = await start(file, { seed: tinySeed, clock: '2030-01-01T00:00:00Z', set: { sizeUnit: 'kilobytes' } });
  expect(second.snapshot().organizations.map(({ id }) => id)).toEqual(organizations.map(({ id }) => id));
  expect(second.engine.runtime.randomSeed).toBe(5);
  expect(second.engine.clock.nowMs()).toBe(Date.parse('2026-03-02T08:15:00Z'));
  // What was changed while it ran, and what this start asks for.
  expect(second.profile).toMatchObject({
    'successStatus.createDrive': 202,
    sizeUnit: 'kilobytes',
    listOrder: 'oldestFirst',
  });
  second.reset();
  expect(second.snapshot().organizations).toEqual(organizations);
  await second.close();
  const third = await startMockHere([
    ...options,
    '--set',
    'successStatus.createDrive=200',
    '--random-seed',
    '7',
    '--clock',
    '2030-01-01T00:00:00Z',
  ]);
  expect((await third.stop()).stdout).toContain(
    'The file overrides --random-seed and --clock and successStatus.createDrive=200, which the admin API changed to 202.',
  );
});

it('contradicts --watch', async () => {
  const { code, stderr } = await runCommand(['mock', '--state', newFile(), '--watch', '--seed', 'x.yaml']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--state') });
});

// Only on a mount of our own is a file system full or read-only for everybody.
describe('on a file system of its own', () => {
  needsNamespace('mount');

  const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;

  /** Starts a mock with a state in a folder that `mount` makes what it is. */
  function startIn(place: string, mount: string): RunningProcess {
    const node = [process.execPath, main, 'mock', '--port', '0', '--state', `${place}/a.state`];
    const spawned = `require('node:child_process').spawn('unshare', process.argv.slice(1), { stdio: 'inherit' }).on('exit', (code) => process.exit(code))`;
    return startProgram(['--eval', spawned, '--', '--mount', 'sh', '-c', `${mount}; exec "$@"`, 'sh', ...node]);
  }

  // In the quick run, the limit of a file size below stands for it.
  it.runIf(isFull)('that is full, the mock stops before it acknowledges what it could not keep', async () => {
    const place = createPlace();
    const mount = `mount -t tmpfs -o size=300k tmpfs ${place}`;
    const mock = startIn(place, mount);
    const api = createClient(await mock.printed(/http:\S+?\/v0\.1/), 'demo-key');
    const createMany = async () => {
      for (;;) await api('POST', '/drives', { json: { name: 'x'.repeat(1_000) } });
    };
    await expect(createMany()).rejects.toThrow(TypeError);
    const { code, stderr } = await mock.ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/no longer be written to .* \((database or disk is full|disk I\/O error)\)/),
    });
  });

  const mounts: [what: string, isThere: boolean, mount: (place: string) => string, reason: string][] = [
    ['has no room for a new file', false, (place) => `mount -t tmpfs -o size=8k tmpfs ${place}`, 'full'],
    ...[true, false].map((isThere): (typeof mounts)[number] => [
      `is read-only, with ${isThere ? 'the' : 'no'} file`,
      isThere,
      (place) => `mount --bind ${place} ${place}; mount -o remount,ro,bind ${place}`,
      'EROFS',
    ]),
  ];

  it.each(sampleOf(mounts, 1))('that %s, the mock does not start', async (_, isThere, mount, reason) => {
    const place = createPlace();
    if (isThere) await (await start(`${place}/a.state`)).close();
    const { code, stderr } = await startIn(place, mount(place)).ended;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(`a\\.state cannot be .* \\(.*${reason}\\)`),
    });
  });

  function createPlace(): string {
    const place = folder.at(`place-${++files}`);
    mkdirSync(place);
    return place;
  }
});

// Where files may not grow above a limit, the system refuses a write as a full disk does.
it.runIf(process.platform === 'linux')(
  'stops the mock when it can no longer be written, and loses nothing',
  async () => {
    const file = newFile();
    const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;
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
    expect(stderr).toMatch(
      /The state can no longer be written to .*\.state \((disk I\/O error|database or disk is full)\), so the mock stops\./,
    );
    expect(acknowledged.length).toBeGreaterThan(3);
    const mock = await createMock({ state: file });
    const names = await driveNames(mock);
    expect(names.filter((name) => name.startsWith('drive '))).toEqual(acknowledged.toSorted());
    await mock.close();
  },
);

const limit = `
  const { spawn } = require('node:child_process');
  const script = "trap '' XFSZ; ulimit -f 300; exec \\"$@\\"";
  spawn('sh', ['-c', script, 'sh', ...process.argv.slice(1)], { stdio: 'inherit' }).on('exit', (code) => process.exit(code));
`;
