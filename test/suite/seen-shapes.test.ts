import { expect, it } from 'vitest';
import { countTools, toolsShownIn } from '../../conformance/probing/fixtures.ts';
import { shapeViolations } from '../../conformance/probing/shapes.ts';
import type { Session } from '../../conformance/session.ts';
import type { Reply } from '../../conformance/target/reply.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';

const contract = loadDocument();
const operations = new Map(operationsOf(contract).map((operation) => [operation.operationId, operation]));
const session = { contract, operations, schemas: new Schemas(contract) } as unknown as Session;

/** What a report says about the shape of a response. */
function seenIn(operation: OperationId, json: unknown) {
  const reply = { json, isJson: true, hasBody: true } as Reply;
  return shapeViolations(session, operation, reply).map(({ describe }) => describe().shown((text) => text));
}

const tool = { name: 'search', description: 'Finds.' };
const server = {
  ...{ id: 'm', organizationId: 'o', name: 'n', url: 'https://mcp.example.com/', type: 'sse' },
  ...{ createdAt: '2026-02-11T09:00:00Z', updatedAt: '2026-02-11T09:00:00Z' },
};
const { name: _, ...nameless } = server;

it.each<[OperationId, unknown, string[]]>([
  ['listMcpServerTools', { tools: [tool] }, []],
  ['listMcpServerTools', [tool, tool], ['an array']],
  ['listMcpServerTools', 'none', ['"none"']],
  ['listMcpServerTools', null, ['null']],
  ['listMcpServerTools', {}, ['no tools']],
  ['listMcpServerTools', { tools: {} }, ['tools is {}, not an array']],
  ['listMcpServerTools', { tools: [{ name: 'search' }] }, ['tools[0] has no description: {"name":"search"}']],
  ['listMcpServers', { data: [] }, ['an object']],
  ['listMcpServers', [server, { name: 7, ...nameless }], [`[1].name is 7, not a string, in {"name":7,"id":"m",`]],
  [
    'listDrives',
    { data: [], pagination: { limit: 2.5, offset: 0, total: 0 } },
    ['pagination.limit is 2.5, not an integer, in {"limit":2.5,"offset":0,"total":0}'],
  ],
  ['createMcpServer', nameless, ['no name']],
  ['createMcpServer', { ...server, name: null }, ['name is null', 'no name']],
  ['createMcpServer', { ...server, type: 'streamable-http' }, ['type is "streamable-http"']],
  ['createMcpServer', { ...server, createdAt: 'yesterday' }, ['createdAt is "yesterday"']],
])('the shape of a response is told as it was seen: %s %j', (operation, json, seen) => {
  expect(seenIn(operation, json)).toEqual(seen.map((words) => expect.stringContaining(words)));
});

it.each<[unknown, number | undefined, string]>([
  [{ tools: [] }, 0, ', with 0 tools'],
  [{ tools: [tool] }, 1, ', with 1 tool'],
  [[tool], undefined, '; its response is not an object with tools'],
  [{ tools: 'search' }, undefined, '; its response is not an object with tools'],
])('tools are counted only in an object that has them: %j', (json, count, words) => {
  expect(countTools({ json })).toBe(count);
  expect(String(toolsShownIn({ json }))).toBe(words);
});
