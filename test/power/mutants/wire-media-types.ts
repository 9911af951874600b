import type { WireFault } from '../mutant.ts';
import { changeAnswer, isSuccess, on, type WireMutant, withHeader, write } from './wire-faults.ts';

const declared = { requirement: 'bodies.answers-are-declared-json' } as const;

/** Declares every success as something else. */
function declareAs(mediaType: string | undefined): WireFault {
  return changeAnswer(isSuccess, (answer) => withHeader(answer, 'content-type', mediaType));
}

/** Declares the successes as something else whose request target is meant. */
function declareSomeAs(mediaType: string, isMeant: (url: string) => boolean): WireFault {
  return async (request, response, forward) => {
    const answer = await forward();
    const isChanged = isSuccess(answer.status) && isMeant(request.url ?? '');
    write(response, isChanged ? withHeader(answer, 'content-type', mediaType) : answer);
  };
}

/** JSON that is declared as something else, or as nothing. */
export const wireMediaTypes: readonly WireMutant[] = [
  {
    id: 'agents-declared-as-script',
    ...declared,
    check: 'listAgents.body-is-declared-json',
    fault: 'The list of agents is declared as text/javascript.',
    wire: () => on('listAgents', declareAs('text/javascript; charset=utf-8')),
  },
  {
    id: 'later-drives-declared-as-bytes',
    ...declared,
    check: 'listDrives.body-is-declared-json',
    fault: 'Pages of drives with an offset come from a cache that declares them as application/octet-stream.',
    wire: () =>
      on(
        'listDrives',
        declareSomeAs('application/octet-stream', (url) => /[?&]offset=[1-9]/.test(url)),
      ),
  },
  {
    id: 'created-drive-declared-as-text',
    ...declared,
    check: 'createDrive.body-is-declared-json',
    fault: 'The answer to the creation of a drive is declared as text/plain.',
    wire: () => on('createDrive', declareAs('text/plain; charset=utf-8')),
  },
  {
    id: 'file-declared-as-its-content',
    ...declared,
    check: 'getDriveFile.body-is-declared-json',
    fault: 'A front that guesses media types sends the metadata of a file with the content type of the file.',
    wire: () =>
      on(
        'getDriveFile',
        changeAnswer(isSuccess, (answer) => {
          const { contentType } = JSON.parse(answer.body) as { contentType: string };
          return withHeader(answer, 'content-type', contentType);
        }),
      ),
  },
  {
    id: 'moved-file-declared-by-a-name-of-its-own',
    ...declared,
    check: 'updateDriveFile.body-is-declared-json',
    fault: 'The answer to a move is declared as application/vnd.drive-file, which does not say that it is JSON.',
    wire: () => on('updateDriveFile', declareAs('application/vnd.drive-file')),
  },
  {
    id: 'deletion-declared-as-lines',
    ...declared,
    check: 'deleteDriveTree.body-is-declared-json',
    fault: 'The answer to a tree deletion is declared as application/x-ndjson.',
    wire: () => on('deleteDriveTree', declareAs('application/x-ndjson')),
  },
  {
    id: 'created-server-without-media-type',
    ...declared,
    check: 'createMcpServer.body-is-declared-json',
    fault: 'Something in front takes the Content-Type from the answer to the creation of an MCP server.',
    wire: () => on('createMcpServer', declareAs(undefined)),
  },
  {
    id: 'tools-declared-as-events',
    ...declared,
    check: 'listMcpServerTools.body-is-declared-json',
    fault: 'A gateway for MCP declares the list of tools as text/event-stream.',
    wire: () => on('listMcpServerTools', declareAs('text/event-stream')),
  },
];
