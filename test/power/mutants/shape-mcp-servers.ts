import { type AnswerFault, inAnswers, inBody, inLast, inList, without, withStatus } from './rewrite.ts';

/** MCP servers and their tools that look wrong. */
export const mcpServerFaults: readonly AnswerFault[] = [
  {
    id: 'created-server-as-its-id',
    requirement: 'createMcpServer.answer-is-mcp-server',
    check: 'createMcpServer.answer-is-object',
    fault: 'The creation of an MCP server is answered with the id alone.',
    break: inBody('createMcpServer', (server) => server.id),
  },
  {
    id: 'created-server-url-in-parts',
    requirement: 'mcpServer.strings',
    check: 'createMcpServer.field-types',
    fault: 'The URL of a new MCP server is answered as an object with href and host.',
    break: inBody('createMcpServer', (server) => {
      const { href, host } = new URL(String(server.url));
      return { ...server, url: { href, host } };
    }),
  },
  {
    id: 'created-server-without-type',
    requirement: 'mcpServer.fields-are-present',
    check: 'createMcpServer.fields-present',
    fault: 'The answer to the creation of an MCP server does not show its type.',
    break: inBody('createMcpServer', (server) => without(server, 'type')),
  },
  {
    id: 'server-of-another-type',
    requirement: 'mcpServer.type-values',
    check: 'listMcpServers.type-values',
    fault: 'The type of the last MCP server of the list is streamable-http.',
    break: inLast('listMcpServers', (server) => ({ ...server, type: 'streamable-http' })),
  },
  {
    id: 'server-updated-before-it-was-created',
    requirement: 'timestamps.created-before-updated',
    check: 'listMcpServers.created-not-after-updated',
    fault: 'updatedAt of the last MCP server lies an hour before createdAt.',
    break: inLast('listMcpServers', (server) => ({
      ...server,
      updatedAt: new Date(Date.parse(String(server.createdAt)) - 3_600_000).toISOString(),
    })),
  },
  {
    id: 'servers-answered-with-206',
    class: 'status',
    requirement: 'listMcpServers.status-is-200',
    check: 'listMcpServers.status-is-200',
    fault: 'The list of MCP servers is answered with 206.',
    break: withStatus('listMcpServers', 206),
  },
  {
    id: 'last-server-as-its-id',
    requirement: 'listMcpServers.answer-is-array',
    check: 'listMcpServers.answer-is-array',
    fault: 'The last MCP server of the list is its id, not an object.',
    break: inLast('listMcpServers', (server) => server.id),
  },
  {
    id: 'tools-answered-with-202',
    class: 'status',
    requirement: 'listMcpServerTools.status-is-200',
    check: 'listMcpServerTools.status-is-200',
    fault: 'The list of tools is answered with 202.',
    break: withStatus('listMcpServerTools', 202),
  },
  {
    id: 'tools-in-a-bare-array',
    requirement: 'listMcpServerTools.tools-is-present',
    check: 'listMcpServerTools.tools-present',
    fault: 'The list of tools is an array, not an object with tools.',
    break: inBody('listMcpServerTools', ({ tools }) => tools),
  },
  {
    id: 'tools-by-name',
    requirement: 'listMcpServerTools.tools-is-array',
    check: 'listMcpServerTools.tools-is-array',
    fault: 'tools is an object with the tools by name.',
    break: inList('listMcpServerTools', (tools) => Object.fromEntries(tools.map((tool) => [tool.name, tool]))),
  },
  {
    id: 'tool-described-in-paragraphs',
    requirement: 'mcpTool.strings',
    check: 'listMcpServerTools.field-types',
    fault: 'The description of the last tool is an array of paragraphs.',
    break: inLast('listMcpServerTools', (tool) => ({ ...tool, description: [tool.description] })),
  },
  {
    id: 'tool-without-description',
    requirement: 'mcpTool.fields-are-present',
    check: 'listMcpServerTools.fields-present',
    fault: 'The last tool has no description.',
    break: inLast('listMcpServerTools', (tool) => without(tool, 'description')),
  },
  {
    id: 'unknown-server-without-tools',
    class: 'status',
    requirement: 'listMcpServerTools.unknown-server-is-404',
    check: 'listMcpServerTools.unknown-server',
    fault: 'For an MCP server that does not exist an empty list of tools is answered.',
    break: inAnswers('listMcpServerTools', (answer) =>
      answer.status === 404
        ? { status: 200, headers: { 'content-type': 'application/json' }, body: '{"tools":[]}' }
        : answer,
    ),
  },
];
