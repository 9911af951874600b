import { expect, it } from 'vitest';
import { countTools, toolsShownIn } from '../../conformance/probing/fixtures.ts';
import { judgedContract } from '../../openapi/contract/judged-contract.ts';
import type { Operation, OperationId } from '../../openapi/contract/operations.ts';
import { Call } from '../../openapi/model/exchange.ts';
import { Shapes } from '../../openapi/model/shapes.ts';

const { document, operations, schemas } = judgedContract();

/** What a report says about the shape of a response. */
function seenIn(operation: OperationId, json: unknown): string[] {
  const sent = { organization: 'own', operation, target: '/', headers: {}, body: undefined, startMs: 0 };
  const call = new Call(sent, operations.get(operation) as Operation, 1);
  const headers = { 'content-type': 'application/json' };
  call.end({ status: 200, headers, body: { kind: 'json', value: json, lengthBytes: 0 } }, 1);
  const seen: string[] = [];
  new Shapes(document, schemas).judge(call, (_, __, { actual }) => seen.push(actual.plain));
  return seen;
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
