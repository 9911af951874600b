import { type AnswerFault, inRefusals, inSuccesses, inText } from './rewrite.ts';

/** Bodies that are no JSON, or not declared as such. */
export const bodyFaults: readonly AnswerFault[] = [
  {
    id: 'deletion-counts-nan',
    requirement: 'bodies.answers-are-json',
    check: 'deleteDriveTree.body-is-json',
    fault: 'documentCount is written as NaN, which is no JSON.',
    break: inText('deleteDriveTree', (text) => text.replace(/("documentCount":)\d+/, '$1NaN')),
  },
  {
    id: 'moved-file-in-single-quotes',
    requirement: 'bodies.answers-are-json',
    check: 'updateDriveFile.body-is-json',
    fault: 'The answer to a move is written with single quotes.',
    break: inText('updateDriveFile', (text) => text.replaceAll('"', "'")),
  },
  {
    id: 'servers-with-trailing-comma',
    requirement: 'bodies.answers-are-json',
    check: 'listMcpServers.body-is-json',
    fault: 'A comma stands behind the last MCP server of the list.',
    break: inText('listMcpServers', (text) => text.replace(/\}\]$/, '},]')),
  },
  {
    id: 'file-declared-as-its-content',
    requirement: 'bodies.answers-are-declared-json',
    check: 'getDriveFile.body-is-declared-json',
    fault: 'The metadata of a file is sent with the content type of the file.',
    break: inSuccesses('getDriveFile', (answer) => {
      const { contentType } = JSON.parse(answer.body ?? '{}') as { contentType: string };
      return { ...answer, headers: { ...answer.headers, 'content-type': contentType } };
    }),
  },
  {
    id: 'created-server-without-media-type',
    requirement: 'bodies.answers-are-declared-json',
    check: 'createMcpServer.body-is-declared-json',
    fault: 'The answer to the creation of an MCP server has no Content-Type.',
    break: inSuccesses('createMcpServer', ({ headers: { 'content-type': _, ...headers }, ...answer }) => ({
      ...answer,
      headers,
    })),
  },
  {
    id: 'drives-refused-in-bare-text',
    requirement: 'bodies.refusals-are-json',
    check: 'listDrives.refusal-is-json',
    fault: 'Refusals of the list of drives are bare text that is declared as JSON.',
    break: inRefusals('listDrives', (answer) => ({ ...answer, body: 'request refused' })),
  },
];
