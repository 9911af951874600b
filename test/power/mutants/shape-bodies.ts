import { type AnswerFault, inText } from './rewrite.ts';

/** Bodies that are no JSON. */
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
];
