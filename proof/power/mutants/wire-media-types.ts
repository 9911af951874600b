import type { Mutant, WireFault } from '../mutant.ts';
import { wireTable } from './table.ts';
import { changeAnswer, isSuccess, withHeader } from './wire-faults.ts';

/** Declares every success as something else. */
function declareAs(mediaType: string | undefined): WireFault {
  return changeAnswer(isSuccess, (answer) => withHeader(answer, 'content-type', mediaType));
}

/** JSON that is declared as something else, or as nothing. */
export const wireMediaTypes: readonly Mutant[] = wireTable('transport', {
  'listAgents.body-is-declared-json: agents-declared-as-script': [
    'The list of agents is declared as text/javascript.',
    () => declareAs('text/javascript; charset=utf-8'),
  ],
  'listDrives.body-is-declared-json: later-drives-declared-as-bytes': [
    'Pages of drives with an offset come from a cache that declares them as application/octet-stream.',
    () =>
      changeAnswer(
        (status, { url = '' }) => isSuccess(status) && /[?&]offset=[1-9]/.test(url),
        (answer) => withHeader(answer, 'content-type', 'application/octet-stream'),
      ),
  ],
  'createDrive.body-is-declared-json: created-drive-declared-as-text': [
    'The answer to the creation of a drive is declared as text/plain.',
    () => declareAs('text/plain; charset=utf-8'),
  ],
  'getDriveFile.body-is-declared-json: file-declared-as-its-content': [
    'A front that guesses media types sends the metadata of a file with the content type of the file.',
    () =>
      changeAnswer(isSuccess, (answer) => {
        const { contentType } = JSON.parse(answer.body) as { contentType: string };
        return withHeader(answer, 'content-type', contentType);
      }),
  ],
  'updateDriveFile.body-is-declared-json: moved-file-declared-by-a-name-of-its-own': [
    'The answer to a move is declared as application/vnd.drive-file, which does not say that it is JSON.',
    () => declareAs('application/vnd.drive-file'),
  ],
  'deleteDriveTree.body-is-declared-json: deletion-declared-as-lines': [
    'The answer to a tree deletion is declared as application/x-ndjson.',
    () => declareAs('application/x-ndjson'),
  ],
  'createMcpServer.body-is-declared-json: created-server-without-media-type': [
    'Something in front takes the Content-Type from the answer to the creation of an MCP server.',
    () => declareAs(undefined),
  ],
  'listMcpServerTools.body-is-declared-json: tools-declared-as-events': [
    'A gateway for MCP declares the list of tools as text/event-stream.',
    () => declareAs('text/event-stream'),
  ],
});
