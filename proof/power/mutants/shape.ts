import type { Mutant } from '../mutant.ts';
import {
  atOffset,
  type Fields,
  inBody,
  inItems,
  inLast,
  inList,
  inSuccesses,
  inText,
  without,
  withStatus,
} from './rewrite.ts';
import { table } from './table.ts';

/** Bodies that are no JSON. */
const bodyFaults: readonly Mutant[] = table('shape', 'answer', {
  'deleteDriveTree.body-is-json: deletion-counts-nan': [
    'documentCount is written as NaN, which is no JSON.',
    inText('deleteDriveTree', (text) => text.replace(/("documentCount":)\d+/, '$1NaN')),
  ],
  'updateDriveFile.body-is-json: moved-file-in-single-quotes': [
    'The answer to a move is written with single quotes.',
    inText('updateDriveFile', (text) => text.replaceAll('"', "'")),
  ],
  'listMcpServers.body-is-json: servers-with-trailing-comma': [
    'A comma stands behind the last MCP server of the list.',
    inText('listMcpServers', (text) => text.replace(/\}\]$/, '},]')),
  ],
  'listMcpServerTools.body-is-json: tool-description-written-as-undefined': [
    'The last tool of an MCP server has undefined for its description, which is no JSON.',
    inText('listMcpServerTools', (text) => text.replace(/("description":)"[^"]*"(?!.*"description")/s, '$1undefined')),
  ],
});

/** Agents that look wrong. */
const agentFaults: readonly Mutant[] = [
  ...table('status', 'answer', {
    'listAgents.status-is-200: agents-answered-with-203': [
      'The list of agents is answered with 203.',
      withStatus('listAgents', 203),
    ],
  }),
  ...table('shape', 'answer', {
    'listAgents.answer-is-array: agents-in-an-envelope': [
      'The list of agents is an object with data, not an array.',
      inList('listAgents', (data) => ({ data })),
    ],
    'listAgents.timestamps-are-utc: agent-updated-in-local-time': [
      'updatedAt of the last agent is given at +02:00.',
      inLast('listAgents', (agent) => ({ ...agent, updatedAt: atOffset(agent.updatedAt, '+02:00') })),
    ],
    'listAgents.fields-present: agent-flag-left-out-when-false': [
      'hasChanges is left out where it is false.',
      inItems('listAgents', (agent) => (agent.hasChanges === true ? agent : without(agent, 'hasChanges'))),
    ],
  }),
];

// Every third one, from the first on.
function everyThird(change: (body: Fields) => Fields): (body: Fields) => Fields {
  let answered = 0;
  return (body) => (answered++ % 3 === 0 ? change(body) : body);
}

const withPagination = (change: (pagination: Fields) => Fields) => (page: Fields) => ({
  ...page,
  pagination: change(page.pagination as Fields),
});

/** Drives and their pages that look wrong. */
const driveFaults: readonly Mutant[] = [
  ...table('shape', 'answer', {
    'createDrive.answer-is-object: created-drive-in-an-array': [
      'The answer to the creation of a drive is an array with the drive.',
      inText('createDrive', (text) => `[${text}]`),
    ],
    'listDrives.timestamps-are-date-times: drive-created-on-a-date': [
      'createdAt of the last drive of a page is a date without a time.',
      inLast('listDrives', (drive) => ({ ...drive, createdAt: String(drive.createdAt).slice(0, 10) })),
    ],
    'listDrives.fields-present: drive-never-updated': [
      'updatedAt is left out where a drive was not updated since its creation.',
      inItems('listDrives', (drive) => (drive.updatedAt === drive.createdAt ? without(drive, 'updatedAt') : drive)),
    ],
    'listDrives.answer-is-page: page-without-pagination': [
      'A page behind which nothing is left has no pagination.',
      inBody('listDrives', (page) => {
        const { offset, total } = page.pagination as Fields;
        const isLast = Number(offset) + (page.data as Fields[]).length >= Number(total);
        return isLast ? without(page, 'pagination') : page;
      }),
    ],
  }),
  ...table('pagination', 'answer', {
    // The count begins anew with each mutant that is started.
    'listDrives.pagination-field-types: total-as-text-now-and-then': [
      'On every third page that is asked for, total is a string.',
      inBody(
        'listDrives',
        everyThird(withPagination((pagination) => ({ ...pagination, total: String(pagination.total) }))),
      ),
    ],
    'listDrives.pagination-fields-present: offset-left-out-when-zero': [
      'The pagination object has no offset where it is 0.',
      inBody(
        'listDrives',
        withPagination((pagination) => (pagination.offset === 0 ? without(pagination, 'offset') : pagination)),
      ),
    ],
    'listDrives.pagination-repeats-limit: limit-one-too-high': [
      'The pagination object shows the limit plus one, with which the service looks for a next page.',
      inBody(
        'listDrives',
        withPagination((pagination) => ({ ...pagination, limit: Number(pagination.limit) + 1 })),
      ),
    ],
  }),
];

/** Drive files, and answers to tree deletions, that look wrong. */
const fileFaults: readonly Mutant[] = [
  ...table('shape', 'answer', {
    'getDriveFile.answer-is-object: file-in-an-array': [
      'The answer to the reading of a file is an array with the file.',
      inText('getDriveFile', (text) => `[${text}]`),
    ],
    'getDriveFile.timestamps-are-date-times: file-modified-in-seconds': [
      'modifiedAt of a file that is read is the number of seconds since 1970.',
      inBody('getDriveFile', (file) => ({
        ...file,
        modifiedAt: Math.floor(Date.parse(String(file.modifiedAt)) / 1000),
      })),
    ],
    'updateDriveFile.timestamps-are-date-times: moved-file-modified-on-no-day': [
      'modifiedAt of a moved file is the 30th of February.',
      inBody('updateDriveFile', (file) => ({
        ...file,
        modifiedAt: String(file.modifiedAt).replace(/-\d\d-\d\dT/, '-02-30T'),
      })),
    ],
    'updateDriveFile.kind-values: moved-file-of-another-kind': [
      'The kind of a moved file is FILE, in capitals.',
      inBody('updateDriveFile', (file) => ({ ...file, kind: 'FILE' })),
    ],
    'getDriveFile.file-path-starts-with-slash: file-path-without-slash': [
      'The path of a file that is read has no slash at the start.',
      inBody('getDriveFile', (file) => ({ ...file, path: String(file.path).slice(1) })),
    ],
    'updateDriveFile.fields-present: moved-file-without-size': [
      'The answer to a move does not show the size of the file.',
      inBody('updateDriveFile', (file) => without(file, 'size')),
    ],
    'deleteDriveTree.fields-present: deletion-without-job': [
      'A tree deletion is answered without jobId.',
      inBody('deleteDriveTree', (deletion) => without(deletion, 'jobId')),
    ],
    'deleteDriveTree.field-types: deletion-counts-in-text': [
      'documentCount is a string of digits.',
      inBody('deleteDriveTree', (deletion) => ({ ...deletion, documentCount: String(deletion.documentCount) })),
    ],
  }),
  ...table('status', 'answer', {
    'updateDriveFile.answer-is-object: moved-file-not-shown': [
      'A move is answered with 204 and no file.',
      inSuccesses('updateDriveFile', () => ({ status: 204, headers: {} })),
    ],
  }),
];

/** MCP servers and their tools that look wrong. */
const mcpServerFaults: readonly Mutant[] = [
  ...table('shape', 'answer', {
    'createMcpServer.answer-is-object: created-server-as-its-id': [
      'The creation of an MCP server is answered with the id alone.',
      inBody('createMcpServer', (server) => server.id),
    ],
    'createMcpServer.fields-present: created-server-without-type': [
      'The answer to the creation of an MCP server does not show its type.',
      inBody('createMcpServer', (server) => without(server, 'type')),
    ],
    'listMcpServers.answer-is-array: last-server-as-its-id': [
      'The last MCP server of the list is its id, not an object.',
      inLast('listMcpServers', (server) => server.id),
    ],
    'listMcpServerTools.tools-present: tools-in-a-bare-array': [
      'The list of tools is an array, not an object with tools.',
      inBody('listMcpServerTools', ({ tools }) => tools),
    ],
    'listMcpServerTools.tools-is-array: tools-by-name': [
      'tools is an object with the tools by name.',
      inList('listMcpServerTools', (tools) => Object.fromEntries(tools.map((tool) => [tool.name, tool]))),
    ],
    'listMcpServerTools.fields-present: tool-without-description': [
      'The last tool has no description.',
      inLast('listMcpServerTools', (tool) => without(tool, 'description')),
    ],
  }),
  ...table('status', 'answer', {
    'listMcpServers.status-is-200: servers-answered-with-206': [
      'The list of MCP servers is answered with 206.',
      withStatus('listMcpServers', 206),
    ],
    'listMcpServerTools.status-is-200: tools-answered-with-202': [
      'The list of tools is answered with 202.',
      withStatus('listMcpServerTools', 202),
    ],
  }),
];

/** Mutants whose fault sits in the finished answer: a sound engine, and its answer rewritten. */
export const shape: readonly Mutant[] = [
  ...bodyFaults,
  ...agentFaults,
  ...driveFaults,
  ...fileFaults,
  ...mcpServerFaults,
];
