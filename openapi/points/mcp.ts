import { say } from '../../lib/sentence.ts';
import type { SchemaObject } from '../contract/document.ts';
import type { Profile } from '../contract/profile.ts';
import type { Seen } from '../reading/learned.ts';
import { jsonOf, member, type ReadExchange } from '../reading/messages.ts';
import { isSuccess } from '../reading/statuses.ts';
import { isLegalChoice } from './open-point.ts';
import { success } from './relevance.ts';
import type { Rooms } from './room.ts';

/** MCP servers and their tools. */
export const mcpPoints = {
  mcpDefaultType: {
    sources: ['2.mcpServer/row:type'],
    operations: 'McpServer',
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: 'The connection type of a new MCP server. The request has no field for it.',
    choices: [
      { value: 'streamableHttp', means: 'streamable HTTP' },
      { value: 'sse', means: 'server-sent events' },
    ],
    default: 'streamableHttp',
    isStored: true,
    cost: 'A client shows a connection type that the user did not choose and cannot change.',
    question: 'How does the service choose between sse and streamableHttp?',
    see: seeDefaultType,
  },
  mcpUrlRules: {
    sources: ['2.mcpServer/row:url', '7/gap:2'],
    operations: 'createMcpServer',
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: 'Which URLs are accepted, and whether they are stored unchanged.',
    choices: [
      { value: 'httpUrl', means: 'http and https URLs, unchanged' },
      { value: 'canonicalHttpUrl', means: 'http and https URLs in canonical form, with a lower-case host and a path' },
      { value: 'anyString', means: 'any string' },
    ],
    default: 'httpUrl',
    isStored: true,
    cost: 'A form accepts a URL that the service rejects, or a client cannot find the URL that it sent in the list.',
    question: 'Which URLs may an MCP server have?',
    inContract: {
      schema: (schema, { mcpUrlRules }) => mcpUrlRules !== 'anyString' && void Object.assign(schema, httpUrl),
    },
    decides: { stage: 'input', appliesTo: ({ fields, profile }) => isOddUrl(fields?.url, profile) },
  },
  toolsOfNewServer: {
    sources: ['4.10/sentence:3'],
    operations: 'listMcpServerTools',
    impact: 'visible',
    seen: 'state',
    severity: 2,
    open: 'The tools of a newly registered MCP server. The service has to ask that server for them: at registration, some time later, or for each request.',
    choices: [
      { value: 'none', means: 'no tools' },
      { value: 'plausible', means: 'tools, as if the service had asked immediately; the mock makes some up' },
      {
        value: 'live',
        means: 'the tools that the MCP server itself lists, also for servers of the example data',
        needs: 'liveMcp',
      },
    ],
    default: 'none',
    isStored: true,
    cost: 'A client shows an empty list for a server that has tools, and nobody knows when to look again.',
    question: 'Are the tools of a newly registered MCP server listed immediately?',
    decides: { outcomes: () => [success, 'mcpServerUnreachable'] },
  },
  unreachableTools: {
    sources: ['4.10/sentence:3', '7/gap:2'],
    operations: 'listMcpServerTools',
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    needs: 'liveMcp',
    open: 'The response if an MCP server does not respond or returns no usable list of tools. The two error responses stated for this endpoint, 401 and 404, do not apply: the key is valid, and a registered server is found (4.8).',
    choices: [
      { value: 502, means: 'Bad Gateway' },
      { value: 503, means: 'Service Unavailable' },
      { value: 504, means: 'Gateway Timeout' },
      { value: 500, means: 'Internal Server Error' },
      { value: 424, means: 'Failed Dependency: the MCP server is at fault' },
      { value: 'none', means: 'it succeeds with an empty list' },
    ],
    range: { type: 'integer', minimum: 500, maximum: 599, likely: [] },
    default: 502,
    cost: 'A client cannot tell a server without tools from one that is down.',
    question: 'What is the response if an MCP server is down, too slow, or does not speak MCP?',
    refuses: ({ toolsOfNewServer, unreachableTools }) =>
      toolsOfNewServer === 'live' && unreachableTools !== 'none' ? ['mcpServerUnreachable'] : [],
    decides: {
      outcomes: ({ toolsOfNewServer, unreachableTools }) =>
        toolsOfNewServer === 'live' ? [unreachableTools === 'none' ? success : 'mcpServerUnreachable'] : [],
    },
  },
  toolWithoutDescription: {
    sources: ['2.mcpTool/row:description'],
    operations: 'listMcpServerTools',
    impact: 'visible',
    seen: 'wire',
    severity: 1,
    needs: 'liveMcp',
    open: 'The handling of a tool without a description. MCP allows it, but the table requires a description.',
    choices: [
      { value: 'empty', means: 'its description is an empty string' },
      { value: 'name', means: 'its description is its name' },
      { value: 'leftOut', means: 'it is not listed' },
    ],
    default: 'empty',
    isStored: true,
    cost: 'A client shows an empty line, or misses a tool.',
    question: 'How is a tool without a description listed?',
    decides: { outcomes: ({ toolsOfNewServer }) => (toolsOfNewServer === 'live' ? [success] : []) },
  },
} satisfies Rooms;

// Numbers and booleans are not URLs.
const httpUrl = {
  type: 'string',
  format: 'uri',
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/]',
  'x-violation': 'must be an http or https URL',
} as const satisfies SchemaObject;

// The type is the server's choice unless the request names one.
function seeDefaultType({ operation, request, answer }: ReadExchange): Seen | undefined {
  const isCreation = operation.isCreation && operation.resource === 'McpServer';
  const type = member(jsonOf(answer), 'type');
  if (!isCreation || !isSuccess(answer) || typeof type !== 'string') return undefined;
  if (member(jsonOf(request), 'type') !== undefined) return undefined;
  return isLegalChoice(mcpPoints.mcpDefaultType, type) ? type : { other: say`${type}` };
}

function isOddUrl(url: unknown, { wrongBodyTypes }: Profile): boolean {
  if (typeof url === 'string') return !isPlainUrl(url);
  // A number taken as text is not a URL under these rules.
  return wrongBodyTypes === 'coerced' && url !== undefined;
}

function isPlainUrl(url: string): boolean {
  const isPlain = /^https?:\/\/[\w.-]+(:\d+)?\/[\w./~-]*$/.test(url);
  return isPlain && URL.canParse(url) && new URL(url).href === url;
}
