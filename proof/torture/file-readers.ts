import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allChecks } from '../../conformance/checks/index.ts';
import { loadExpectedFailures } from '../../conformance/report/expected-failures.ts';
import { loadReport } from '../../conformance/report/parse-report.ts';
import { loadConfig } from '../../conformance/run/settings.ts';
import { loadMovedFiles } from '../../conformance/safety/restore.ts';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { createClient } from '../../test/support/client.ts';
import { believableReport } from '../../test/support/sample-report.ts';
import { tinySeed } from '../../test/support/tiny-seed.ts';

/** One kind of file that somebody gives to a program. */
export interface FileReader {
  name: string;
  /** The text of a file that is read without a complaint, or its bytes where it is no text. */
  sound: string | Buffer;
  /** Reads it as the program does, and uses what it held. Throws the error that the program shows. */
  read(file: string): unknown;
  /** The command that reads it before it does anything else; none for what comes over the wire. */
  command?(file: string): readonly string[];
}

/** What a snapshot was refused with. */
export class Refused extends Error {}

const noTarget = ['--base-url', 'http://127.0.0.1:1/v0.1', '--api-key', 'a-key'];

/** All kinds. `mock` takes the snapshots; `folder` is for what is written meanwhile. */
export async function fileReaders(mock: Mock, folder: string): Promise<FileReader[]> {
  const ids = allChecks().map(({ id }) => id);
  return [
    {
      name: 'seed',
      sound: JSON.stringify(tinySeed),
      read: (file) => useMock({ seed: file }),
      command: (file) => ['mock', '--port', '0', '--seed', file],
    },
    {
      name: 'profile',
      sound: JSON.stringify({
        'successStatus.createDrive': 200,
        listOrder: 'newestFirst',
        bodySizeLimit: 5_000,
        'pagingDefaults.limit': 7,
      }),
      read: (file) => useMock({ profile: file }),
      command: (file) => ['mock', '--port', '0', '--profile', file],
    },
    {
      name: 'configuration',
      sound: JSON.stringify(config),
      read: loadConfig,
      command: (file) => ['conformance', '--config', file],
    },
    {
      name: 'expected failures',
      sound: JSON.stringify([
        { check: 'listAgents.*', reason: 'Known', until: '2099-12-31' },
        { check: ids[0], reason: 'b' },
      ]),
      read: (file) => loadExpectedFailures(file, ids),
      command: (file) => ['conformance', '--expected-failures', file, ...noTarget],
    },
    {
      name: 'report',
      sound: JSON.stringify(believableReport()),
      read: loadReport,
      command: (file) => ['conformance', 'compare', file, file],
    },
    {
      name: 'move log',
      sound: `${moveLog.map((line) => JSON.stringify(line)).join('\n')}\n`,
      read: loadMovedFiles,
      command: (file) => ['conformance', 'restore', file, ...noTarget],
    },
    {
      name: 'state',
      sound: await soundState(join(folder, 'sound.state')),
      read: (file) => useMock({ state: file }),
      command: (file) => ['mock', '--port', '0', '--state', file],
    },
    { name: 'snapshot', sound: JSON.stringify(mock.snapshot()), read: (file) => restore(mock, file) },
  ];
}

const config = {
  ...{ baseUrl: 'http://127.0.0.1:1/v0.1', apiKey: 'a-key', otherApiKey: 'b-key', allowWrites: true, timeoutMs: 1_000 },
  fixtures: { agent: { id: 'a', revisionId: 'b' }, files: [{ driveId: 'c', id: 'd' }], mcpServer: { id: 'e' } },
  openPoints: { treePathParameter: 'path' },
  require: { 'successStatus.createDrive': 201 },
  headers: { 'X-Team': 'a' },
};

const move = { run: 'run-1', baseUrl: 'http://127.0.0.1:1/v0.1', driveId: 'd', id: 'f', originalPath: '/a' };
const moveLog = [
  { ...move, sentTo: '/b', at: '2026-06-01T12:00:00.000Z' },
  { ...move, is: 'back', at: '2026-06-01T12:00:01.000Z' },
  { ...move, id: 'g', sentTo: '/c', at: '2026-06-01T12:00:02.000Z' },
];

/** Starts a mock and reads all that its first key shows. */
async function useMock(options: MockOptions): Promise<void> {
  const unexpected: unknown[] = [];
  const mock = await createMock({ ...options, admin: false, onUnexpected: (error) => void unexpected.push(error) });
  try {
    await readLists(mock);
  } finally {
    await mock.close();
  }
  if (unexpected.length > 0) throw unexpected[0];
}

async function readLists(mock: Mock): Promise<void> {
  const [key] = mock.snapshot().organizations.flatMap(({ keys }) => keys);
  const call = createClient(mock.url, key ?? '');
  for (const path of ['/agents', '/drives', '/mcp-servers']) {
    const { status, text } = await call('GET', path);
    if (status >= 500) throw new Error(`GET ${path} is answered with ${status}: ${text}`);
    if (key !== undefined && mock.profile.rateLimits === 'none' && status !== 200)
      throw new Error(`GET ${path} is answered with ${status}: ${text}`);
  }
}

async function soundState(file: string): Promise<Buffer> {
  const mock = await createMock({ seed: tinySeed, state: file });
  const call = createClient(mock.url, 'key-a');
  for (const name of ['first', 'second', 'third']) await call('POST', '/drives', { json: { name } });
  await mock.close();
  return readFileSync(file);
}

/** Sends a snapshot to the admin API. What is refused must change nothing. */
async function restore(mock: Mock, file: string): Promise<void> {
  const before = JSON.stringify(mock.snapshot());
  const response = await fetch(`${mock.adminUrl}/snapshot`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: readFileSync(file),
  });
  const text = await response.text();
  if (response.status >= 500) throw new Error(`A snapshot is answered with ${response.status}: ${text}`);
  if (response.ok) return readLists(mock);
  if (JSON.stringify(mock.snapshot()) !== before) throw new Error('A snapshot that was refused changed the state.');
  // It names up to a thousand things that are wrong.
  throw new Refused(`${file}: ${text.slice(0, 1_000)}`);
}
