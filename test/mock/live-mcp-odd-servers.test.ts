import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../support/client.ts';
import { runProgram, startMock } from '../support/command.ts';
import { sampleOf } from '../support/depth.ts';
import {
  brokenPosts,
  oddServer,
  oddSseServer,
  soundPosts,
  sseStreams,
  treatments,
} from '../support/odd-mcp-servers.ts';
import { type McpScript, startScriptedMcp } from '../support/scripted-mcp.ts';

// Nothing that an MCP server does with a connection ends the process that lists its tools: neither the mock of the
// command line, nor a program that has a mock of its own.

type Type = 'streamableHttp' | 'sse';
type Case = [what: string, script: McpScript];

const ways = Object.entries(treatments);
const crossed = (posts: Partial<typeof soundPosts & typeof brokenPosts>): Case[] =>
  Object.entries(posts).flatMap(([post, answer]) =>
    ways.map(([way, treat]): Case => [`POST: ${post}; GET and DELETE: ${way}`, oddServer(answer, treat)]),
  );
const overSse: Case[] = Object.entries(sseStreams).flatMap(([name, open]) =>
  [['202', undefined] as const, ...ways].map(
    ([way, treat]): Case => [`GET: ${name}; POST: ${way}`, oddSseServer(open, treat)],
  ),
);

// The sound ones have time enough on a busy machine, since their tools are to arrive.
const kinds: [kind: string, Type, timeoutMs: number, statuses: number[], Case[]][] = [
  ['sound replies over streamable HTTP', 'streamableHttp', 60_000, [200], crossed(soundPosts)],
  ['no sound reply over streamable HTTP', 'streamableHttp', 300, [502], crossed(brokenPosts)],
  ['odd streams over HTTP+SSE', 'sse', 300, [200, 502], overSse],
];

async function startAll(type: Type, cases: readonly Case[]) {
  const servers = await Promise.all(cases.map(([, script]) => startScriptedMcp(script)));
  const close = () => Promise.all(servers.map((server) => server.close()));
  onTestFinished(() => void close());
  return { urls: servers.map((server) => server.urlFor(type)), close };
}

type Act = (urls: string[], close: () => Promise<unknown>, kind: (typeof kinds)[number]) => Promise<void>;

const acts: Record<string, Act> = {
  'the mock': async (urls, close, [, type, timeoutMs, statuses, cases]) => {
    const limits = ['--live-mcp-timeout', String(timeoutMs), '--set', `mcpDefaultType=${type}`];
    const mock = await startMock(['--live-mcp', ...limits]);
    const call = createClient(mock.url, 'demo-key');
    const list = async (url: string) => {
      const { body } = await call('POST', '/mcp-servers', { json: { name: 'Odd', url } });
      return (await call('GET', `/mcp-servers/${body.id}/tools`)).status;
    };
    const listed = await Promise.all(urls.map(list));
    const wrong = cases.filter((_, index) => !statuses.includes(listed[index] ?? 0));
    expect(wrong.map(([what]) => what)).toEqual([]);
    // What is still open breaks off now.
    await close();
    expect((await call('GET', '/agents')).status).toBe(200);
    expect(await mock.stop()).toMatchObject({ code: 0, stderr: '' });
  },
  'a program': async (urls, _, [, type, timeoutMs]) => {
    const options = JSON.stringify({ liveMcp: { timeoutMs }, set: { mcpDefaultType: type } });
    const program = fileURLToPath(new URL('../support/lists-tools.ts', import.meta.url));
    const { code, stdout, stderr } = await runProgram([program, options, ...urls]);
    const lines = stdout.trim().split('\n').length;
    expect({ code, stderr, lines }).toEqual({ code: 0, stderr: '', lines: urls.length });
  },
};

const all = kinds.flatMap((kind) => Object.entries(acts).map(([who, act]) => ({ what: kind[0], kind, who, act })));

it.each(sampleOf(all, 1))('MCP servers with $what never end $who that lists their tools', async ({ kind, act }) => {
  const { urls, close } = await startAll(kind[1], kind[4]);
  await act(urls, close, kind);
});
