import { answerWith, basePath, changeRequest, on, pathOf, type WireMutant, write } from './wire-faults.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const gatewayPage = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/** Operations that are not served as stated, or not where. */
export const wireOperations: readonly WireMutant[] = [
  {
    id: 'agents-are-redirected',
    requirement: 'listAgents.method-and-path',
    check: 'listAgents.is-served',
    fault: 'GET /agents is redirected to itself, with a slash at the end, for ever.',
    wire: () => on('listAgents', answerWith(302, { location: `${basePath}/agents/` })),
  },
  {
    id: 'publishing-is-put',
    class: 'status',
    requirement: 'publishAgentRevision.method-and-path',
    check: 'publishAgentRevision.is-served',
    fault: 'Publishing by POST is answered with 405.',
    wire: () => on('publishAgentRevision', answerWith(405, { ...json, allow: 'PUT' }, '{"message":"Use PUT"}')),
  },
  {
    id: 'drives-cannot-be-created',
    class: 'status',
    requirement: 'createDrive.method-and-path',
    check: 'createDrive.is-served',
    fault: 'POST /drives is answered with 404.',
    wire: () => on('createDrive', answerWith(404, json, '{"message":"No such path"}')),
  },
  {
    id: 'drives-cannot-be-listed',
    class: 'status',
    requirement: 'listDrives.method-and-path',
    check: 'listDrives.is-served',
    fault: 'GET /drives is answered with 405; POST is served.',
    wire: () => on('listDrives', answerWith(405, { ...json, allow: 'POST' }, '{"message":"Use POST"}')),
  },
  {
    id: 'file-resets-the-connection',
    requirement: 'getDriveFile.method-and-path',
    check: 'getDriveFile.is-served',
    fault: 'The reading of a file ends in a reset of the connection.',
    wire: () => on('getDriveFile', async (request) => void request.socket.resetAndDestroy()),
  },
  {
    id: 'move-not-implemented',
    class: 'status',
    requirement: 'updateDriveFile.method-and-path',
    check: 'updateDriveFile.is-served',
    fault: 'PATCH of a file is answered with 501.',
    wire: () => on('updateDriveFile', answerWith(501, json, '{"message":"Not implemented"}')),
  },
  {
    id: 'deletion-is-blocked',
    class: 'status',
    requirement: 'deleteDriveTree.method-and-path',
    check: 'deleteDriveTree.is-served',
    fault: 'A firewall that knows no DELETE answers tree deletions with 403.',
    wire: () => on('deleteDriveTree', answerWith(403, json, '{"message":"Blocked"}')),
  },
  {
    id: 'server-created-without-an-answer',
    requirement: 'createMcpServer.method-and-path',
    check: 'createMcpServer.is-served',
    fault: 'An MCP server is created, but the connection is closed without an answer.',
    wire: () =>
      on('createMcpServer', async (request, response, forward) => {
        const answer = await forward();
        if (answer.status < 300) request.socket.destroy();
        else write(response, answer);
      }),
  },
  {
    id: 'servers-never-answer',
    requirement: 'listMcpServers.method-and-path',
    check: 'listMcpServers.is-served',
    fault: 'The list of MCP servers is never answered when the key is valid.',
    wire: () =>
      on('listMcpServers', async (_request, response, forward) => {
        const answer = await forward();
        if (answer.status !== 200) write(response, answer);
      }),
  },
  {
    id: 'tools-fail-with-a-page-for-people',
    class: 'status',
    requirement: 'listMcpServerTools.method-and-path',
    check: 'listMcpServerTools.is-served',
    fault: 'Where tools would be listed, a page for people comes with status 500.',
    wire: () =>
      on('listMcpServerTools', async (_request, response, forward) => {
        const answer = await forward();
        if (answer.status === 200) response.writeHead(500, html).end(gatewayPage);
        else write(response, answer);
      }),
  },
  {
    id: 'servers-listed-without-version',
    requirement: 'base.paths-are-below-it',
    check: 'listMcpServers.is-served',
    fault: 'MCP servers are listed at /mcp-servers without the version segment, and not below the base address.',
    wire: () => (request, response, forward) => {
      const isOutside = request.method === 'GET' && pathOf(request.url ?? '') === '/mcp-servers';
      const toInside = changeRequest((url) => ({ path: basePath + url }));
      const fault = isOutside ? toInside : on('listMcpServers', answerWith(404, json, '{"message":"No such path"}'));
      return fault(request, response, forward);
    },
  },
  {
    id: 'base-without-version',
    requirement: 'base.ends-with-version',
    check: 'listAgents.base-ends-with-version',
    fault: 'The whole API is served below /api.',
    prefix: '/api',
  },
  {
    id: 'base-with-the-full-version',
    requirement: 'base.ends-with-version',
    check: 'listAgents.base-ends-with-version',
    fault: 'The whole API is served below /v0.1.0, the version of the description.',
    prefix: '/v0.1.0',
  },
];
