import { createDrive } from '../../../src/domain/drives.ts';
import { createMcpServer } from '../../../src/domain/mcp-servers.ts';
import type { Mutant, WireFault } from '../mutant.ts';
import { isSuccess as isSound, onCallersOf, sentField } from './patch.ts';
import { changeMoves } from './patch-store.ts';
import { table, wireTable } from './table.ts';
import { answerWith, changeAnswer, isSuccess, withBody, write } from './wire-faults.ts';

/** Changes a member of every object of every success. */
function changeMember(member: string, change: (value: unknown, count: number) => unknown): WireFault {
  let count = 0;
  return changeAnswer(isSuccess, (answer) => {
    count++;
    const revive = (name: string, value: unknown) => (name === member ? change(value, count) : value);
    return withBody(answer, JSON.stringify(JSON.parse(answer.body, revive)));
  });
}

const now = () => new Date().toISOString();
const thisSecond = () => now().replace(/\.\d+/, '');

/** Readings that change what is read, or seem to. */
const readings: readonly Mutant[] = wireTable('state', {
  'getDriveFile.reading-changes-nothing: a-file-is-modified-when-it-is-read': [
    'modifiedAt of a file is the time at which it is read.',
    () => changeMember('modifiedAt', now),
  ],
  'getDriveFile.reading-changes-nothing: a-file-is-modified-in-the-second-it-is-read': [
    'modifiedAt of a file is the time at which it is read, in whole seconds.',
    () => changeMember('modifiedAt', thisSecond),
  ],
  'getDriveFile.reading-changes-nothing: a-file-grows-when-it-is-read': [
    'Each reading of any file makes every file a byte longer.',
    () => changeMember('size', (size, count) => Number(size) + count),
  ],
  'getDriveFile.reading-changes-nothing: a-file-is-summarized-anew-when-it-is-read': [
    'The summary of a file is written anew for each reading.',
    () => changeMember('summary', (_, count) => `Summary number ${count}`),
  ],
  'listAgents.reading-changes-nothing: agents-are-updated-when-they-are-listed': [
    'updatedAt of an agent is the time at which it is listed.',
    () => changeMember('updatedAt', now),
  ],
  'listDrives.reading-changes-nothing: drives-are-updated-when-they-are-listed': [
    'updatedAt of a drive is the time at which it is listed.',
    () => changeMember('updatedAt', now),
  ],
  'listMcpServers.reading-changes-nothing: mcp-servers-are-updated-in-the-second-they-are-listed': [
    'updatedAt of an MCP server is the time at which it is listed, in whole seconds.',
    () => changeMember('updatedAt', thisSecond),
  ],
  'listAgents.created-at-stays: agents-are-created-when-they-are-listed': [
    'createdAt of an agent is the time at which it is listed.',
    () => changeMember('createdAt', now),
  ],
  'listDrives.created-at-stays: drives-are-listed-as-created-an-hour-later': [
    'createdAt of a drive is the local time of the server in lists, and right in the response to its creation.',
    () => changeMember('createdAt', (value) => new Date(Date.parse(String(value)) + 3_600_000).toISOString()),
  ],
  'listMcpServers.created-at-stays: mcp-servers-are-created-anew-by-and-by': [
    'createdAt of every MCP server moves on after forty readings.',
    () => changeMember('createdAt', (value, count) => (count < 40 ? value : now())),
  ],
});

/** Responses to moves that are not what is read later. */
const answers: readonly Mutant[] = table('state', 'store', {
  'updateDriveFile.answer-is-what-is-read: a-move-answers-the-old-name': [
    'The response to a move shows the new path and the old name; later readings show the new one.',
    changeMoves((_, before) => ({ answered: { name: before.name } })),
  ],
  'updateDriveFile.answer-is-what-is-read: a-move-answers-a-content-type-by-the-name': [
    'The response to a move shows a content type that was guessed; later readings show that of the file.',
    changeMoves(() => ({ answered: { contentType: 'application/octet-stream' } })),
  ],
  'updateDriveFile.answer-is-what-is-read: a-move-answers-no-size': [
    'The response to a move shows a size of zero.',
    changeMoves(() => ({ answered: { sizeBytes: 0 } })),
  ],
  'updateDriveFile.path-kept.outer-blanks: a-move-trims-the-path': [
    'Blanks around the new path are taken away before it is stored.',
    changeMoves(({ path }) => ({ answered: { path: path.trim() }, kept: { path: path.trim() } })),
  ],
});

const failure = answerWith(500, { 'content-type': 'application/json' }, '{"message":"Internal Server Error"}');

/** Fails on requests whose text holds something. */
function failOn(isHard: (text: string) => boolean): WireFault {
  return async (request, response, forward) => {
    let isHit = false;
    const answer = await forward({
      body: (sent) => {
        const fields = Object.values(parsed(sent));
        isHit = fields.some((value) => typeof value === 'string' && isHard(value));
        return isHit ? '{' : sent;
      },
    });
    if (isHit && answer.status !== 401) await failure(request, response, forward);
    else write(response, answer);
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Valid requests on which the server fails. */
const failures: readonly Mutant[] = [
  ...wireTable('status', {
    'createDrive.odd-name-answered: a-nul-in-the-name-of-a-drive-fails': [
      'The database takes no NUL, and the creation of a drive fails on it.',
      () => failOn((text) => text.includes('\0')),
    ],
    'createDrive.odd-name-answered: a-long-name-of-a-drive-fails': [
      'A column holds 255 characters, and the creation of a drive fails on more.',
      () => failOn((text) => text.length > 255),
    ],
    'createMcpServer.odd-name-answered: characters-beyond-two-bytes-fail-in-mcp-servers': [
      'The database takes characters of up to two bytes, and a registration fails on others.',
      () => failOn((text) => /[\u{10000}-\u{10ffff}]/u.test(text)),
    ],
    'createMcpServer.odd-name-answered: control-characters-fail-in-mcp-servers': [
      'A registration fails on control characters.',
      () => failOn((text) => [...text].some((one) => one > '\0' && one < ' ')),
    ],
    'updateDriveFile.odd-path-answered: a-nul-in-a-path-fails': [
      'A move fails on a path with a NUL.',
      () => failOn((text) => text.startsWith('/') && text.includes('\0') && !text.includes('/..')),
    ],
    'updateDriveFile.odd-path-answered: a-path-of-thousands-of-characters-fails': [
      'An index holds 2,700 bytes, and a move fails on a longer path.',
      () => failOn((text) => text.startsWith('/') && text.length > 2_700 && !text.includes('/..')),
    ],
  }),
];

/** Creations that are refused, and happen. */
const refusals: readonly Mutant[] = table('state', 'engine', {
  'createDrive.refused-creates-nothing: a-drive-without-a-name-is-refused-and-made': [
    'A drive is stored before its name is looked at: without a name it is refused, and there.',
    onCallersOf('createDrive', (call, sound, caller) => {
      const answer = sound.answer(call);
      if (!isSound(answer) && sentField(call, 'name') === undefined) createDrive(caller, 'Untitled');
      return answer;
    }),
  ],
  'createMcpServer.refused-creates-nothing: a-server-without-a-good-url-is-refused-and-made': [
    'An MCP server is stored before its URL is looked at: with a bad one it is refused, and there.',
    onCallersOf('createMcpServer', (call, sound, caller) => {
      const answer = sound.answer(call);
      const [name, url] = [sentField(call, 'name'), sentField(call, 'url')];
      if (!isSound(answer) && typeof name === 'string' && typeof url === 'string' && url !== '')
        createMcpServer(caller, { name: 'Untitled', url });
      return answer;
    }),
  ],
});

export const stateOfReadings: readonly Mutant[] = [...readings, ...answers, ...failures, ...refusals];
