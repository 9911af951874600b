import type { McpServerType } from '../../../src/domain/resources.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { idIn, onCallersOf, refusal } from './patch.ts';
import { changeEnlisted, changeNew, mcpServersOf, organizationsOf } from './patch-store.ts';

const url = {
  class: 'state',
  place: 'store',
  requirement: 'createMcpServer.server-has-the-url',
  check: 'createMcpServer.url-taken-over',
} as const;
const same = {
  class: 'state',
  place: 'store',
  requirement: 'creations.are-listed-unchanged',
  check: 'listMcpServers.created-server-is-the-same',
} as const;

/** Changes the URL of each new MCP server, in its answer and in the list. */
function changeUrls(engine: Engine, change: (url: string) => string): void {
  for (const organization of organizationsOf(engine)) {
    changeNew(mcpServersOf(organization), (server) => ({ url: change(server.url) }));
  }
}

function otherType(type: McpServerType): McpServerType {
  return type === 'sse' ? 'streamableHttp' : 'sse';
}

/** What becomes of the URL and the type of an MCP server. */
const values: readonly Mutant[] = [
  {
    id: 'the-url-of-a-new-mcp-server-loses-its-path',
    ...url,
    fault: 'A new MCP server has the URL that was sent without its path.',
    break: (engine) => changeUrls(engine, (sent) => new URL(sent).origin),
  },
  {
    id: 'the-url-of-a-new-mcp-server-changes-its-scheme',
    ...url,
    fault: 'A new MCP server has the URL that was sent with http in the place of https, and the other way round.',
    break: (engine) =>
      changeUrls(engine, (sent) =>
        sent.startsWith('https:') ? `http:${sent.slice(6)}` : sent.replace('http:', 'https:'),
      ),
  },
  {
    id: 'the-url-of-a-new-mcp-server-loses-its-last-character',
    ...url,
    fault: 'A new MCP server has the URL that was sent without its last character.',
    break: (engine) => changeUrls(engine, (sent) => sent.slice(0, -1)),
  },
  {
    id: 'a-new-mcp-server-is-listed-with-another-type',
    ...same,
    fault: 'A new MCP server is answered with one connection type and listed with the other.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeEnlisted(mcpServersOf(organization), ({ type }) => ({ type: otherType(type) }));
      }
    },
  },
  {
    id: 'a-new-mcp-server-is-listed-with-another-url',
    ...same,
    fault: 'A new MCP server is listed with a slash behind its URL; its answer shows the URL as it was sent.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeEnlisted(mcpServersOf(organization), (server) => ({ url: `${server.url}/` }));
      }
    },
  },
];

const unknown = {
  class: 'status',
  place: 'engine',
  requirement: 'listMcpServerTools.unknown-server-is-404',
  check: 'listMcpServerTools.unknown-server',
} as const;

/** What answers a request for the tools of an MCP server that is not there. */
const unknownServers: readonly Mutant[] = [
  {
    id: 'an-unknown-mcp-server-has-no-tools',
    ...unknown,
    class: 'state',
    fault: 'The tools of an MCP server that is not there are an empty list, with status 200.',
    break: (engine) =>
      onCallersOf(engine, 'listMcpServerTools', (call, sound) => {
        if (isAnywhere(engine, idIn(call, 'mcpServerId'))) return sound.answer(call);
        return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"tools":[]}' };
      }),
  },
  {
    id: 'an-unknown-mcp-server-has-the-tools-of-the-first',
    ...unknown,
    class: 'state',
    place: 'store',
    fault: 'The tools of an MCP server that is not there are those of the first one that is.',
    break: (engine) => {
      for (const { mcpServersById } of organizationsOf(engine)) {
        const get = mcpServersById.get.bind(mcpServersById);
        mcpServersById.get = (id) => get(id) ?? (isAnywhere(engine, id) ? undefined : [...mcpServersById.values()][0]);
      }
    },
  },
  ...(
    [
      { kind: 'malformedRequest', status: 400 },
      { kind: 'forbidden', status: 403 },
      { kind: 'unexpected', status: 500 },
    ] as const
  ).map(
    ({ kind, status }): Mutant => ({
      id: `an-unknown-mcp-server-is-${status}`,
      ...unknown,
      fault: `A request for the tools of an MCP server that is not there is answered with ${status}.`,
      break: (engine) =>
        onCallersOf(engine, 'listMcpServerTools', (call, sound) => {
          const isKnown = isAnywhere(engine, idIn(call, 'mcpServerId'));
          return isKnown ? sound.answer(call) : refusal(engine, kind);
        }),
    }),
  ),
];

function isAnywhere(engine: Engine, id: string): boolean {
  return organizationsOf(engine).some(({ mcpServersById }) => mcpServersById.has(id));
}

export const stateOfMcpServers: readonly Mutant[] = [...values, ...unknownServers];
