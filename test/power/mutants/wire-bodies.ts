import { changeAnswer, isRefusal, isSuccess, on, type WireMutant, withBody, withHeader } from './wire-faults.ts';

const byteOrderMark = '\uFEFF';

/** Bodies that are spoilt on their way. */
export const wireBodies: readonly WireMutant[] = [
  {
    id: 'half-a-file',
    requirement: 'bodies.answers-are-json',
    check: 'getDriveFile.body-is-json',
    fault: 'Of the metadata of a file half the text is sent, and Content-Length says so.',
    wire: () =>
      on(
        'getDriveFile',
        changeAnswer(isSuccess, (answer) => withBody(answer, answer.body.slice(0, answer.body.length / 2))),
      ),
  },
  {
    id: 'created-drive-sent-twice',
    requirement: 'bodies.answers-are-json',
    check: 'createDrive.body-is-json',
    fault: 'The body that answers the creation of a drive is sent twice.',
    wire: () =>
      on(
        'createDrive',
        changeAnswer(isSuccess, (answer) => withBody(answer, answer.body + answer.body)),
      ),
  },
  {
    id: 'created-server-behind-a-byte-order-mark',
    requirement: 'bodies.answers-are-json',
    check: 'createMcpServer.body-is-json',
    fault: 'A byte order mark stands before the JSON that answers the creation of an MCP server.',
    wire: () =>
      on(
        'createMcpServer',
        changeAnswer(isSuccess, (answer) => withBody(answer, byteOrderMark + answer.body)),
      ),
  },
  {
    id: 'drives-said-to-be-gzip',
    requirement: 'listDrives.method-and-path',
    check: 'listDrives.is-served',
    fault: 'A page of drives is declared as gzip and is not, so that no client can read the answer.',
    wire: () =>
      on(
        'listDrives',
        changeAnswer(isSuccess, (answer) => withHeader(answer, 'content-encoding', 'gzip')),
      ),
  },
  {
    id: 'drives-before-a-debug-line',
    requirement: 'bodies.answers-are-json',
    check: 'listDrives.body-is-json',
    fault: 'A comment with the time that it took stands behind the JSON of a page of drives.',
    wire: () =>
      on(
        'listDrives',
        changeAnswer(isSuccess, (answer) => withBody(answer, `${answer.body}\n<!-- 12 ms -->`)),
      ),
  },
  {
    id: 'agents-in-latin-1',
    requirement: 'bodies.answers-are-json',
    check: 'listAgents.body-is-json',
    fault: 'The list of agents is sent in Latin-1; with an umlaut in it that is no JSON.',
    wire: () =>
      on('listAgents', async (_request, response, forward) => {
        const { status, headers, body } = await forward();
        const bytes = Buffer.from(body, 'latin1');
        response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
      }),
  },
  {
    id: 'published-agent-as-html',
    requirement: 'bodies.answers-are-declared-json',
    check: 'publishAgentRevision.body-is-declared-json',
    fault: 'The JSON that answers a publication is declared as text/html.',
    wire: () =>
      on(
        'publishAgentRevision',
        changeAnswer(isSuccess, (answer) => withHeader(answer, 'content-type', 'text/html')),
      ),
  },
  {
    id: 'servers-without-media-type',
    requirement: 'bodies.answers-are-declared-json',
    check: 'listMcpServers.body-is-declared-json',
    fault: 'The list of MCP servers comes without Content-Type.',
    wire: () =>
      on(
        'listMcpServers',
        changeAnswer(isSuccess, (answer) => withHeader(answer, 'content-type', undefined)),
      ),
  },
  {
    id: 'deletions-refused-by-a-page',
    requirement: 'bodies.refusals-are-json',
    check: 'deleteDriveTree.refusal-is-json',
    fault: 'Refused tree deletions are answered with an HTML page.',
    wire: () =>
      on(
        'deleteDriveTree',
        changeAnswer(isRefusal, (answer) =>
          withBody(withHeader(answer, 'content-type', 'text/html'), `<html><body>${answer.status}</body></html>`),
        ),
      ),
  },
  {
    id: 'publication-answered-in-two-lines',
    requirement: 'bodies.answers-are-json',
    check: 'publishAgentRevision.body-is-json',
    fault: 'A publication is answered with two lines of JSON: that it began, and what came of it.',
    wire: () =>
      on(
        'publishAgentRevision',
        changeAnswer(isSuccess, (answer) => withBody(answer, `{"state":"publishing"}\n${answer.body}`)),
      ),
  },
];
