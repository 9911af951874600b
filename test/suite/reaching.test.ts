import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { RegisteredCheck } from '../../conformance/checks/index.ts';
import { toSettings } from '../../conformance/config/settings.ts';
import { reach } from '../../conformance/reach.ts';
import { runCheck } from '../../conformance/run-check.ts';
import { Session } from '../../conformance/session.ts';
import { Violated } from '../../conformance/signals.ts';
import { type Crash, currentCheck } from '../../conformance/target/crashes.ts';
import { noKey } from '../../conformance/target/credentials.ts';
import { say } from '../../openapi/reading/sentence.ts';
import { startUpstream } from '../support/upstream.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

type Answer = (path: string, headers: IncomingHttpHeaders) => number;

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** A session with a server that answers each list with a status, and the lists that were asked for. */
async function open(answer: Answer) {
  const asked: string[] = [];
  const { url, close } = await startUpstream(({ url: target = '', headers }, response) => {
    const [, path = ''] = /^\/v0\.1(\/[\w-]+)/.exec(target) ?? [];
    asked.push(path);
    response.writeHead(answer(path, headers)).end('[]');
  });
  // One at a time: a target that is busy is not asked again for that.
  const settings = toSettings({ baseUrl: url, apiKey: 'key-a', concurrency: 1 });
  const session = new Session(settings, 'test', undefined, createWaitingClock());
  opened.push(() => session.close(), close);
  return { session, asked, url };
}

const isByHeader = (headers: IncomingHttpHeaders) => headers['x-api-key'] === 'key-a';

describe('reaching a target', () => {
  it.each<[string, Answer, string, boolean]>([
    ['in both headers', () => 200, 'header', true],
    ['in its own header only', (_, headers) => (isByHeader(headers) ? 200 : 401), 'header', false],
    ['as a bearer token only', (_, headers) => (isByHeader(headers) ? 401 : 200), 'bearer', false],
    ['in neither, but answers', () => 500, 'header', false],
    ['in both for one of the lists', (path) => (path === '/drives' ? 200 : 500), 'header', true],
    [
      'in each for another list',
      (path, headers) => (isByHeader(headers) === (path === '/agents') ? 200 : 401),
      'header',
      true,
    ],
  ])('learns how it takes the key: %s', async (_, answer, authHeader, worksInBoth) => {
    const { session, asked } = await open(answer);
    const { byHeader, byBearer } = await reach(session);
    expect(session.learned).toMatchObject({ authHeader, worksInBoth });
    expect(asked.toSorted()).toEqual(['/agents', '/agents', '/drives', '/drives']);
    expect(session.replies).toEqual([...byHeader, ...byBearer]);
    expect(byHeader.map(({ request }) => Object.keys(request.headers))).toEqual([['X-API-Key'], ['X-API-Key']]);
    expect(byBearer.map(({ request }) => Object.keys(request.headers))).toEqual([['Authorization'], ['Authorization']]);
  });

  it.each<[string, Answer, string]>([
    ['one that succeeded', (path) => (path === '/drives' ? 200 : 500), '/drives'],
    ['one that the service answered', (path) => (path === '/drives' ? 422 : 401), '/drives'],
    ['one that fails', () => 500, '/agents'],
    ...[404, 302, 503, 403].map((status): [string, Answer, string] => [
      `the third list, where the others get ${status}`,
      (path) => (path === '/mcp-servers' ? 200 : status),
      '/mcp-servers',
    ]),
  ])('chooses a request that shows whether the target is there: %s', async (_, answer, path) => {
    const { session } = await open(answer);
    await reach(session);
    expect(session.target.heartbeat?.path.split('?')[0]).toBe(path);
  });

  it('tries three times, and then says what came', async () => {
    const { session, asked, url } = await open(() => 401);
    const lines = ['/agents', '/drives?limit=100', '/mcp-servers'].map((path) => `GET ${url}${path}`);
    const told = [
      `${url} does not serve the API. Check the key (AGENT_PLATFORM_API_KEY), and that it belongs to this server.`,
      ...['X-API-Key', 'Authorization'].flatMap((header) =>
        lines.slice(0, 2).map((line) => `  ${line}  ${header}: status 401`),
      ),
    ];
    const error = await reach(session).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'TARGET_UNREACHABLE' });
    for (const line of told) expect(String((error as Error).message)).toContain(line);
    expect(asked).toHaveLength(18);
    expect(session.replies).toEqual([]);
  });

  it('goes on once the target answers', async () => {
    let count = 0;
    const { session, asked } = await open(() => (++count <= 6 ? 401 : 200));
    await reach(session);
    expect([asked.length, session.replies.length]).toEqual([10, 4]);
  });
});

describe('a target that crashes', () => {
  /** A session after crashes at the operation, each of which happened again. */
  async function afterCrashes(count: number, more: Partial<Crash> = {}) {
    const { session, asked } = await open(() => 200);
    const reply = await session.ask('listAgents');
    const crash: Crash = { reply, check: undefined, isRepeated: true, backAtMs: 0, ...more };
    session.target.crashes.push(...Array<Crash>(count).fill(crash));
    asked.length = 0;
    return { session, asked };
  }

  it('is asked again after one crash, and not after two alike', async () => {
    const { session: once } = await afterCrashes(1);
    expect((await once.call('listAgents')).status).toBe(200);
    const { session: twice, asked } = await afterCrashes(2);
    await expect(twice.call('listAgents')).rejects.toMatchObject({
      ...{ code: 'PREREQUISITE', message: 'The target crashes, so listAgents was not called again.' },
    });
    expect(asked).toEqual([]);
  });

  it('is asked for other things, by others, and to move files back', async () => {
    const { session } = await afterCrashes(2);
    expect((await session.call('listDrives')).status).toBe(200);
    expect((await session.call('listAgents', { credentials: noKey })).status).toBe(200);
    const { session: cutOff } = await afterCrashes(3, { isRepeated: false });
    expect((await cutOff.call('listAgents')).status).toBe(200);
    await session.target.startTidying();
    expect((await session.call('listAgents')).status).toBe(200);
  });

  it('is asked for nothing more by the check that crashed it', async () => {
    const { session } = await afterCrashes(1, { check: 'a.check' });
    const asking = (check: string) => currentCheck.run(check, () => session.call('listDrives'));
    await expect(asking('a.check')).rejects.toMatchObject({ code: 'PREREQUISITE' });
    expect((await asking('another.check')).status).toBe(200);
  });

  it('fails the check that sent the request, or is remarked beside its outcome, and no other one', async () => {
    const check = (run: RegisteredCheck['run'], id = 'listAgents.a') =>
      ({ id, operation: 'listAgents', level: 'should', requirements: [], run }) as unknown as RegisteredCheck;
    const { session: crashed } = await afterCrashes(1, { check: 'listAgents.a' });
    const line = `GET ${crashed.settings.baseUrl}/agents`;
    for (const run of [async () => undefined, () => Promise.reject(new Violated(say`a`, say`b`, []))]) {
      const { outcome, evidence } = await runCheck(crashed, check(run));
      expect([outcome, evidence?.expected, evidence?.actual, evidence?.exchanges.length]).toEqual([
        ...['failed', 'a response, and a target that goes on'],
        ...[`the target crashed, and crashed again when the request was repeated: ${line}`, 1],
      ]);
    }
    const { session } = await afterCrashes(1, { check: 'listAgents.a', isRepeated: false });
    const during = `The target crashed during GET ${session.settings.baseUrl}/agents.`;
    const fine = await runCheck(
      session,
      check(async () => say`All is well.`),
    );
    expect(fine.reason).toBe(`All is well. ${during} It did not crash when the request was repeated.`);
    expect(
      (
        await runCheck(
          session,
          check(async () => undefined, 'listAgents.b'),
        )
      ).reason,
    ).toBe('');
  });
});
