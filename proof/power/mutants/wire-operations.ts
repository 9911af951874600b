import type { Mutant } from '../mutant.ts';
import { wireTable } from './table.ts';
import { answerWith, basePath, changeRequest, on, pathOf, write } from './wire-faults.ts';

const json = { 'content-type': 'application/json' };
const transport = { class: 'transport', place: 'wire' } as const;
const html = { 'content-type': 'text/html' };
const gatewayPage = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/** Operations that are not served as stated, or not where. */
export const wireOperations: readonly Mutant[] = [
  ...wireTable('transport', {
    'listAgents.method-and-path > listAgents.is-served: agents-are-redirected': [
      'GET /agents is redirected to itself, with a slash at the end, for ever.',
      () => answerWith(302, { location: `${basePath}/agents/` }),
    ],
    'getDriveFile.method-and-path > getDriveFile.is-served: file-resets-the-connection': [
      'The reading of a file ends in a reset of the connection.',
      () => async (request) => void request.socket.resetAndDestroy(),
    ],
    'createMcpServer.method-and-path > createMcpServer.is-served: server-created-without-an-answer': [
      'An MCP server is created, but the connection is closed without an answer.',
      () => async (request, response, forward) => {
        const answer = await forward();
        if (answer.status < 300) request.socket.destroy();
        else write(response, answer);
      },
    ],
  }),
  ...wireTable('transport', {
    'listMcpServers.method-and-path > listMcpServers.is-served: servers-never-answer': [
      'The list of MCP servers is never answered when the key is valid.',
      () => async (_request, response, forward) => {
        const answer = await forward();
        if (answer.status !== 200) write(response, answer);
      },
    ],
  }).map((silent) => ({ ...silent, timeoutMs: 1_000 })),
  ...wireTable('status', {
    'publishAgentRevision.method-and-path > publishAgentRevision.is-served: publishing-is-put': [
      'Publishing by POST is answered with 405.',
      () => answerWith(405, { ...json, allow: 'PUT' }, '{"message":"Use PUT"}'),
    ],
    'createDrive.method-and-path > createDrive.is-served: drives-cannot-be-created': [
      'POST /drives is answered with 404.',
      () => answerWith(404, json, '{"message":"No such path"}'),
    ],
    'listDrives.method-and-path > listDrives.is-served: drives-cannot-be-listed': [
      'GET /drives is answered with 405; POST is served.',
      () => answerWith(405, { ...json, allow: 'POST' }, '{"message":"Use POST"}'),
    ],
    'updateDriveFile.method-and-path > updateDriveFile.is-served: move-not-implemented': [
      'PATCH of a file is answered with 501.',
      () => answerWith(501, json, '{"message":"Not implemented"}'),
    ],
    'deleteDriveTree.method-and-path > deleteDriveTree.is-served: deletion-is-blocked': [
      'A firewall that knows no DELETE answers tree deletions with 403.',
      () => answerWith(403, json, '{"message":"Blocked"}'),
    ],
    'listMcpServerTools.method-and-path > listMcpServerTools.is-served: tools-fail-with-a-page-for-people': [
      'Where tools would be listed, a page for people comes with status 500.',
      () => async (_request, response, forward) => {
        const answer = await forward();
        if (answer.status === 200) response.writeHead(500, html).end(gatewayPage);
        else write(response, answer);
      },
    ],
  }),
  {
    id: 'servers-listed-without-version',
    ...transport,
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
    ...transport,
    requirement: 'base.ends-with-version',
    check: 'listAgents.base-ends-with-version',
    fault: 'The whole API is served below /api.',
    prefix: '/api',
  },
  {
    id: 'base-with-the-full-version',
    ...transport,
    requirement: 'base.ends-with-version',
    check: 'listAgents.base-ends-with-version',
    fault: 'The whole API is served below /v0.1.0, the version of the description.',
    prefix: '/v0.1.0',
  },
];
