import { describe, expect, it, onTestFinished } from 'vitest';
import { startMcpHost } from '../../conformance/target/mcp-host.ts';

async function start() {
  const host = await startMcpHost({ runId: 'run-1', publicUrl: undefined });
  onTestFinished(() => host.close());
  return host;
}

describe('MCP server of the suite', () => {
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const accept = 'application/json, text/event-stream';
  const post = (body: unknown, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify(body),
  });
  const strange: [string, string, RequestInit, number][] = [
    ['an unknown path', '/other', {}, 404],
    ['a GET that does not accept event streams', '/mcp', {}, 405],
    ['a PUT', '/sse', { method: 'PUT' }, 405],
    ['a message without a session', '/mcp', post(list), 400],
    ['an invalid message', '/mcp', post('x'), 400],
    ['a first message without parameters', '/sse', post(initialize), 400],
    ['a message of an unknown session', '/mcp', post(list, { 'mcp-session-id': 'none' }), 404],
    ['a message of an unknown HTTP+SSE session', '/sse?sessionId=none', post(list), 404],
  ];

  it.each(strange)('refuses %s and counts no handshake', async (_, path, request, status) => {
    const host = await start();
    const response = await fetch(new URL(path, host.urlAt('mcp')), request);
    expect(response.status).toBe(status);
    const { mcp, sse } = { mcp: host.contactsAt('mcp'), sse: host.contactsAt('sse') };
    expect([mcp.requests + sse.requests, mcp.handshakes + sse.handshakes]).toEqual([path === '/other' ? 0 : 1, 0]);
  });

  it('offers legal tool names that differ between its two paths', async () => {
    const host = await start();
    const names = [...host.toolsAt('mcp'), ...host.toolsAt('sse')].map(({ name }) => name);
    expect(new Set(names).size).toBe(6);
    expect(names.filter((name) => !/^[A-Za-z0-9._-]{1,64}$/.test(name) || !name.includes('run-1'))).toEqual([]);
  });
});
