import type { Mock, OperationId, Profile, Seed } from '../../src/index.ts';
import type { Client, Reply, Sent } from './client.ts';
import { tinySeed } from './tiny-seed.ts';

/** One request with what must happen before it, in a separate sandbox. */
export interface Script {
  name: string;
  /** The operation that it is for, if any. */
  operationId?: OperationId;
  before?: readonly Request[];
  request: Request;
}

/** A request to a mock by a client that knows its generated ids and assumes that it uses the profile `assumed`. */
export type Request = (call: Client, mock: Mock, assumed: Profile) => Promise<Reply>;

const early = '2026-01-01T08:00:00Z';
const [alder, ...others] = tinySeed.organizations;

/** The tiny seed, with resources with generated ids in the first organization, and a server without a type. */
export const scriptedSeed: Seed = {
  organizations: [
    {
      ...{ name: '', keys: [], ...alder },
      agents: [...(alder?.agents ?? []), { name: 'Made up', createdAt: early, revisions: [{ createdAt: early }] }],
      drives: [
        ...(alder?.drives ?? []),
        {
          name: 'Made up',
          createdAt: early,
          files: [{ path: '/made/up.txt', modifiedAt: early, sizeBytes: 1, contentType: 'text/plain' }],
        },
      ],
      mcpServers: [
        ...(alder?.mcpServers ?? []),
        { name: 'Made up', url: 'https://mcp.example.com/up', createdAt: early },
      ],
    },
    ...others,
  ],
};

const plain = '/drives/drive-full/files/file-plain';
const publishPath = '/agents/agent-two-revisions/publish';

function ask(method: string, path: string, sent?: Sent): Request {
  return (call) => call(method, path, sent);
}

const tree =
  (
    path: string,
    { drive = 'drive-full', more = '', sent = {} }: { drive?: string; more?: string; sent?: Sent } = {},
  ): Request =>
  (call, _, assumed) =>
    call('DELETE', `/drives/${drive}/items/tree?${assumed.treePathParameter}=${encodeURIComponent(path)}${more}`, sent);

const publish = (revisionId: unknown, sent: Sent = {}) => ask('POST', publishPath, { json: { revisionId }, ...sent });
const move = (path: unknown, sent: Sent = {}) => ask('PATCH', plain, { json: { path }, ...sent });
const drive = (name: unknown, more: object = {}, sent: Sent = {}) =>
  ask('POST', '/drives', { json: { name, ...more }, ...sent });
const server = (url: unknown, name: unknown = 'New') => ask('POST', '/mcp-servers', { json: { name, url } });
const asJson: Sent = { headers: { 'content-type': 'application/json' } };
const asText: Sent = { headers: { 'content-type': 'text/plain' } };
const url = 'https://mcp.example.com/new';

/** The ids that the mock generated for resources without one in the seed. */
function madeUp({ engine }: Mock) {
  const [organization] = engine.store.organizations;
  const isMadeUp = ({ name }: { name: string }) => name === 'Made up';
  const agent = organization?.agents.all().find(isMadeUp);
  const driveId = organization?.drives.all().find(isMadeUp)?.id ?? '';
  const fileId = organization?.filesOf(driveId).first()?.id ?? '';
  return { agentId: agent?.id, revisionId: agent?.revisions[0]?.id, driveId, fileId };
}

const readMadeUp: Request = (call, mock) => {
  const { driveId, fileId } = madeUp(mock);
  return call('GET', `/drives/${driveId}/files/${fileId}`);
};

const moveMadeUp: Request = (call, mock) => {
  const { driveId, fileId } = madeUp(mock);
  return call('PATCH', `/drives/${driveId}/files/${fileId}`, { json: { path: '/made/down.txt' } });
};

const publishMadeUp: Request = (call, mock) => {
  const { agentId, revisionId } = madeUp(mock);
  return call('POST', `/agents/${agentId}/publish`, { json: { revisionId } });
};

const readNewTools: Request = (call, { engine }) => {
  const servers = engine.store.organizations[0]?.mcpServersById.values() ?? [];
  const created = [...servers].find(({ name }) => name === 'New');
  return call('GET', `/mcp-servers/${created?.id}/tools`);
};

type Named = [name: string, request: Request, before?: Request[]];

const byOperation: Record<OperationId, Named[]> = {
  listAgents: [
    ['plain', ask('GET', '/agents')],
    ['with a parameter', ask('GET', '/agents?colour=red')],
    ['without a key', ask('GET', '/agents', { key: null })],
    ['with a scheme in lower case', ask('GET', '/agents', { key: null, headers: { authorization: 'bearer key-a' } })],
    ['with two keys', ask('GET', '/agents', { headers: { authorization: 'Bearer key-b' } })],
    ['with two ways to one key', ask('GET', '/agents', { headers: { authorization: 'Bearer key-a' } })],
    ['with a scheme in upper case', ask('GET', '/agents', { key: null, headers: { authorization: 'BEARER key-a' } })],
    ['with another scheme', ask('GET', '/agents', { key: null, headers: { authorization: 'Basic key-a' } })],
    ['with a key and another scheme', ask('GET', '/agents', { headers: { authorization: 'Basic key-b' } })],
    ['with a key and a scheme in lower case', ask('GET', '/agents', { headers: { authorization: 'bearer key-b' } })],
    ['after a publication', ask('GET', '/agents'), [publish('rev-1')]],
    ['from a page of this machine', ask('GET', '/agents', { headers: { origin: 'http://localhost:5173' } })],
    ['from a page of the web', ask('GET', '/agents', { headers: { origin: 'https://app.example.com' } })],
    ['from a page, without a key', ask('GET', '/agents', { key: null, headers: { origin: 'http://localhost' } })],
  ],
  publishAgentRevision: [
    ['plain', publish('rev-2')],
    ['the older revision', publish('rev-1')],
    ['again', publish('rev-2'), [publish('rev-2')]],
    ['of a made-up agent', publishMadeUp],
    ['without a body', ask('POST', publishPath)],
    ['an unknown revision', publish('rev-9')],
    ['an unknown revision with more fields', publish('x', { json: { revisionId: 'x', more: 1 } })],
    ['an unknown revision with a parameter', ask('POST', `${publishPath}?colour=red`, { json: { revisionId: 'x' } })],
    ['a number', publish(2)],
    ['no object', ask('POST', publishPath, { json: [] })],
    ['an unknown agent', ask('POST', '/agents/none/publish', { json: { revisionId: 'rev-1' } })],
    ['a malformed agent', ask('POST', '/agents/a%20b/publish', { json: { revisionId: 'rev-1' } })],
    ['a foreign agent', ask('POST', '/agents/agent-b/publish', { json: { revisionId: 'rev-b' } })],
    ['without a key', publish('rev-2', { key: null })],
    ['without a key and a body', ask('POST', publishPath, { key: null })],
    ['as text', publish('rev-2', asText)],
    ['no JSON', ask('POST', publishPath, { raw: '{', ...asJson })],
    ['large', publish('x'.repeat(5_000))],
    ['large, and published', publish('rev-2', { raw: `{"revisionId":"rev-2"}${' '.repeat(70_000)}`, ...asJson })],
  ],
  createDrive: [
    ['plain', drive('New')],
    ['with a taken name', drive('Middle')],
    ['with blanks', drive(' New ')],
    ['with a blank name', drive(' ')],
    ['without a name', drive('')],
    ['with a name as long as any may be', drive('x'.repeat(255))],
    ['with a longer name', drive('x'.repeat(256))],
    ['in a body as large as any may be', drive('x'.repeat(4_096 - '{"name":""}'.length))],
    ['in a larger body', drive('x'.repeat(4_097 - '{"name":""}'.length))],
    ['with a larger name', drive('x'.repeat(70_000))],
    ['with a name that is too large', drive('x'.repeat(1_100_000))],
    ['without a field', drive(undefined)],
    ['without a field, again', drive(undefined), [drive(undefined)]],
    ['without a body', ask('POST', '/drives')],
    ['with more fields', drive('New', { colour: 'red' })],
    ['with a parameter', ask('POST', '/drives?colour=red', { json: { name: 'New' } })],
    ['with a number', drive(42)],
    ['with null', drive(null)],
    ['with a boolean', drive(true)],
    ['with null and a parameter', ask('POST', '/drives?=', { json: null })],
    ['with an empty body as text', ask('POST', '/drives', { raw: '', ...asText })],
    ['in UTF-8', drive('New', {}, { headers: { 'content-type': 'application/json; charset=UTF-8' } })],
    ['without a media type', ask('POST', '/drives', { raw: '{"name":"New"}' })],
    ['encoded', drive('New', {}, { headers: { 'content-encoding': 'gzip' } })],
    ['encoded, as text', drive('New', {}, { headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' } })],
    ['as it is', drive('New', {}, { headers: { 'content-encoding': 'identity' } })],
    ['no object', ask('POST', '/drives', { json: 'x' })],
    ['as text', drive('New', {}, asText)],
    ['no JSON, as text', ask('POST', '/drives', { raw: '{', ...asText })],
    ['no JSON', ask('POST', '/drives', { raw: '{', ...asJson })],
    ['without a key', drive('New', {}, { key: null })],
    ['without a key and a name', drive(undefined, {}, { key: null })],
    ['with two keys', drive('New', {}, { headers: { authorization: 'Bearer key-b' } })],
  ],
  listDrives: [
    ['plain', ask('GET', '/drives')],
    ['a page', ask('GET', '/drives?limit=1&offset=1')],
    ['with a limit', ask('GET', '/drives?limit=2')],
    ['with the usual limit and offset', ask('GET', '/drives?limit=20&offset=0')],
    ['at the limit', ask('GET', '/drives?limit=100&offset=1')],
    ['below the limit', ask('GET', '/drives?limit=0')],
    ['no number to skip', ask('GET', '/drives?offset=1.5')],
    ['with an empty limit', ask('GET', '/drives?limit=')],
    ['two numbers to skip', ask('GET', '/drives?offset=0&offset=1')],
    ['two limits, of which one is none', ask('GET', '/drives?limit=1&limit=x')],
    ['two limits, of which one is too large', ask('GET', '/drives?limit=101&limit=1')],
    ['with a parameter without a name', ask('GET', '/drives?limit=1&offset=0&=')],
    ['beyond the limit', ask('GET', '/drives?limit=101')],
    ['before the beginning', ask('GET', '/drives?offset=-1')],
    ['no number', ask('GET', '/drives?limit=x')],
    ['two limits', ask('GET', '/drives?limit=1&limit=2')],
    ['with a parameter', ask('GET', '/drives?colour=red')],
    ['beyond the limit, with a parameter', ask('GET', '/drives?limit=0&colour=red')],
    ['without a key', ask('GET', '/drives', { key: null })],
    ['without a key, beyond the limit', ask('GET', '/drives?limit=0', { key: null })],
    ['after a creation', ask('GET', '/drives'), [drive('New')]],
    ['after a move', ask('GET', '/drives'), [move('/docs/new.txt')]],
  ],
  getDriveFile: [
    ['plain', ask('GET', plain)],
    ['made up', readMadeUp],
    ['in process', ask('GET', '/drives/drive-full/files/file-processing')],
    ['unknown', ask('GET', '/drives/drive-full/files/none')],
    ['in an unknown drive', ask('GET', '/drives/none/files/none')],
    ['malformed', ask('GET', '/drives/drive-full/files/a%20b')],
    ['foreign', ask('GET', '/drives/drive-b/files/file-b')],
    ['with a parameter', ask('GET', `${plain}?colour=red`)],
    ['unknown, with a parameter', ask('GET', '/drives/none/files/none?colour=red')],
    ['with a parameter of its path', ask('GET', `${plain}?driveId=drive-full`)],
    ['without a key', ask('GET', plain, { key: null })],
    ['malformed without a key', ask('GET', '/drives/drive-full/files/a%20b?colour=red', { key: null })],
    ['after a move', ask('GET', plain), [move('/docs/new.txt')]],
    ['after an odd move', ask('GET', plain), [move('/docs//new.txt/')]],
    ['after a deletion', ask('GET', plain), [tree('/docs')]],
    ['after a deletion in capitals', ask('GET', plain), [tree('/DOCS')]],
    ['after a move to decomposed letters', ask('GET', plain), [move('/docs/u\u0308.txt')]],
    ['after a deletion, with a parameter', ask('GET', `${plain}?colour=red`), [tree('/docs')]],
  ],
  updateDriveFile: [
    ['plain', move('/docs/new.txt')],
    ['made up', moveMadeUp],
    ['to a new directory', move('/new/new.txt')],
    ['onto a file', move('/docs/old/notes.txt')],
    ['onto a file, oddly', move('/docs//old/notes.txt')],
    ['onto a file, in capitals', move('/DOCS/OLD/NOTES.TXT')],
    ['to decomposed letters', move('/docs/u\u0308.txt')],
    ['onto a directory', move('/docs')],
    ['below a file', move('/docs/old/notes.txt/below')],
    ['to an odd path', move('/docs/./new.txt/')],
    ['to a path with a line break', move('/docs/a\nb')],
    ['to a path that climbs', move('/docs/../new.txt')],
    ['to a path that climbs oddly', move('/docs//../new.txt')],
    ['nowhere', ask('PATCH', plain, { json: {} })],
    ['without a body', ask('PATCH', plain)],
    ['with more fields', move('x', { json: { path: '/docs/new.txt', more: 1 } })],
    ['to a number', move(42)],
    ['with a parameter', ask('PATCH', `${plain}?colour=red`, { json: { path: '/docs/new.txt' } })],
    ['an unknown file', ask('PATCH', '/drives/drive-full/files/none', { json: { path: '/x' } })],
    ['an unknown file with more fields', ask('PATCH', '/drives/none/files/none', { json: { path: '/x', more: 1 } })],
    ['an unknown file, oddly', ask('PATCH', '/drives/drive-full/files/none', { json: { path: '/a//b' } })],
    ['a malformed file', ask('PATCH', '/drives/drive-full/files/a%20b', { json: { path: '/x' } })],
    ['a foreign file', ask('PATCH', '/drives/drive-b/files/file-b', { json: { path: '/x' } })],
    ['as text', move('/docs/new.txt', asText)],
    ['no JSON', ask('PATCH', plain, { raw: '{', ...asJson })],
    ['too large', move(`/${'x'.repeat(1_100_000)}`)],
    ['large', move(`/docs/${'x'.repeat(70_000)}`)],
    ['to a path as long as any may be', move(`/${'x'.repeat(254)}`)],
    ['to a longer path', move(`/${'x'.repeat(255)}`)],
    ['to an empty path', move('')],
    ['to null', move(null)],
    ['to nothing but a line break', move('\n')],
    ['no object', ask('PATCH', plain, { json: ['/docs/new.txt'] })],
    ['of a malformed drive', ask('PATCH', '/drives/a%20b/files/none', { json: { path: '/x' } })],
    ['without a key', move('/docs/new.txt', { key: null })],
    ['without a key and a path', ask('PATCH', plain, { json: {}, key: null })],
    ['after a deletion', move('/docs/new.txt'), [tree('/docs')]],
    ['after a deletion, with line breaks', move('/docs/a\nb'), [tree('/docs')]],
    ['after a deletion, with more fields', move('', { json: { path: '/docs/new.txt', more: 1 } }), [tree('/docs')]],
    ['after a deletion, with a parameter', ask('PATCH', `${plain}?a=b`, { json: { path: '/x' } }), [tree('/docs')]],
    ['after a deletion, no JSON', move('', { raw: '{', json: undefined, ...asJson }), [tree('/docs')]],
    ['after a deletion, as text', move('/docs/new.txt', asText), [tree('/docs')]],
  ],
  deleteDriveTree: [
    ['plain', tree('/docs')],
    ['with a parameter', tree('/docs', { more: '&colour=red' })],
    ['a directory that is not there', tree('/none')],
    ['a file', tree('/docs/plan.txt')],
    ['the root', tree('/')],
    ['the root, oddly', tree('/./')],
    ['a file, oddly', tree('/docs/plan.txt/')],
    ['a long path', tree(`/${'x'.repeat(255)}`)],
    ['a path as long as any may be', tree(`/${'x'.repeat(254)}`)],
    ['an empty path', tree('')],
    ['a path, with another in its body', tree('/docs', { sent: { json: { path: '/a\nb//' } } })],
    ['two paths', tree('/docs', { more: '&path=/none' })],
    ['an odd path', tree('/docs/./old//')],
    ['a path with a line break', tree('/docs/a\nb')],
    ['a path that climbs', tree('/docs/../x')],
    ['without a path', ask('DELETE', '/drives/drive-full/items/tree')],
    ['by another parameter', ask('DELETE', '/drives/drive-full/items/tree?where=/docs')],
    ['of an unknown drive', tree('/docs', { drive: 'none' })],
    ['of an unknown drive, without a path', ask('DELETE', '/drives/none/items/tree')],
    ['of a malformed drive', tree('/docs', { drive: 'a%20b' })],
    ['of a foreign drive', tree('/', { drive: 'drive-b' })],
    ['without a key', tree('/docs', { sent: { key: null } })],
    ['without a key and a path', ask('DELETE', '/drives/drive-full/items/tree', { key: null })],
    ['with a large body', tree('/docs', { sent: { raw: 'x'.repeat(70_000) } })],
    ['with a body that is too large', tree('/docs', { sent: { raw: 'x'.repeat(1_100_000) } })],
    ['again', tree('/docs'), [tree('/docs')]],
    ['in capitals', tree('/DOCS')],
    ['beside one in capitals', tree('/docs'), [move('/DOCS/new.txt')]],
    [
      'beside one in capitals, to which another file came',
      tree('/docs'),
      [ask('PATCH', '/drives/drive-full/files/file-processing', { json: { path: '/DOCS/new.tif' } })],
    ],
  ],
  createMcpServer: [
    ['plain', server(url)],
    ['with a taken name', server(url, 'Tools')],
    ['with a taken URL', server('https://mcp.example.com/a')],
    [
      'without a URL, twice',
      ask('POST', '/mcp-servers', { json: { name: 'New' } }),
      [ask('POST', '/mcp-servers', { json: {} })],
    ],
    ['with blanks', server(url, ' New ')],
    ['without a name', server(url, '')],
    ['with an odd URL', server('HTTPS://MCP.example.com')],
    ['with a URL without encryption', server('http://mcp.example.com/new')],
    ['with a URL and its usual port', server('https://mcp.example.com:443/new')],
    ['with a URL and a port', server('https://mcp.example.com:8443/new')],
    ['with a URL that climbs', server('https://mcp.example.com/a/../new')],
    ['with a URL without a path', server('https://mcp.example.com')],
    ['with a URL and a port that is too large', server('https://mcp.example.com:99999/new')],
    ['with a URL behind a blank', server(' https://mcp.example.com/new')],
    ['with an empty URL', server('')],
    ['with a boolean', server(true)],
    ['with a list', server([])],
    ['without a name alone', server(url, undefined)],
    ['without a name, twice', server(url, undefined), [server('https://mcp.example.com/other', undefined)]],
    ['without a URL alone', server(undefined)],
    ['with another scheme', server('ftp://mcp.example.com/new')],
    ['with no URL', server('over there')],
    ['with a number', server(42)],
    ['without a field', server(undefined, undefined)],
    ['without a body', ask('POST', '/mcp-servers')],
    ['with more fields', ask('POST', '/mcp-servers', { json: { name: 'New', url, type: 'sse' } })],
    ['with a parameter', ask('POST', '/mcp-servers?colour=red', { json: { name: 'New', url } })],
    ['as text', ask('POST', '/mcp-servers', { json: { name: 'New', url }, ...asText })],
    ['no JSON', ask('POST', '/mcp-servers', { raw: '{', ...asJson })],
    ['with a large URL', server(`${url}/${'x'.repeat(70_000)}`)],
    ['without a key', ask('POST', '/mcp-servers', { json: { name: 'New', url }, key: null })],
    ['without a key and a name', ask('POST', '/mcp-servers', { json: {}, key: null })],
  ],
  listMcpServers: [
    ['plain', ask('GET', '/mcp-servers')],
    ['with a parameter', ask('GET', '/mcp-servers?colour=red')],
    ['without a key', ask('GET', '/mcp-servers', { key: null })],
    ['after a creation', ask('GET', '/mcp-servers'), [server(url)]],
  ],
  listMcpServerTools: [
    ['plain', ask('GET', '/mcp-servers/server-tools/tools')],
    ['of an unknown server', ask('GET', '/mcp-servers/none/tools')],
    ['of a foreign server', ask('GET', '/mcp-servers/server-b/tools')],
    ['with a parameter', ask('GET', '/mcp-servers/server-tools/tools?colour=red')],
    ['of an unknown server, with a parameter', ask('GET', '/mcp-servers/none/tools?colour=red')],
    ['without a key', ask('GET', '/mcp-servers/server-tools/tools', { key: null })],
    ['without a key, with a parameter', ask('GET', '/mcp-servers/server-tools/tools?colour=red', { key: null })],
    ['with two keys', ask('GET', '/mcp-servers/server-tools/tools', { headers: { authorization: 'Bearer key-b' } })],
    ['of a new server', readNewTools, [server(url)]],
  ],
};

const elsewhere: Named[] = [
  ['an unknown path', ask('GET', '/nowhere')],
  ['a wrong method', ask('PUT', '/drives')],
];

function toScript([name, request, before]: Named, operationId?: OperationId): Script {
  return {
    name: operationId === undefined ? name : `${operationId}: ${name}`,
    ...(operationId === undefined ? {} : { operationId }),
    ...(before === undefined ? {} : { before }),
    request,
  };
}

/** Requests for every operation and for none: successes, and each kind of error response. */
export const scripts: readonly Script[] = [
  ...(Object.entries(byOperation) as [OperationId, Named[]][]).flatMap(([operationId, named]) =>
    named.map((one) => toScript(one, operationId)),
  ),
  ...elsewhere.map((one) => toScript(one)),
];
