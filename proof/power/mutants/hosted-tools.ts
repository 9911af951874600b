import { askForTools, type Registered, type Tool, type ToolsOf } from '../asking-front.ts';
import type { Mutant } from '../mutant.ts';

const offered = {
  class: 'state',
  place: 'engine',
  requirement: 'listMcpServerTools.shows-what-the-server-offers',
} as const;
const streamable = { ...offered, check: 'listMcpServerTools.hosted-tools.streamable-http' } as const;
const sse = { ...offered, check: 'listMcpServerTools.hosted-tools.sse' } as const;
const bySse = { mcpDefaultType: 'sse' } as const;

// As the suite hosts them. Nothing but a server on this machine is ever asked.
function isHosted({ url }: Registered): boolean {
  return URL.canParse(url) && new URL(url).hostname === '127.0.0.1';
}

/** The tools of a server from itself; none where it is not on this machine. */
export const askHosted: ToolsOf = async (server) => (isHosted(server) ? askForTools(server) : []);

/** Asks a server, and changes what came. */
function changeTools(change: (tools: Tool[]) => Tool[]): () => ToolsOf {
  return () => async (server) => change([...(await askHosted(server))]);
}

// The server at another path of the same host.
function besides(server: Registered, segment: string): Registered {
  return { ...server, url: new URL(segment, server.url).href };
}

/** Mutants that ask MCP servers for their tools, and list something else. */
export const hostedTools: readonly Mutant[] = [
  {
    id: 'the-last-tool-of-an-asked-server-is-dropped',
    ...streamable,
    fault: 'Of the tools that an MCP server offers the last one is not listed.',
    tools: changeTools((tools) => tools.slice(0, -1)),
  },
  {
    id: 'tools-of-asked-servers-are-named-in-lower-case',
    ...streamable,
    fault: 'The names of the tools that an MCP server offers are listed in lower case.',
    tools: changeTools((tools) => tools.map((tool) => ({ ...tool, name: tool.name.toLowerCase() }))),
  },
  {
    id: 'the-first-list-of-tools-is-kept-for-ever',
    ...streamable,
    place: 'store',
    fault: 'An MCP server is asked when its tools are first listed; that list is empty, and is kept for ever.',
    tools: () => {
      const kept = new Map<string, Tool[]>();
      return async (server) => {
        const known = kept.get(server.id) ?? [];
        if (!kept.has(server.id)) await askHosted(server);
        kept.set(server.id, known);
        return known;
      };
    },
  },
  {
    id: 'descriptions-of-tools-are-put-on-one-line',
    ...sse,
    fault: 'A line break in the description of a tool that an MCP server offers becomes a blank.',
    profile: bySse,
    tools: changeTools((tools) =>
      tools.map(({ name, description }) => ({ name, description: description?.replaceAll('\n', ' ') })),
    ),
  },
  {
    id: 'a-server-shows-the-tools-of-another',
    ...sse,
    fault: 'An MCP server at /sse is greeted there, and listed with the tools of the other server at /mcp beside it.',
    tools: () => async (server) => {
      const own = await askHosted(server);
      return isHosted(server) && server.url.endsWith('/sse') ? askHosted(besides(server, 'mcp')) : own;
    },
  },
  {
    id: 'the-first-tool-over-sse-is-listed-twice',
    ...sse,
    fault: 'The first tool of an MCP server that is asked over SSE is listed once more at the end.',
    profile: bySse,
    tools: changeTools((tools) => [...tools, ...tools.slice(0, 1)]),
  },
];
