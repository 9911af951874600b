import { type AnswerFault, inBody, inLast, inList, without, withStatus } from './rewrite.ts';

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
    id: 'created-server-without-type',
    requirement: 'mcpServer.fields-are-present',
    check: 'createMcpServer.fields-present',
    fault: 'The answer to the creation of an MCP server does not show its type.',
    break: inBody('createMcpServer', (server) => without(server, 'type')),
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
    id: 'tool-without-description',
    requirement: 'mcpTool.fields-are-present',
    check: 'listMcpServerTools.fields-present',
    fault: 'The last tool has no description.',
    break: inLast('listMcpServerTools', (tool) => without(tool, 'description')),
  },
];
