import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Config, toSettings } from '../../conformance/config/settings.ts';
import type { CheckResult } from '../../conformance/report.ts';
import { runSuite } from '../../conformance/run.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { askForTools, connect, type Registered, startAskingFront, type ToolsOf } from '../support/asking-front.ts';
import { sampleOf } from '../support/depth.ts';
import { freePort } from '../support/free-port.ts';
import { tinySeed } from '../support/tiny-seed.ts';

const types = ['streamableHttp', 'sse'] as const;
type Type = (typeof types)[number];

const mocks = new Map<Type, Promise<Mock>>();
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

afterAll(async () => {
  for (const mock of mocks.values()) await (await mock).close();
});

/** The mock whose new servers have this type. */
function mockWith(mcpDefaultType: Type): Promise<Mock> {
  const mock = mocks.get(mcpDefaultType) ?? createMock({ seed: tinySeed, set: { mcpDefaultType } });
  mocks.set(mcpDefaultType, mock);
  return mock;
}

interface Outcome {
  streamable: CheckResult;
  sse: CheckResult;
  registered: readonly Registered[];
  leftovers: string[];
}

/** Runs both checks against a target that lists tools in a given way. */
async function judged(toolsOf: ToolsOf, config: Config = {}, type: Type = 'streamableHttp'): Promise<Outcome> {
  const front = await startAskingFront((await mockWith(type)).url, toolsOf);
  closers.push(() => front.close());
  const base = { baseUrl: front.url, apiKey: 'key-a', allowWrites: true, hostMcpServer: true, settleMs: 40 };
  const { hostMcpUrl, ...rest } = config;
  // Set afterwards: a config accepts http and https only, and a target may refuse other URLs.
  const settings = { ...toSettings({ ...base, ...rest }), hostMcpUrl };
  const report = await runSuite(settings, { tool: 'test', only: ['listMcpServerTools.hosted-tools.*'] });
  expect(report.run.suiteError).toBeUndefined();
  const of = (id: string) => report.checks.find((check) => check.id.endsWith(`.hosted-tools.${id}`)) as CheckResult;
  const leftovers = report.leftovers.map(({ kind, id }) => `${kind} ${id}`);
  return { streamable: of('streamable-http'), sse: of('sse'), registered: front.registered, leftovers };
}

function expectBoth({ streamable, sse }: Outcome, outcome: CheckResult['outcome'], reason: RegExp): void {
  for (const check of [streamable, sse]) {
    expect(check).toMatchObject({ outcome, reason: expect.stringMatching(reason) });
  }
}

describe.each(sampleOf(types, 1))('a target whose new servers are of type %s', (type) => {
  it('passes if it lists the tools of the server', async () => {
    const outcome = await judged(askForTools, {}, type);
    const [own, other] = type === 'sse' ? [outcome.sse, outcome.streamable] : [outcome.streamable, outcome.sse];
    expect(own).toMatchObject({ outcome: 'passed', reason: '' });
    expect(other).toMatchObject({ outcome: 'passed', reason: expect.stringContaining('mcpDefaultType') });
    expect(outcome.registered.map(({ url }) => new URL(url).pathname)).toEqual(['/mcp', '/sse']);
    expect(outcome.leftovers).toEqual(outcome.registered.map(({ id }) => `mcpServer ${id}`));
  });

  it('passes if the tools are in another order', async () => {
    const outcome = await judged(async (server) => (await askForTools(server)).reverse(), {}, type);
    expectBoth(outcome, 'passed', /^/);
  });

  it('passes if the tools are listed a while after the registration', async () => {
    const asked = new Set<string>();
    const late: ToolsOf = async (server) => {
      if (asked.has(server.id)) return askForTools(server);
      asked.add(server.id);
      return [];
    };
    expectBoth(await judged(late, { settleMs: 2_000 }, type), 'passed', /^/);
  });

  it('passes if the server is registered under another URL', async () => {
    const hostMcpUrl = `http://127.0.0.1:${await freePort()}/behind/a/gateway/`;
    const outcome = await judged(askForTools, { hostMcpUrl }, type);
    expectBoth(outcome, 'passed', /^/);
    expect(outcome.registered.map(({ url }) => url)).toEqual([`${hostMcpUrl}mcp`, `${hostMcpUrl}sse`]);
  });

  it('does not delay the end of a run with an open connection', async () => {
    const open: ToolsOf = async (server) => {
      const client = await connect(server);
      closers.push(() => client.close());
      return (await client.listTools()).tools;
    };
    const outcome = await judged(open, {}, type);
    expectBoth(outcome, 'passed', /^/);
    for (const { url } of outcome.registered) await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

describe.each(sampleOf(types, 1))('a target that lists other tools over %s', (type) => {
  const lies: [string, ToolsOf, RegExp][] = [
    ['drops a tool', async (server) => (await askForTools(server)).slice(1), /"Look_Up\.\w+-run-\w+" is missing/],
    [
      'alters a description',
      async (server) =>
        (await askForTools(server)).map((tool) => ({
          ...tool,
          description: tool.description?.trim().replace('\n', ' '),
        })),
      /has the description "First line of run-\w+\. Second/,
    ],
    [
      'alters a name',
      async (server) => (await askForTools(server)).map((tool) => ({ ...tool, name: tool.name.toLowerCase() })),
      /"look_up\.\w+-run-\w+" is not offered/,
    ],
    [
      'lists a tool twice',
      async (server) => {
        const tools = await askForTools(server);
        return [...tools, ...tools.slice(2)];
      },
      /"x-\w+--run-\w+" is listed 2 times/,
    ],
    [
      'asks for the tools but never lists any',
      async (server) => {
        await askForTools(server);
        return [];
      },
      /is missing.*was asked for its tools [1-9]\d* times/,
    ],
    [
      'completes the handshake but does not ask for the tools',
      async (server) => {
        await (await connect(server)).close();
        return [];
      },
      /is missing.*was asked for its tools 0 times/,
    ],
  ];

  it.each(sampleOf(lies, 4))('gets a warning if it %s', async (_, toolsOf, reason) => {
    const outcome = await judged(toolsOf, {}, type);
    expectBoth(outcome, 'warned', reason);
    expect(outcome.sse.evidence?.exchanges.map(({ operation }) => operation)).toEqual([
      'createMcpServer',
      'listMcpServerTools',
    ]);
  });
});

it('a target that lists the tools of another server gets a warning', async () => {
  const servers: Registered[] = [];
  const outcome = await judged(async (server) => {
    servers.push(server);
    await askForTools(server);
    return askForTools(servers[0] ?? server);
  });
  expect(outcome.streamable.outcome).toBe('passed');
  expect(outcome.sse).toMatchObject({
    outcome: 'warned',
    reason: expect.stringMatching(/"Look_Up\.mcp-\S+" is not offered/),
  });
});

describe('the checks do not judge a target that', () => {
  it('never contacts the server and lists nothing', async () => {
    const outcome = await judged(async () => []);
    // When a target asks is open. It runs on the same machine, so another URL would change nothing.
    expectBoth(outcome, 'skipped', /was not contacted; listing its tools ended with status 200/);
    expect(outcome.sse.setting).toBeUndefined();
  });

  it('never contacts the server and lists made-up tools', async () => {
    expectBoth(await judged(async () => [{ name: 'a', description: 'b' }]), 'skipped', /was not contacted/);
  });

  it('sends requests that are not MCP', async () => {
    const outcome = await judged(async ({ url }) => {
      await fetch(url);
      return [];
    });
    // It was reached, so its URL is not what is missing.
    expectBoth(outcome, 'skipped', /got [1-9]\d* requests?, none of which spoke MCP/);
  });

  it('answers with an error without contacting the server', async () => {
    const outcome = await judged(() => Promise.reject(new Error('no way there')));
    expectBoth(outcome, 'skipped', /was not contacted; listing its tools ended with status 502/);
  });

  it('answers with an error although the server answered', async () => {
    const outcome = await judged(async (server) => {
      await askForTools(server);
      throw new Error('lost');
    });
    expectBoth(outcome, 'inconclusive', /status 502\. Yet the target contacted the MCP server/);
  });

  it('hangs longer than the timeout', async () => {
    const never: ToolsOf = () => new Promise(() => undefined);
    expectBoth(await judged(never, { timeoutMs: 300 }), 'skipped', /was not contacted/);
  });

  it('cannot reach the registered URL', async () => {
    const hostMcpUrl = `https://127.0.0.1:${await freePort()}`;
    expectBoth(await judged(askForTools, { hostMcpUrl }), 'skipped', /was not contacted.*status 502/);
  });

  it('refuses the URL', async () => {
    const outcome = await judged(askForTools, { hostMcpUrl: `ftp://127.0.0.1:${await freePort()}` });
    expectBoth(outcome, 'skipped', /refused to register ftp:.* with status 422/);
  });
});

describe('the suite', () => {
  it('reports that it cannot listen on the port of the URL', async () => {
    const taken = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(taken, 'listening');
    closers.push(async () => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const outcome = await judged(askForTools, { hostMcpUrl: `http://127.0.0.1:${port}` });
    expectBoth(outcome, 'inconclusive', new RegExp(`cannot listen on port ${port}: .*EADDRINUSE`));
    expect(outcome.registered).toEqual([]);
  });

  it('hosts nothing without --host-mcp-server', async () => {
    const outcome = await judged(askForTools, { hostMcpServer: false });
    expectBoth(outcome, 'skipped', /Runs only with --host-mcp-server/);
    expect(outcome.registered).toEqual([]);
  });

  it('registers nothing unless it may write', async () => {
    const outcome = await judged(askForTools, { allowWrites: false });
    expectBoth(outcome, 'not-enabled', /may only read/);
    expect(outcome.registered).toEqual([]);
  });
});
