import type { Organization } from '../../../src/domain/organizations.ts';
import type { Call } from '../../../src/engine/call.ts';
import type { Break, Engine, Mutant } from '../mutant.ts';
import { changeCalls, idIn, onCallersOf, onCallsOf, refusal, withPath } from './patch.ts';
import { changeEnlisted, changeListed, changeNew, inEach, mcpServers, organizationsOf } from './patch-store.ts';
import { table } from './table.ts';

/** Changes the URL of each new MCP server, in its answer and in the list. */
function changeUrls(change: (url: string) => string): Break {
  return changeNew(mcpServers, ({ url }) => ({ url: change(url) }));
}

/** What becomes of the URL and the type of an MCP server. */
const values: readonly Mutant[] = table('state', 'store', {
  'createMcpServer.url-taken-over: the-url-of-a-new-mcp-server-loses-its-path': [
    'A new MCP server has the URL that was sent without its path.',
    changeUrls((sent) => new URL(sent).origin),
  ],
  'createMcpServer.url-taken-over: the-url-of-a-new-mcp-server-changes-its-scheme': [
    'A new MCP server has the URL that was sent with http in the place of https, and the other way round.',
    changeUrls((sent) => (sent.startsWith('https:') ? `http:${sent.slice(6)}` : sent.replace('http:', 'https:'))),
  ],
  'createMcpServer.url-taken-over: the-url-of-a-new-mcp-server-loses-its-last-character': [
    'A new MCP server has the URL that was sent without its last character.',
    changeUrls((sent) => sent.slice(0, -1)),
  ],
  'createMcpServer.url-kept.path: the-url-of-a-new-mcp-server-is-in-lower-case': [
    'The URL of a new MCP server is stored in lower case.',
    changeUrls((sent) => sent.toLowerCase()),
  ],
  'createMcpServer.url-kept.query: the-url-of-a-new-mcp-server-loses-its-query': [
    'A new MCP server has the URL that was sent without its query.',
    changeUrls((sent) => sent.replace(/\?.*/, '')),
  ],
  'createMcpServer.url-kept.port: the-url-of-a-new-mcp-server-loses-its-port': [
    'A new MCP server has the URL that was sent without its port.',
    changeUrls((sent) => sent.replace(/:\d+/, '')),
  ],
  'createMcpServer.url-kept.plain: the-url-of-a-new-mcp-server-becomes-secure': [
    'A new MCP server has https: where http: was sent.',
    changeUrls((sent) => sent.replace(/^http:/, 'https:')),
  ],
  'createMcpServer.url-kept.no-path: the-url-of-a-new-mcp-server-gets-a-path': [
    'A new MCP server whose URL has no path gets the usual one.',
    changeUrls((sent) => (new URL(sent).pathname === '/' ? new URL('/mcp', sent).href : sent)),
  ],
  'createMcpServer.url-kept.address: mcp-servers-without-a-host-name-are-not-listed': [
    'GET /mcp-servers does not list an MCP server whose URL has an IPv4 address.',
    changeListed(mcpServers, (all) => all.filter(({ url }) => !/^https?:\/\/[\d.]+[:/]/.test(url))),
  ],
  'createMcpServer.url-kept.sse: the-url-of-a-new-mcp-server-loses-its-kind': [
    'The URL of a new MCP server loses a last segment that names a connection type.',
    changeUrls((sent) => sent.replace(/\/sse$/, '')),
  ],
  'createMcpServer.url-kept.long: the-url-of-a-new-mcp-server-is-cut-short': [
    'The URL of a new MCP server is cut after 100 characters.',
    changeUrls((sent) => sent.slice(0, 100)),
  ],
  'listMcpServers.created-server-is-the-same: a-new-mcp-server-is-listed-with-another-type': [
    'A new MCP server is answered with one connection type and listed with the other.',
    changeEnlisted(mcpServers, ({ type }) => ({ type: type === 'sse' ? 'streamableHttp' : 'sse' })),
  ],
  'listMcpServers.created-server-is-the-same: a-new-mcp-server-is-listed-with-another-url': [
    'A new MCP server is listed with a slash behind its URL; its answer shows the URL as it was sent.',
    changeEnlisted(mcpServers, ({ url }) => ({ url: `${url}/` })),
  ],
});

const otherCodes = [
  ['malformedRequest', 400],
  ['forbidden', 403],
  ['unexpected', 500],
] as const;

/** What answers a request for the tools of an MCP server that is not there. */
const unknownServers: readonly Mutant[] = [
  ...table('state', 'engine', {
    'listMcpServerTools.unknown-server: an-unknown-mcp-server-has-no-tools': [
      'The tools of an MCP server that is not there are an empty list, with status 200.',
      onCallersOf('listMcpServerTools', (call, sound, _, engine) => {
        if (isAnywhere(engine, idIn(call, 'mcpServerId'))) return sound.answer(call);
        return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"tools":[]}' };
      }),
    ],
  }),
  ...table('state', 'store', {
    'listMcpServerTools.unknown-server-is-404 > listMcpServerTools.strange-id: an-mcp-server-id-is-a-pattern': [
      'The id of an MCP server is a pattern, in which a percent sign stands for anything.',
      changeCalls('listMcpServerTools', (call, { mcpServersById }) => {
        const [first = ''] = mcpServersById.keys();
        return idIn(call, 'mcpServerId') === '%' ? withPath(call, { mcpServerId: first }) : call;
      }),
    ],
    'listMcpServerTools.unknown-server-is-404 > listMcpServerTools.strange-id: an-mcp-server-is-found-by-a-cut-id': [
      'An MCP server is found by the first characters of its id.',
      changeCalls('listMcpServerTools', (call, caller) => findBy(call, caller, (id, sent) => id.startsWith(sent))),
    ],
    'listMcpServerTools.unknown-server-is-404 > listMcpServerTools.strange-id: an-mcp-server-is-found-by-an-id-with-a-tail':
      [
        'An MCP server is found by its id with more characters behind it.',
        changeCalls('listMcpServerTools', (call, caller) => findBy(call, caller, (id, sent) => sent.startsWith(id))),
      ],
    'listMcpServerTools.unknown-server.after-creation: an-unknown-mcp-server-is-the-newest': [
      'After a registration an MCP server that is not there has the tools of the new one.',
      inEach(({ mcpServersById }, engine) => {
        const seeded = mcpServersById.size;
        const get = mcpServersById.get.bind(mcpServersById);
        const newest = () => (mcpServersById.size > seeded ? [...mcpServersById.values()].at(-1) : undefined);
        mcpServersById.get = (id) => get(id) ?? (isAnywhere(engine, id) ? undefined : newest());
      }),
    ],
    'listMcpServerTools.registered-server-is-found > listMcpServerTools.found-for-other-organization: mcp-servers-are-found-in-the-first-organization-only':
      [
        'The tools of an MCP server are looked up in the first organization only.',
        (engine) => {
          for (const { mcpServersById } of organizationsOf(engine).slice(1)) mcpServersById.get = () => undefined;
        },
      ],
    'auth.tools-refusal-is-401 > listMcpServerTools.key-comes-first: an-unknown-mcp-server-is-404-without-a-key': [
      'Whether an MCP server exists is looked up before the key: without one, an unknown server is 404.',
      onCallsOf('listMcpServerTools', (call, sound, engine) =>
        isAnywhere(engine, idIn(call, 'mcpServerId')) ? sound.answer(call) : refusal(engine, 'unknownPath'),
      ),
    ],
    'listMcpServerTools.malformed-id: an-mcp-server-with-a-malformed-id-is-400': [
      'An id with other characters than those of ids is answered with 400 by the tools endpoint.',
      onCallersOf('listMcpServerTools', (call, sound, _, engine) =>
        /^[\w-]+$/.test(idIn(call, 'mcpServerId')) ? sound.answer(call) : refusal(engine, 'malformedRequest'),
      ),
    ],
    'listMcpServerTools.unknown-server: an-unknown-mcp-server-has-the-tools-of-the-first': [
      'The tools of an MCP server that is not there are those of the first one that is.',
      inEach(({ mcpServersById }, engine) => {
        const get = mcpServersById.get.bind(mcpServersById);
        mcpServersById.get = (id) => get(id) ?? (isAnywhere(engine, id) ? undefined : [...mcpServersById.values()][0]);
      }),
    ],
  }),
  ...otherCodes.map(
    ([kind, status]): Mutant => ({
      ...{ id: `an-unknown-mcp-server-is-${status}`, class: 'status', place: 'engine' },
      requirement: 'listMcpServerTools.unknown-server-is-404',
      check: 'listMcpServerTools.unknown-server',
      fault: `A request for the tools of an MCP server that is not there is answered with ${status}.`,
      break: onCallersOf('listMcpServerTools', (call, sound, _, engine) =>
        isAnywhere(engine, idIn(call, 'mcpServerId')) ? sound.answer(call) : refusal(engine, kind),
      ),
    }),
  ),
];

/** The call with the id of an MCP server of the caller that the id in its path is taken for. */
function findBy(call: Call, { mcpServersById }: Organization, isTakenFor: (id: string, sent: string) => boolean): Call {
  const found = [...mcpServersById.keys()].find((id) => isTakenFor(id, idIn(call, 'mcpServerId')));
  return found === undefined ? call : withPath(call, { mcpServerId: found });
}

function isAnywhere(engine: Engine, id: string): boolean {
  return organizationsOf(engine).some(({ mcpServersById }) => mcpServersById.has(id));
}

export const stateOfMcpServers: readonly Mutant[] = [...values, ...unknownServers];
