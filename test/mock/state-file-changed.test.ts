import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { createClient } from '../support/client.ts';
import { startMock } from '../support/command.ts';
import { clientsOf } from '../support/control.ts';
import { sampleOf } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// What happens to the file of a state while a mock uses it. Nothing is acknowledged that the file does not have.

const folder = createFolder('state-file-changed');
let folders = 0;

/** A mock with a file in a folder of its own, reached through a link, and one drive that was acknowledged. */
async function startKeeping(): Promise<{ mock: Mock; file: string; link: string; told: unknown[] }> {
  const own = folder.at(`${++folders}`);
  mkdirSync(own);
  const [file, link] = [`${own}/a.state`, `${own}/link`];
  symlinkSync(file, link);
  await (await createMock({ seed: tinySeed, state: file })).close();
  const told: unknown[] = [];
  const mock = await createMock({ state: link, onUnexpected: (error) => void told.push(error) });
  onTestFinished(() => mock.close());
  expect(await create(mock, 'kept')).toBe(201);
  return { mock, file, link, told };
}

async function create(mock: Mock, name: string): Promise<number> {
  return (await clientsOf(mock).api('POST', '/drives', { json: { name } })).status;
}

/** The drives in a file, as a mock shows them that starts with it. */
async function drivesIn(state: string): Promise<string[]> {
  const mock = await createMock({ seed: tinySeed, state });
  const names = mock.snapshot().organizations.flatMap(({ drives }) => drives.map(({ name }) => name));
  await mock.close();
  return names;
}

/** A state file of another mock. */
async function otherState(): Promise<string> {
  const file = folder.at(`${++folders}.other`);
  const mock = await createMock({ seed: tinySeed, state: file });
  expect(await create(mock, 'of another')).toBe(201);
  await mock.close();
  return file;
}

type Change = (file: string, link: string) => Promise<void> | void;

const removed = /link was removed or moved away, so the mock stops\. Restore a copy/;
const replaced =
  /\S+link was replaced by a different file, so the mock stops\. Restart the mock to continue with the new file/;
const written =
  /Something else wrote to \S+link( \(it has \d+ bytes instead of \d+\))?, so the mock stops\. Restart the mock/;

const changes: Record<string, [change: Change, says: RegExp]> = {
  'it is removed': [(file) => rmSync(file), removed],
  'it is removed with its journal': [
    (file) => {
      rmSync(file);
      rmSync(`${file}-journal`);
    },
    removed,
  ],
  'its folder is removed': [(file) => rmSync(dirname(file), { recursive: true }), removed],
  'it is moved away': [(file) => renameSync(file, `${file}.away`), removed],
  'its folder is moved away': [(file) => renameSync(dirname(file), `${dirname(file)}.away`), removed],
  'the link to it is removed': [(_, link) => rmSync(link), removed],
  'the link leads elsewhere': [
    async (_, link) => {
      rmSync(link);
      symlinkSync(await otherState(), link);
    },
    replaced,
  ],
  'another one is moved over it': [async (file) => renameSync(await otherState(), file), replaced],
  'a copy of it is moved over it': [
    (file) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
    replaced,
  ],
  'something is moved over it': [
    (file) => {
      writeFileSync(`${file}.new`, 'x');
      renameSync(`${file}.new`, file);
    },
    replaced,
  ],
  'a folder takes its place': [
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
    replaced,
  ],
  'another one is copied over it': [async (file) => copyFileSync(await otherState(), file), written],
  'it is emptied': [(file) => truncateSync(file, 0), written],
  'it is cut': [(file) => truncateSync(file, statSync(file).size - 4_096), written],
  'something is appended': [(file) => writeFileSync(file, 'x', { flag: 'a' }), written],
  'it is written anew, as it was': [(file) => writeFileSync(file, readFileSync(file)), written],
  'it is written anew with the time that it had': [
    (file) => {
      const { atime, mtime } = statSync(file);
      truncateSync(file, 100);
      utimesSync(file, atime, mtime);
    },
    written,
  ],
};

describe('when its file changes, a mock', () => {
  it.each(sampleOf(Object.entries(changes), 6))(
    'answers no further write, and stops with a sentence: %s',
    async (_, [change, says]) => {
      const { mock, file, link, told } = await startKeeping();
      await change(file, link);
      await expect(create(mock, 'lost')).rejects.toThrow(TypeError);
      const error = await mock.lost;
      expect(error).toMatchObject({ code: 'STATE_LOST', message: expect.stringMatching(says) });
      expect(told).toEqual([error]);
      await mock.close();
      // As those left it who changed it.
      const left = await drivesIn(link).catch((reason) => reason.message);
      if (says === removed) expect(left).not.toContain('kept');
      expect(left).not.toContain('lost');
    },
  );

  const some = sampleOf(Object.entries(changes), 3);

  it.each(some)('that is stopped without a further write says so as well: %s', async (_, [change, says]) => {
    const { mock, file, link, told } = await startKeeping();
    await change(file, link);
    await mock.close();
    expect(await mock.lost).toMatchObject({ code: 'STATE_LOST', message: expect.stringMatching(says) });
    expect(told).toHaveLength(1);
  });
});

it('a state that was put there is there at the next start, and one that was moved away holds what was acknowledged', async () => {
  const other = await otherState();
  const kept: Record<string, (file: string) => void> = {
    'of another': (file) => copyFileSync(other, file),
    kept: (file) => renameSync(file, `${file}.away`),
  };
  for (const [name, change] of Object.entries(kept)) {
    const { mock, file } = await startKeeping();
    change(file);
    await expect(create(mock, 'lost')).rejects.toThrow(TypeError);
    await mock.close();
    expect(await drivesIn(name === 'kept' ? `${file}.away` : file)).toContain(name);
  }
});

it('a second name, other permissions and a reader disturb nobody', async () => {
  const { mock, file } = await startKeeping();
  linkSync(file, `${file}.second`);
  spawnSync('chmod', ['644', file]);
  readFileSync(file);
  spawnSync('cat', [file]);
  expect(await create(mock, 'second')).toBe(201);
  rmSync(`${file}.second`);
  await mock.close();
  expect(await drivesIn(file)).toEqual(expect.arrayContaining(['kept', 'second']));
});

it('reading goes on, and each admin API call that changes something is refused', async () => {
  const { mock, file } = await startKeeping();
  truncateSync(file, 0);
  // Reading needs no file.
  expect((await clientsOf(mock).api('GET', '/drives')).status).toBe(200);
  await expect(clientsOf(mock).control('POST', '/reset')).rejects.toThrow(TypeError);
  expect(() => mock.reset()).toThrow(written);
  expect(() => mock.openSandbox()).toThrow(written);
});

const ends = [
  { what: 'removed', act: (file: string) => rmSync(file), says: removed },
  { what: 'emptied', act: (file: string) => truncateSync(file, 0), says: written },
].flatMap((one) => [true, false].map((isWriting) => ({ ...one, isWriting })));

it.each(sampleOf(ends, 1))('the command ends with exit code 1: $what, then written to: $isWriting', async (end) => {
  const { act, isWriting, says } = end;
  const file = folder.at(`${++folders}.link`);
  const mock = await startMock(['--state', file]);
  const api = createClient(mock.url, 'demo-key');
  expect((await api('POST', '/drives', { json: { name: 'kept' } })).status).toBe(201);
  act(file);
  if (isWriting) await expect(api('POST', '/drives', { json: { name: 'lost' } })).rejects.toThrow(TypeError);
  const { code, stderr } = await (isWriting ? mock.ended : mock.stop());
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(says) });
});
