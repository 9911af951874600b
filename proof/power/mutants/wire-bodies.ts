import type { Mutant } from '../mutant.ts';
import { wireTable } from './table.ts';
import { changeAnswer, isRefusal, isSuccess, withBody, withHeader } from './wire-faults.ts';

const byteOrderMark = '\uFEFF';

/** Bodies that are spoilt on their way. */
export const wireBodies: readonly Mutant[] = wireTable('transport', {
  'getDriveFile.body-is-json: half-a-file': [
    'Of the metadata of a file half the text is sent, and Content-Length says so.',
    () => changeAnswer(isSuccess, (answer) => withBody(answer, answer.body.slice(0, answer.body.length / 2))),
  ],
  'createDrive.body-is-json: created-drive-sent-twice': [
    'The body that answers the creation of a drive is sent twice.',
    () => changeAnswer(isSuccess, (answer) => withBody(answer, answer.body + answer.body)),
  ],
  'createMcpServer.body-is-json: created-server-behind-a-byte-order-mark': [
    'A byte order mark stands before the JSON that answers the creation of an MCP server.',
    () => changeAnswer(isSuccess, (answer) => withBody(answer, byteOrderMark + answer.body)),
  ],
  'listDrives.method-and-path > listDrives.is-served: drives-said-to-be-gzip': [
    'A page of drives is declared as gzip and is not, so that no client can read the answer.',
    () => changeAnswer(isSuccess, (answer) => withHeader(answer, 'content-encoding', 'gzip')),
  ],
  'listDrives.body-is-json: drives-before-a-debug-line': [
    'A comment with the time that it took stands behind the JSON of a page of drives.',
    () => changeAnswer(isSuccess, (answer) => withBody(answer, `${answer.body}\n<!-- 12 ms -->`)),
  ],
  'listAgents.body-is-json: agents-in-latin-1': [
    'The list of agents is sent in Latin-1; with an umlaut in it that is no JSON.',
    () => async (_request, response, forward) => {
      const { status, headers, body } = await forward();
      const bytes = Buffer.from(body, 'latin1');
      response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
    },
  ],
  'publishAgentRevision.body-is-declared-json: published-agent-as-html': [
    'The JSON that answers a publication is declared as text/html.',
    () => changeAnswer(isSuccess, (answer) => withHeader(answer, 'content-type', 'text/html')),
  ],
  'listMcpServers.body-is-declared-json: servers-without-media-type': [
    'The list of MCP servers comes without Content-Type.',
    () => changeAnswer(isSuccess, (answer) => withHeader(answer, 'content-type', undefined)),
  ],
  'deleteDriveTree.refusal-is-json: deletions-refused-by-a-page': [
    'Refused tree deletions are answered with an HTML page.',
    () =>
      changeAnswer(isRefusal, (answer) =>
        withBody(withHeader(answer, 'content-type', 'text/html'), `<html><body>${answer.status}</body></html>`),
      ),
  ],
  'publishAgentRevision.body-is-json: publication-answered-in-two-lines': [
    'A publication is answered with two lines of JSON: that it began, and what came of it.',
    () => changeAnswer(isSuccess, (answer) => withBody(answer, `{"state":"publishing"}\n${answer.body}`)),
  ],
});
