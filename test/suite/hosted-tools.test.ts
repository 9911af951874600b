import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { CheckResult } from '../../conformance/report/report.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { type Config, toSettings } from '../../conformance/run/settings.ts';
import {
  askForTools,
  connect,
  type Registered,
  startAskingFront,
  type Tool,
  type ToolsOf,
} from '../../proof/power/asking-front.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { sampleOf } from '../support/depth.ts';
import { freePort } from '../support/free-port.ts';
import { tinySeed } from '../support/tiny-seed.ts';
import { startUpstream } from '../support/upstream.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

const types = ['streamableHttp', 'sse'] as const;
type Type = (typeof types)[number];

const mocks = new Map<Type, Promise<Mock>>();
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
  onTestFinished(front.close);
  const base = { baseUrl: front.url, apiKey: 'key-a', allowWrites: true, hostMcpServer: true, settleMs: 40 };
  const { hostMcpUrl, ...rest } = config;
  // Set afterwards: a config accepts http and https only, and a target may refuse other URLs.
  const settings = { ...toSettings({ ...base, ...rest }), hostMcpUrl };
  const report = await runSuite(settings, {
    ...{ tool: 'test', only: ['listMcpServerTools.hosted-tools.*'], clock: createWaitingClock() },
  });
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

const listOpenly: ToolsOf = async (server) => {
  const client = await connect(server);
  onTestFinished(() => client.close());
  return (await client.listTools()).tools;
};

/** The first question for the tools of a server comes too early. */
function listingLate(): ToolsOf {
  const asked = new Set<string>();
  return async (server) => {
    if (asked.has(server.id)) return askForTools(server);
    asked.add(server.id);
    return [];
  };
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

  it.each<[string, () => ToolsOf, Config?]>([
    ['in another order', () => async (server) => (await askForTools(server)).reverse()],
    ['a while after the registration', listingLate, { settleMs: 2_000 }],
    ['over a connection that stays open', () => listOpenly],
  ])('passes if the tools are listed %s, and its server ends with the run', async (_, toolsOf, config = {}) => {
    const outcome = await judged(toolsOf(), config, type);
    expectBoth(outcome, 'passed', /^/);
    for (const { url } of outcome.registered) await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it('passes if the server is registered under another URL', async () => {
    const hostMcpUrl = `http://127.0.0.1:${await freePort()}/behind/a/gateway/`;
    const outcome = await judged(askForTools, { hostMcpUrl }, type);
    expectBoth(outcome, 'passed', /^/);
    expect(outcome.registered.map(({ url }) => url)).toEqual([`${hostMcpUrl}mcp`, `${hostMcpUrl}sse`]);
  });
});

describe.each(sampleOf(types, 1))('a target that lists other tools over %s', (type) => {
  const described = ({ description = '', ...tool }: Tool) => ({
    ...tool,
    description: description.trim().replace('\n', ' '),
  });
  const small = ({ name, ...tool }: Tool) => ({ ...tool, name: name.toLowerCase() });
  const lies: [string, (tools: readonly Tool[]) => readonly Tool[], RegExp][] = [
    ['drops a tool', (tools) => tools.slice(1), /"Look_Up\.\w+-run-\w+" is missing/],
    ['alters a description', (tools) => tools.map(described), /has the description "First line of run-\w+\. Second/],
    ['alters a name', (tools) => tools.map(small), /"look_up\.\w+-run-\w+" is not offered/],
    ['lists a tool twice', (tools) => [...tools, ...tools.slice(2)], /"x-\w+--run-\w+" is listed 2 times/],
    ['never lists any', () => [], /is missing.*was asked for its tools [1-9]\d* times/],
  ];

  async function expectWarning(toolsOf: ToolsOf, reason: RegExp): Promise<void> {
    const outcome = await judged(toolsOf, {}, type);
    expectBoth(outcome, 'warned', reason);
    const operations = outcome.sse.evidence?.exchanges.map(({ operation }) => operation);
    expect(operations).toEqual(['createMcpServer', 'listMcpServerTools']);
  }

  it.each(sampleOf(lies, 2))('gets a warning if it asks, and %s', async (_, told, reason) => {
    await expectWarning(async (server) => told(await askForTools(server)), reason);
  });

  it('gets a warning if it completes the handshake but does not ask for the tools', async () => {
    const shaking: ToolsOf = async (server) => {
      await (await connect(server)).close();
      return [];
    };
    await expectWarning(shaking, /is missing.*was asked for its tools 0 times/);
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
  it.each<[string, ToolsOf, CheckResult['outcome'], RegExp, Config?]>([
    ['lists made-up tools', async () => [{ name: 'a', description: 'b' }], 'skipped', /was not contacted/],
    [
      'sends requests that are not MCP',
      async ({ url }) => {
        await fetch(url);
        return [];
      },
      // It was reached, so its URL is not what is missing.
      'skipped',
      /got [1-9]\d* requests?, none of which spoke MCP/,
    ],
    [
      'answers with an error without contacting the server',
      () => Promise.reject(new Error('no way there')),
      'skipped',
      /was not contacted; listing its tools ended with status 502/,
    ],
    [
      'answers with an error although the server answered',
      async (server) => {
        await askForTools(server);
        throw new Error('lost');
      },
      'inconclusive',
      /status 502\. Yet the target contacted the MCP server/,
    ],
    ['hangs', () => new Promise(() => undefined), 'skipped', /was not contacted/, { timeoutMs: 300 }],
  ])('%s', async (_, toolsOf, outcome, reason, config = {}) => {
    expectBoth(await judged(toolsOf, config), outcome, reason);
  });

  it('never contacts the server and lists nothing', async () => {
    const outcome = await judged(async () => []);
    // When a target asks is open. It runs on the same machine, so another URL would change nothing.
    expectBoth(outcome, 'skipped', /was not contacted; listing its tools ended with status 200/);
    expect(outcome.sse.setting).toBeUndefined();
  });

  it.each([
    ['cannot reach the registered URL', 'https', /was not contacted.*status 502/],
    ['refuses the URL', 'ftp', /refused to register ftp:.* with status 422/],
  ])('%s', async (_, scheme, reason) => {
    expectBoth(
      await judged(askForTools, { hostMcpUrl: `${scheme}://127.0.0.1:${await freePort()}` }),
      'skipped',
      reason,
    );
  });
});

describe('the suite', () => {
  it('reports that it cannot listen on the port of the URL', async () => {
    const { origin, close } = await startUpstream((_, response) => void response.end());
    onTestFinished(close);
    const { port } = new URL(origin);
    const outcome = await judged(askForTools, { hostMcpUrl: `http://127.0.0.1:${port}` });
    expectBoth(outcome, 'inconclusive', new RegExp(`cannot listen on port ${port}: .*EADDRINUSE`));
    expect(outcome.registered).toEqual([]);
  });

  it.each<[string, Config, CheckResult['outcome'], RegExp]>([
    ['without --host-mcp-server', { hostMcpServer: false }, 'skipped', /Runs only with --host-mcp-server/],
    ['unless it may write', { allowWrites: false }, 'not-enabled', /may only read/],
  ])('registers nothing %s', async (_, config, outcome, reason) => {
    const ended = await judged(askForTools, config);
    expectBoth(ended, outcome, reason);
    expect(ended.registered).toEqual([]);
  });
});
