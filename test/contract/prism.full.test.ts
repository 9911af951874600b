import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contractFor } from '../../openapi/contract/contract-for.ts';
import { type ContractDocument, dereference, type ResponseObject } from '../../openapi/contract/document.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { defaultProfile } from '../../openapi/contract/profile.ts';
import { profileDocument } from '../../openapi/contract/profile-document.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { createMock, type Mock, type MockOptions, type Profile } from '../../src/index.ts';
import { type Client, createClient } from '../support/client.ts';
import { randomSeed } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { tinySeed } from '../support/tiny-seed.ts';

const entry = fileURLToPath(new URL('../../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));

/** Starts the command of Prism, an independent tool that reads the contract: for instance `mock` with a document. */
async function startPrism(command: 'mock' | 'proxy', ...args: readonly string[]) {
  const port = await freePort();
  const prism = spawn(process.execPath, [entry, command, '-p', String(port), ...args], { stdio: 'pipe' });
  const closed = once(prism, 'close');
  for await (const line of createInterface({ input: prism.stdout })) {
    if (line.includes('is listening')) break;
  }
  prism.stdout.resume();
  prism.stderr.resume();
  const close = async () => {
    prism.kill();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

type Prism = Awaited<ReturnType<typeof startPrism>>;

const folder = createFolder('prism');
const file = '/drives/drive-full/files/file-plain';

type Call = Parameters<Client>;

/** A valid request of each operation, for the tiny seed. */
const requests: Record<OperationId, Call> = {
  listAgents: ['GET', '/agents'],
  publishAgentRevision: ['POST', '/agents/agent-two-revisions/publish', { json: { revisionId: 'rev-2' } }],
  createDrive: ['POST', '/drives', { json: { name: 'New' } }],
  listDrives: ['GET', '/drives?limit=2&offset=0'],
  getDriveFile: ['GET', file],
  updateDriveFile: ['PATCH', file, { json: { path: '/a..b' } }],
  deleteDriveTree: ['DELETE', '/drives/drive-full/items/tree?path=/inbox'],
  createMcpServer: ['POST', '/mcp-servers', { json: { name: 'New', url: 'https://mcp.example.com/new' } }],
  listMcpServers: ['GET', '/mcp-servers'],
  listMcpServerTools: ['GET', '/mcp-servers/server-tools/tools'],
};

const documents: { name: string; document: ContractDocument }[] = [
  { name: 'openapi.yaml', document: loadDocument() },
  { name: 'openapi.default.yaml', document: contractFor(defaultProfile(loadOpenPoints())) },
];

/** The success of an operation with a body: its schema, and the names of its examples. */
function successOf(document: ContractDocument, operationId: string) {
  const operation = operationsOf(document).find((one) => one.operationId === operationId);
  const responses = Object.entries(operation?.definition.responses ?? {});
  const [, response] = responses.findLast(([code]) => code.startsWith('2')) ?? [];
  const media = dereference(document, response as ResponseObject).content?.['application/json'];
  return { schema: media?.schema ?? {}, examples: Object.entries(media?.examples ?? {}) };
}

// A second opinion on both documents: another mock, which knows nothing of ours.
describe.each(documents)('prism mock with $name', ({ name, document }) => {
  const isDefault = name === 'openapi.default.yaml';
  const schemas = new Schemas(document);
  let [plain, dynamic]: Prism[] = [];
  let call: Client;
  beforeAll(async () => {
    plain = await startPrism('mock', `openapi/${name}`);
    dynamic = await startPrism('mock', '-d', `openapi/${name}`);
    call = createClient(plain.url, 'any-key');
  });
  afterAll(async () => {
    await plain?.close();
    await dynamic?.close();
  });

  it.each(Object.entries(requests))('answers %s with a success that is valid', async (operationId, request) => {
    const { schema, examples } = successOf(document, operationId);
    for (let count = 0; count < 11; count++) {
      const { status, text, body } = await (count === 0 ? call : createClient(dynamic?.url ?? '', 'any-key'))(
        ...request,
      );
      expect(String(status), text).toMatch(/^2\d\d$/);
      if (status !== 204) expect(schemas.of(schema)(body), text).toEqual([]);
    }
    expect(operationId === 'publishAgentRevision' || examples.length > 0).toBe(true);
  });

  it('answers with each example of a success that the document shows', async () => {
    for (const [operationId, [method, path, sent]] of Object.entries(requests)) {
      const send = (prefer: string) => call(method, path, { ...sent, headers: { prefer } });
      for (const [example, written] of successOf(document, operationId).examples) {
        const { value } = dereference<{ value?: unknown }>(document, written);
        const reply = await send(`example=${example}`);
        // Prism takes the 204 of a publication where no code is preferred.
        const wanted = reply.status === 204 ? await send(`code=200, example=${example}`) : reply;
        expect(wanted.body, `${operationId} ${example}`).toEqual(value);
      }
    }
  });

  it.each([
    ['/..', 422],
    ['/../x', 422],
    ['/a/..', 422],
    ['no-slash', 422],
    ['/a..b', 200],
    ['/..a', 200],
    ['/...', 200],
  ])('judges the path %s like the contract: %i', async (path, status) => {
    const moved = await call('PATCH', '/drives/d/files/f', { json: { path } });
    const deleted = await call('DELETE', `/drives/d/items/tree?path=${encodeURIComponent(path)}`);
    expect(moved.status).toBe(status);
    // Prism judges no parameter whose name is open.
    expect(deleted.status).toBe(isDefault ? status : 200);
  });

  it('refuses an excessive limit and a missing key, and a missing field where it is required', async () => {
    expect((await call('GET', '/drives?limit=100&offset=0')).status).toBe(200);
    expect((await call('GET', '/drives?limit=101')).status).toBe(422);
    expect((await call('GET', '/agents', { key: null })).status).toBe(401);
    expect((await call('POST', '/drives', { json: {} })).status >= 400).toBe(isDefault);
    expect((await call('DELETE', '/drives/d/items/tree')).status).toBe(isDefault ? 422 : 200);
  });
});

/** Calls that keep the contract; some of them are refused. */
const legalCalls = (treePathParameter: string): Call[] => [
  ...Object.values(requests).filter(([method]) => method !== 'DELETE'),
  ['GET', '/agents', { key: 'unknown' }],
  ...['/drives', '/drives/drive-full/files/unknown', '/mcp-servers/unknown/tools'].map((path): Call => ['GET', path]),
  ['POST', '/agents/unknown/publish', { json: { revisionId: 'rev-1' } }],
  ['POST', '/agents/agent-two-revisions/publish', { json: { revisionId: 'unknown' } }],
  ['PATCH', file, { json: { path: '/docs/old/notes.txt' } }],
  ...['/nowhere', '/docs'].map((path): Call => {
    return ['DELETE', `/drives/drive-full/items/tree?${treePathParameter}=${path}`];
  }),
];

const drawn = Array.from({ length: 6 }, (_, index) => ({
  vary: index % 3 === 0 ? 'hidden' : 'visible',
  randomSeed: randomSeed + index,
})) as readonly MockOptions[];

interface Verdict {
  status: number;
  violations: string | null;
}

/**
 * What Prism would say if it knew that a response may have no body although the document shows one. In OpenAPI no word
 * says so, and Prism asks for a media type wherever it finds `content`.
 */
function withoutLimit(verdict: Verdict, sent: number, { errorBody, publishBody }: Profile): Verdict {
  const mayBeEmpty = sent >= 400 ? errorBody === 'empty' : publishBody === 'none';
  const isLimit = verdict.status === 500 && verdict.violations?.includes('received media type \\"\\" does not match');
  return mayBeEmpty && isLimit ? { status: sent, violations: null } : verdict;
}

describe('prism proxy --errors before the mock', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  /** The codes of the mock, and what a client behind Prism gets in the same order. */
  async function carryOut(options: MockOptions, documentOf: (mock: Mock) => string) {
    const sent: number[] = [];
    const onExchange: MockOptions['onExchange'] = ({ status }) => void sent.push(status);
    const mock = await createMock({ seed: tinySeed, openPointsHeader: false, ...options, onExchange });
    open.push(mock);
    const prism = await startPrism('proxy', '--errors', documentOf(mock), mock.url);
    open.unshift(prism);
    const call = createClient(prism.url, 'key-a');
    const got: Verdict[] = [];
    for (const legal of legalCalls(mock.profile.treePathParameter)) {
      const { status, headers } = await call(...legal);
      got.push({ status, violations: headers.get('sl-violations') });
    }
    const expected = sent.map((status) => ({ status, violations: null }));
    return { got: got.map((verdict, index) => withoutLimit(verdict, sent[index] ?? 0, mock.profile)), expected };
  }

  it.each([{}, ...drawn])('has nothing against %j by openapi.yaml', async (options) => {
    // The document cannot but name the parameter.
    const { got, expected } = await carryOut(
      { ...options, set: { treePathParameter: 'path' } },
      () => 'openapi/openapi.yaml',
    );
    expect(got).toEqual(expected);
    expect(got.length).toBeGreaterThan(15);
  });

  it('has nothing against the default profile by openapi.default.yaml', async () => {
    const { got, expected } = await carryOut({}, () => 'openapi/openapi.default.yaml');
    expect(got).toEqual(expected);
  });

  it.each(drawn)('has nothing against %j by the document of its own profile', async (options) => {
    const { got, expected } = await carryOut(options, ({ profile }) =>
      folder.write(`${options.vary}-${options.randomSeed}.json`, JSON.stringify(profileDocument(profile))),
    );
    expect(got).toEqual(expected);
  });
});
