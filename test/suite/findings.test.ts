/** What a run says of servers with a fault: the right check, its cause and its words, and nothing about what is sound. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { reporters } from '../../conformance/report/index.ts';
import type { Outcome, Report } from '../../conformance/report/report.ts';
import { toTerminal } from '../../conformance/report/terminal.ts';
import { headlineText } from '../../conformance/report/words.ts';
import type { Config, Fixtures } from '../../conformance/run/settings.ts';
import { exitCodeOf } from '../../conformance/run/verdict.ts';
import type { WireFault } from '../../proof/power/mutant.ts';
import { otherThan } from '../../proof/power/mutants/patch.ts';
import { changeListed, inEachTree, mcpServers } from '../../proof/power/mutants/patch-store.ts';
import {
  changeAnswer,
  changeStatus,
  on,
  operationIdOf,
  passOn,
  withBody,
  write,
} from '../../proof/power/mutants/wire-faults.ts';
import { oddLegalServers } from '../../proof/power/odd-legal-servers.ts';
import type { Startable } from '../../proof/power/start-mutant.ts';
import { createMock } from '../../src/index.ts';
import { isFull, sampleOf } from '../support/depth.ts';
import { judgeRunning, judgeServer } from '../support/judged-server.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

const behind = (fault: WireFault): Startable => ({ wire: () => fault });
const json = { 'content-type': 'application/json' };
// In the demo seed.
const agentId = 'e521e034-0613-4e7e-bb8b-46070330bc28';

async function judgeOdd(id: string, only: string[]) {
  const server = oddLegalServers.find((odd) => odd.id === id);
  if (server === undefined) throw new Error(`there is no ${id}`);
  const { mock, keys, ...running } = await server.start();
  const [apiKey = '', otherApiKey = ''] = keys;
  return judgeRunning({ mock, ...running }, only, { config: { apiKey, otherApiKey, settleMs: 500 } });
}

describe('a deletion that takes longer than the time to settle', () => {
  it('fails one check, which names --settle and the time that it took', async () => {
    const clock = createWaitingClock();
    const late: { dueMs: number; remove(): void }[] = [];
    const server: Startable = {
      profile: { 'successStatus.deleteDriveTree': 202 },
      break: inEachTree(({ tree }) => {
        const remove = tree.remove.bind(tree);
        tree.remove = (id) => {
          const { path } = tree.find(id) ?? {};
          late.push({ dueMs: clock.nowMs() + 900, remove: () => tree.find(id)?.path === path && remove(id) });
        };
      }),
      wire: () => (request, response, forward) => {
        for (const { dueMs, remove } of late) if (dueMs <= clock.nowMs()) remove();
        return passOn(request, response, forward);
      },
    };
    const gone = 'deleteDriveTree.file-below-is-gone';
    const { of, ids } = await judgeServer(server, [`${gone}*`], { clock, config: { settleMs: 400 } });
    expect(ids('failed')).toEqual([gone]);
    expect(of(gone)?.reason).toMatch(/status 200 after 400 ms; it was gone after \d+ ms: .* set --settle \d+/);
    expect(of(`${gone}.deep`)?.outcome).toBe('inconclusive');
  });
});

it('a deleted file that is read with status 200 and words that it is not there is not said to be there still', async () => {
  const isMissing = (status: number, request: IncomingMessage) =>
    status === 404 && operationIdOf(request) === 'getDriveFile';
  const fault = changeAnswer(isMissing, (answer) =>
    withBody({ ...answer, status: 200 }, '{"message":"File not found"}'),
  );
  const [deleted, asked] = ['deleteDriveTree.file-below-is-gone', 'getDriveFile.id-asked-for'];
  const { of, ids } = await judgeServer(behind(fault), [deleted, asked], { config: { settleMs: 400 } });
  expect(of(deleted)).toMatchObject({ outcome: 'inconclusive', reason: expect.stringContaining('File not found') });
  expect(of(deleted)?.reason).toContain(asked);
  expect(ids('failed')).toEqual([asked]);
});

it('an MCP server of another organization in the list is the finding of the list, not of its tools', async () => {
  const leaking: Startable = {
    break: (engine) =>
      changeListed(mcpServers, (own, organization) => [
        ...mcpServers(otherThan(organization, engine)).byId.values(),
        ...own,
      ])(engine),
  };
  const only = ['listMcpServerTools.is-served', 'listMcpServers.hides-other-organization'];
  const { ids } = await judgeServer(leaking, only, { declare: ({ mcpServer: _, ...others }) => others });
  expect(ids('failed')).toEqual(only.slice(1));
});

it('a list that is seconds old is seen, whichever list it is and however new it is by chance', async () => {
  // The list is old by the clock of the run, which waits in no time.
  const clock = createWaitingClock();
  const kept = new Map<string, { sinceMs: number; body: string }>();
  const [operation = ''] = sampleOf(['listDrives', 'listMcpServers'], 1);
  const stale = changeAnswer(
    (status, request) => status === 200 && operationIdOf(request) === operation,
    (answer, { url = '' }) => {
      // One organization asks, in any order of its parameters.
      const key = [...new URL(url, 'http://host').searchParams].sort().join();
      const known = kept.get(key);
      if (known !== undefined && clock.nowMs() - known.sinceMs < 5_000) return withBody(answer, known.body);
      kept.set(key, { sinceMs: clock.nowMs(), body: answer.body });
      return answer;
    },
  );
  const { report } = await judgeServer(
    behind(stale),
    ['list*.is-served', 'create*.name-taken-over', 'list*.created-*'],
    { clock, config: { settleMs: 15_000, require: { readAfterWrite: 'immediate' } } },
  );
  expect(report.requiredChoices, operation).toMatchObject([{ openPoint: 'readAfterWrite', seen: 'lagging' }]);
});

describe('the MCP server of the suite', () => {
  const hosting = () => ({ clock: createWaitingClock(), config: { hostMcpServer: true, settleMs: 300 } });
  const only = ['listMcpServerTools.hosted-tools.streamable-http'];

  it('counts every 502 that is returned for its tools', async () => {
    let count = 0;
    const fault = on('listMcpServerTools', async (_, response) => {
      count++;
      write(response, { status: 502, headers: {}, body: '' });
    });
    const { report } = await judgeServer(behind(fault), only, hosting());
    const errors = report.serverErrors?.filter(({ status }) => status === 502) ?? [];
    expect(count).toBeGreaterThan(1);
    expect(errors.map((error) => error.count)).toEqual([count]);
  });

  it('tells a client that skips initialize from one that cannot reach it', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { ...json, accept: 'application/json, text/event-stream' };
    const hasty: Startable = {
      tools:
        () =>
        async ({ url }) => {
          const answer = await fetch(url, { method: 'POST', body, headers });
          if (!answer.ok) throw new Error(`status ${answer.status}`);
          return [];
        },
    };
    const check = (await judgeServer(hasty, only, hosting())).of(only[0] ?? '');
    expect(check?.outcome).toBe('warned');
    expect(check?.reason).toMatch(/reached \d+ times?; \d+ of the requests were messages without a session/);
    expect(JSON.stringify(check)).not.toContain('--host-mcp-url');
  });
});

describe('tools of a foreign MCP server', () => {
  const id = 'listMcpServerTools.foreign-resource';

  /** The only check of a run in which a foreign MCP server answers with these tools, and the headline of the run. */
  async function judge(shown: unknown, foreignResources: 'hidden' | 'shared') {
    const isForeign = (status: number, { headers }: IncomingMessage) =>
      status === 404 && JSON.stringify(headers).includes('demo-key-2"');
    const answer = { status: 200, headers: json, body: JSON.stringify(shown) };
    const fault = on(
      'listMcpServerTools',
      changeAnswer(isForeign, () => answer),
    );
    const openPoints = { treePathParameter: 'path', foreignResources };
    const { of, report } = await judgeServer(behind(fault), [id], { mode: 'read', config: { openPoints } });
    const { outcome, reason, evidence } = of(id) ?? {};
    const headline = headlineText({ ...report, summary: { ...report.summary, skipped: 0 } });
    const saysHow = reason?.includes('declare openPoints.foreignResources: shared in the config');
    return { outcome, actual: evidence?.actual, headline, exitCode: exitCodeOf(report, false), saysHow };
  }

  const headline = expect.stringContaining('MCP tools of another organization can be listed');
  const noTools = 'status 200; its response is not an object with tools';

  it.each([
    [{ tools: [] }, 'status 200, with 0 tools'],
    [{ tools: [{ name: 'search' }] }, 'status 200, with 1 tool'],
    [[{ name: 'search' }, { name: 'create' }], noTools],
    [{ tools: null }, noTools],
  ])('fail, and nothing says more than was seen: %j', async (shown, actual) => {
    expect(await judge(shown, 'hidden')).toEqual({ outcome: 'failed', actual, headline, exitCode: 1, saysHow: true });
  });

  it('warn where the config declares that organizations share them', async () => {
    const expected = { outcome: 'warned', actual: 'status 200, with 0 tools', headline, exitCode: 0, saysHow: false };
    expect(await judge({ tools: [] }, 'shared')).toEqual(expected);
  });
});

describe('what a request without a valid key did', () => {
  const [drives, servers] = ['createDrive', 'createMcpServer'];

  it.each([
    ['create-drive-happens-without-a-key', drives, 'no-key'],
    ['create-drive-happens-with-a-wrong-key', drives, 'wrong-key'],
    ['create-mcp-server-happens-without-a-key', servers, 'no-key'],
    ['create-mcp-server-happens-with-a-wrong-key', servers, 'wrong-key'],
  ])('is told by the check that sent it, though a list shows it: %s', async (mutant, operation, credentials) => {
    const all = [drives, servers].flatMap((one) =>
      ['no-key', 'wrong-key'].map((key) => `${one}.${key}-creates-nothing`),
    );
    const { ids } = await judgeServer(mutant, all, { config: { settleMs: 500 } });
    expect(ids('failed')).toEqual([`${operation}.${credentials}-creates-nothing`]);
  });
});

describe('a list that shows the resources of all organizations', () => {
  const rules = ['organization-in-body', 'own-organization-at-once', 'belongs-to-organization'];

  it.each([
    ['createDrive', 'listDrives', 'drives-of-all-organizations-are-listed'],
    ['createMcpServer', 'listMcpServers', 'mcp-servers-of-all-organizations-are-listed'],
  ])('is named as the cause where it shows what %s created', async (create, list, mutant) => {
    const [cause, follow] = [`${list}.hides-other-organization`, rules.map((rule) => `${create}.${rule}`)];
    const { of } = await judgeServer(mutant, [cause, ...follow], { config: { settleMs: 500 } });
    expect(of(cause)).toMatchObject({ outcome: 'failed' });
    expect(of(cause)?.because).toBeUndefined();
    const actual = expect.stringMatching(/^the list of the other organization shows it: \{"id":/);
    for (const id of follow) expect(of(id)).toMatchObject({ outcome: 'failed', because: cause, evidence: { actual } });
  });

  it('is not the cause where a resource belongs to the organization in the body', async () => {
    const check = 'createMcpServer.organization-in-body';
    const only = [check, 'listMcpServers.hides-other-organization'];
    const { of, ids } = await judgeServer('an-mcp-server-belongs-to-the-organization-in-the-body', only);
    expect(ids('failed')).toEqual([check]);
    expect(of(check)?.because).toBeUndefined();
    expect(of(check)?.evidence?.actual).toMatch(/^the organization in the body: "/);
  });
});

it.each<[operation: string, setting: string, Partial<Config>, change: Partial<Fixtures>]>([
  ['deleteDriveTree', 'openPoints.treePathParameter: dir', { openPoints: { treePathParameter: 'dir' } }, {}],
  ['publishAgentRevision', 'fixtures.agent', {}, { agent: { id: agentId, revisionId: 'no-such-revision' } }],
  ['listMcpServerTools', 'fixtures.mcpServer', {}, { mcpServer: { id: 'no-such-server' } }],
])('a refused request of %s names %s, which may be wrong', async (operation, setting, config, change) => {
  const check = `${operation}.is-served`;
  const { of } = await judgeServer({}, [check], { config, declare: (all) => ({ ...all, ...change }) });
  expect(of(check)?.evidence?.actual).toMatch(/^status 4\d\d; the request uses /);
  expect(of(check)?.evidence?.actual).toContain(`uses ${setting} of the config, which may be wrong`);
  expect(of(check)?.required?.[0]?.text).toMatch(/^(GET|POST|DELETE) \//);
});

describe('a check behind a failure', () => {
  it('says that owners cannot be compared, not that data is missing, if a list names several', async () => {
    const only = ['listMcpServers.same-organization-as-drives', 'listMcpServers.items-name-one-organization*'];
    const { of, ids } = await judgeServer('the-first-mcp-server-names-another-organization', only);
    expect(ids('inconclusive', 'not-enabled')).toEqual(only.slice(0, 1));
    expect(of(only[0] ?? '')?.because).toBe('listMcpServers.items-name-one-organization.each-answer');
  });

  it('does not call disposable files too few if the server deleted one that it must keep', async () => {
    const { report, ids } = await judgeServer('a-tree-deletion-takes-one-file-more', ['deleteDriveTree.file-be*'], {
      declare: ({ disposableFiles = [], ...others }) => {
        const ofOneDrive = disposableFiles.filter(({ driveId }) => driveId === others.files?.[0]?.driveId);
        return { ...others, disposableFiles: ofOneDrive.slice(0, 5) };
      },
      config: { settleMs: 50 },
    });
    const unjudged = report.checks.filter(({ id }) => ids('inconclusive', 'not-enabled').includes(id));
    expect(unjudged.filter(({ setting }) => setting?.startsWith('more files in'))).toEqual([]);
    expect(unjudged.map(({ because }) => because)).toContain('deleteDriveTree.file-beside-is-kept');
  });
});

describe('server errors', () => {
  /** A run over the mock with another status for some answers of the list of drives. */
  const judge = (isMeant: (status: number) => boolean, status: number) =>
    judgeServer(behind(on('listDrives', changeStatus(isMeant, status))), ['listDrives.*'], reading());
  const reading = () => ({ mode: 'read' as const, clock: createWaitingClock() });
  const rule = 'listDrives.no-server-error';
  const isRefusal = (status: number) => status >= 400 && status !== 401;
  const terminal = (report: Report) => toTerminal(report, { color: false, command: '' });

  it('in response to bad input warn, and every report lists them with a curl line', async () => {
    const { report, of } = await judge(isRefusal, 500);
    expect(report.summary.failed).toBe(0);
    expect(of(rule)?.outcome).toBe('warned');
    const [listed, ...others] = report.serverErrors ?? [];
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ method: 'GET', path: '/drives', status: 500 });
    expect(listed?.count).toBeGreaterThan(2);
    expect(listed?.curl).toMatch(
      /^curl -i '?http\S+\/drives\?\S+ -H '(?:X-API-Key|Authorization): (?:Bearer )?'"\$AGENT_PLATFORM_API_KEY"/,
    );
    expect(terminal(report)).toMatch(/Server errors \(1\)\n\n {2}GET \/drives: 500, \d+ times\n {4}curl -i /);
    for (const name of ['html', 'markdown', 'json'] as const)
      expect(reporters[name].write(report), name).toMatch(/500, \d+ times|"status": 500/);
  });

  it.each<[string, (status: number) => boolean, number, Outcome, Outcome, number[]]>([
    ['to valid requests fail as well', (status) => status === 200, 500, 'failed', 'warned', [500]],
    ['of a gateway are listed, but neither fail nor warn', isRefusal, 503, 'passed', 'passed', [503]],
    ['are not mentioned where there are none', () => false, 500, 'passed', 'passed', []],
  ])('%s', async (_, isMeant, status, served, outcome, listed) => {
    const { report, of, ids } = await judge(isMeant, status);
    expect([of('listDrives.is-served')?.outcome, of(rule)?.outcome]).toEqual([served, outcome]);
    expect(report.serverErrors?.map((error) => error.status) ?? []).toEqual(listed);
    if (served === 'passed') expect(ids('failed', 'warned')).toEqual([]);
    expect(/Server errors/.test(terminal(report))).toBe(listed.length > 0);
  });

  it('warn when they come only after the checks, while the run observes or tidies up', async () => {
    const only = ['updateDriveFile.no-server-error', 'updateDriveFile.is-served'] as const;
    const fault = on(
      'updateDriveFile',
      changeStatus((status) => status === 409, 500),
    );
    const { of, ids } = await judgeServer(behind(fault), only, { observe: true, clock: createWaitingClock() });
    expect([ids('warned'), ids('failed')]).toEqual([[only[0]], []]);
    expect(of(only[0])?.evidence?.actual).toMatch(/^status 500/);
  });

  it('of requests like others that succeed name the refused request before them', async () => {
    let wasRefused = false;
    const fault: WireFault = async (_, response, forward) => {
      const answer = await forward();
      const isMeant = wasRefused && answer.status === 200;
      wasRefused = answer.status === 404;
      return write(response, isMeant ? { status: 500, headers: {}, body: '' } : answer);
    };
    const { of } = await judgeServer(behind(fault), ['getDriveFile.*'], reading());
    const { evidence } = of('getDriveFile.no-server-error') ?? {};
    expect(evidence?.actual).toMatch(
      /^status 500\b.*\. The failures began after GET \S+ was refused with status 404: since then, requests that otherwise succeed have failed too$/,
    );
    expect(evidence?.exchanges.map(({ response }) => response?.status)).toEqual([404, 500]);
  });
});

describe('a legal server that', () => {
  it.each([
    ['names-of-letters', 'named with letters in place of the run id'],
    ['names-of-several-words', 'named without the run id'],
  ])('accepts only some names is not failed, and gets a whole receipt: %s', async (id, note) => {
    const only = ['create*.is-served', 'create*.name-taken-over', 'listDrives.parallel-creations'];
    const { report, receiptErrors } = await judgeOdd(id, only);
    expect(report.summary).toMatchObject({ failed: 0, inconclusive: 0, 'not-enabled': 0 });
    expect(receiptErrors).toEqual([]);
    const notes = report.leftovers.map((left) => left.note.replace(/with \w+ in/, 'with letters in'));
    expect([...new Set(notes)]).toEqual([`cannot be deleted through the API; ${note}`]);
  });

  it('refuses even names like the listed ones fails; where none are listed, that does not apply', async () => {
    const id = 'createDrive.is-served';
    const wire = () =>
      on(
        'createDrive',
        changeStatus(() => true, 422),
      );
    const config = { fixtures: {}, apiKey: 'demo-key', otherApiKey: 'other' };
    const outcomes = [{ wire }, { wire, seed: { organizations: [{ name: 'A', keys: ['demo-key'] }] } }].map(
      async (server) => (await judgeServer(server, [id], { config, declare: () => ({}) })).of(id)?.outcome,
    );
    expect(await Promise.all(outcomes)).toEqual(['failed', 'skipped']);
  });

  // Which fields the pagination object has is open: what they would show does not apply where they are left out.
  it.each([
    ['all', ['passed', 'passed', 'passed'], 'conformant'],
    ['withoutTotal', ['passed', 'passed', 'skipped'], 'conformant'],
    ['none', ['skipped', 'skipped', 'skipped'], undefined],
  ] as const)('has paginationFields = %s is not inconclusive', async (paginationFields, outcomes, verdict) => {
    const rules = ['pagination-repeats-limit', 'pagination-repeats-offset', 'total-coherent'];
    const only = rules.map((rule) => `listDrives.${rule}`);
    const { report, of } = await judgeServer({ profile: { paginationFields } }, only, { mode: 'read' });
    expect(only.map((id) => of(id)?.outcome)).toEqual(outcomes);
    if (verdict !== undefined) expect(report.verdict).toBe(verdict);
  });

  // The MCP server of the config is down, and the target says so in its way: no fault of the target.
  it.each([...sampleOf([502, 503, 504] as const, 1), 424, 'none'] as const)(
    'cannot reach an MCP server fails no check with unreachableTools = %s',
    async (unreachableTools) => {
      const mock = await createMock({ liveMcp: true, set: { unreachableTools, toolsOfNewServer: 'live' } });
      const running = { mock, baseUrl: mock.url, close: () => mock.close() };
      const { ids } = await judgeRunning(running, ['listMcpServerTools.*'], {
        ...{ mode: 'read', config: { settleMs: 100 }, clock: createWaitingClock() },
      });
      expect([ids('failed'), ids('passed').length > 0]).toEqual([[], true]);
    },
  );

  // A list that cannot be read for the moment shows no agent: that is no sign that the agents are gone.
  it.each(sampleOf([1, 2, 3, 4], 2))(
    'has a list of the other organization that cannot be read after %i readings is failed for nothing',
    async (after) => {
      let readings = 0;
      const fault: WireFault = async (request, response, forward) => {
        const isOthers = request.url?.endsWith('/agents') && JSON.stringify(request.headers).includes('demo-key-2');
        if (isOthers && [after + 1, after + 2].includes(++readings)) return void response.writeHead(429).end();
        await passOn(request, response, forward);
      };
      const { ids } = await judgeServer(behind(fault), ['publishAgentRevision.*'], { clock: createWaitingClock() });
      expect(ids('failed')).toEqual([]);
      expect(readings).toBeGreaterThan(3);
    },
  );

  // The proof of the suite runs over all lean lists; these two lack the most.
  it.runIf(isFull).each(['listed-items-have-ids-only', 'listed-items-are-empty'])(
    'lists as little as this fails no check: %s',
    async (id) => {
      expect((await judgeOdd(id, [])).ids('failed')).toEqual([]);
    },
  );
});
