import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../conformance/config/settings.ts';
import type { Report } from '../../conformance/report.ts';
import { runSuite } from '../../conformance/run.ts';
import type { Clock } from '../../conformance/target/clock.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { otherThan } from '../../proof/power/mutants/patch.ts';
import { changeListed, inEachTree, mcpServers } from '../../proof/power/mutants/patch-store.ts';
import { changeAnswer, operationIdOf, passOn, withBody, write } from '../../proof/power/mutants/wire-faults.ts';
import type { Startable } from '../../proof/power/start-mutant.ts';
import { startMutant } from '../../proof/power/start-mutant.ts';
import { sampleOf } from '../support/depth.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** The report on a server with a fault. It never hangs, but a busy machine may. */
async function judge(
  server: Startable,
  only: string[],
  overrides: Partial<Config> = {},
  clock?: Clock,
): Promise<Report> {
  const { mock, baseUrl, close } = await startMutant(server);
  closers.push(close);
  const settings = settingsForMock(mock, baseUrl, 'write', { settleMs: 400, timeoutMs: 30_000, ...overrides });
  const report = await runSuite(settings, {
    ...{ tool: 'test', only, observe: Object.keys(settings.require).length > 0 },
    ...(clock === undefined ? {} : { clock }),
  });
  expect(report.run.suiteError).toBeUndefined();
  return report;
}

function of(report: Report, id: string) {
  return report.checks.find((check) => check.id === id);
}

function failedIn({ checks }: Report): string[] {
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

describe('a deletion that takes longer than the time to settle', () => {
  const late: Startable = {
    profile: { deleteStatus: 202 },
    break: (engine, signal) =>
      inEachTree(({ tree }) => {
        const remove = tree.remove.bind(tree);
        tree.remove = (id) => {
          const { path } = tree.find(id) ?? {};
          const timer = setTimeout(() => tree.find(id)?.path === path && remove(id), 900);
          signal.addEventListener('abort', () => clearTimeout(timer));
        };
      })(engine),
  };

  it('fails one check, which names --settle and the time that it took', async () => {
    const report = await judge(late, ['deleteDriveTree.file-below-is-gone*']);
    expect(failedIn(report)).toEqual(['deleteDriveTree.file-below-is-gone']);
    expect(of(report, 'deleteDriveTree.file-below-is-gone')?.reason).toMatch(
      /status 200 after 400 ms; it was gone after \d+ ms: .* set --settle \d+/,
    );
    expect(of(report, 'deleteDriveTree.file-below-is-gone.deep')?.outcome).toBe('inconclusive');
  });
});

describe('a deleted file that is read with status 200 and words that it is not there', () => {
  it('is not said to be there still', async () => {
    const gone: Startable = {
      wire: () => async (request, response, forward) => {
        const answer = await forward();
        if (operationIdOf(request) !== 'getDriveFile' || answer.status !== 404) return write(response, answer);
        write(response, withBody({ ...answer, status: 200 }, '{"message":"File not found"}'));
      },
    };
    const report = await judge(gone, ['deleteDriveTree.file-below-is-gone', 'getDriveFile.id-asked-for']);
    const check = of(report, 'deleteDriveTree.file-below-is-gone');
    expect(check).toMatchObject({ outcome: 'inconclusive', reason: expect.stringContaining('File not found') });
    expect(check?.reason).toContain('getDriveFile.id-asked-for');
    expect(failedIn(report)).toEqual(['getDriveFile.id-asked-for']);
  });
});

describe('an MCP server of another organization in the list', () => {
  it('is the finding of the list, not of its tools', async () => {
    const leaking: Startable = {
      break: (engine) =>
        changeListed(mcpServers, (own, organization) => {
          const foreign = mcpServers(otherThan(organization, engine)).byId.values();
          return [...foreign, ...own];
        })(engine),
    };
    const only = ['listMcpServerTools.is-served', 'listMcpServers.hides-other-organization'];
    const { mcpServer: _, ...fixtures } = await usualFixtures();
    const report = await judge(leaking, only, { fixtures });
    expect(failedIn(report)).toEqual(['listMcpServers.hides-other-organization']);
  });
});

describe('a list that is seconds old', () => {
  it('is seen, whichever list it is and however new it is by chance', async () => {
    // The list is old by the clock of the run, which waits in no time.
    const clock = createWaitingClock();
    const stale = ({ operation }: { operation: string }): Startable => ({
      wire: () => {
        const kept = new Map<string, { sinceMs: number; body: string }>();
        return changeAnswer(
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
      },
    });
    for (const operation of sampleOf(['listDrives', 'listMcpServers'], 1)) {
      const report = await judge(
        stale({ operation }),
        ['list*.is-served', 'create*.name-taken-over', 'list*.created-*'],
        {
          settleMs: 15_000,
          require: { readAfterWrite: 'immediate' },
        },
        clock,
      );
      expect(report.requiredChoices, operation).toMatchObject([{ openPoint: 'readAfterWrite', seen: 'lagging' }]);
    }
  });
});

describe('the MCP server of the suite', () => {
  const hosting = { hostMcpServer: true, settleMs: 300 };
  const only = ['listMcpServerTools.hosted-tools.streamable-http'];

  it('counts every 502 that is returned for its tools', async () => {
    let count = 0;
    const broken: Startable = {
      wire: () => async (request, response, forward) => {
        if (operationIdOf(request) !== 'listMcpServerTools') return passOn(request, response, forward);
        count++;
        write(response, { status: 502, headers: {}, body: '' });
      },
    };
    const report = await judge(broken, only, hosting);
    const errors = report.serverErrors?.filter(({ status }) => status === 502) ?? [];
    expect(count).toBeGreaterThan(1);
    expect(errors.map((error) => error.count)).toEqual([count]);
  });

  it('tells a client that skips initialize from one that cannot reach it', async () => {
    const hasty: Startable = {
      tools:
        () =>
        async ({ url }) => {
          const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
          const accept = 'application/json, text/event-stream';
          const answer = await fetch(url, {
            method: 'POST',
            body,
            headers: { 'content-type': 'application/json', accept },
          });
          if (!answer.ok) throw new Error(`status ${answer.status}`);
          return [];
        },
    };
    const report = await judge(hasty, only, hosting);
    const [check] = report.checks.filter(({ id }) => id === only[0]);
    expect(check?.outcome).toBe('warned');
    expect(check?.reason).toMatch(/reached \d+ times?; \d+ of the requests were messages without a session/);
    expect(JSON.stringify(check)).not.toContain('--host-mcp-url');
  });
});

async function usualFixtures() {
  const { mock, baseUrl, close } = await startMutant({});
  closers.push(close);
  return settingsForMock(mock, baseUrl, 'write').fixtures;
}
