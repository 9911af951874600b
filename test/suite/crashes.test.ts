import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../conformance/report/report.ts';
import { toTerminal } from '../../conformance/report/terminal.ts';
import type { RunOptions } from '../../conformance/run/run.ts';
import { exitCodeOf } from '../../conformance/run/verdict.ts';
import type { Mode } from '../../proof/power/fixtures.ts';
import { createMock } from '../../src/index.ts';
import { isFull } from '../support/depth.ts';
import { answerOf } from '../support/dying-target.ts';
import { judgeRunning } from '../support/judged-server.ts';
import { startUpstream } from '../support/upstream.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

type Meant = (request: IncomingMessage, body: string) => boolean;

/** Starts a front of a mock that crashes at each selected request. */
async function startCrashing(mockUrl: string, isMeant: Meant) {
  let count = 0;
  const front = await startUpstream(async (request, response) => {
    // A request in progress when the process ended has no body.
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    if (!isMeant(request, body.toString())) return (await answerOf(mockUrl, request, body))(response);
    count++;
    await front.close();
  });
  return { ...front, crashes: () => count };
}

/** A run against a target that ends at some requests and is started again. */
async function judge(mode: Mode, isMeant: Meant, options: Partial<RunOptions> & { only: string[] }) {
  const mock = await createMock();
  const target = await startCrashing(mock.url, isMeant);
  const close = () => target.close().finally(() => mock.close());
  const judged = await judgeRunning({ mock, baseUrl: target.url, close }, options.only, {
    ...{ mode, config: { settleMs: 400 }, clock: createWaitingClock(), ...options },
    // As under a supervisor: it starts again once the run has seen that it is gone, however late the run looks.
    onStart: ({ target: seen }) => {
      seen.onExchange = ({ request, answered }) => {
        if (request === seen.heartbeat && answered.failure?.kind === 'refused') void target.listenAgain();
      };
    },
  });
  return { ...judged, exitCode: exitCodeOf(judged.report, false), crashes: target.crashes() };
}

const failed = ({ checks }: Report) => checks.filter(({ outcome }) => outcome === 'failed');
const hasDots: Meant = ({ method }, body) => method === 'PATCH' && body.includes('..');

/** Is meant only once. */
function once(isMeant: Meant): Meant {
  let isOver = false;
  return (request, body) => {
    if (isOver || !isMeant(request, body)) return false;
    isOver = true;
    return true;
  };
}

describe('a request that crashes the target', () => {
  it('is repeated, and fails the check that sent it', async () => {
    const only = ['updateDriveFile.dot-dot-segment.only', 'updateDriveFile.is-served', 'listAgents.is-served'];
    const { report, exitCode, crashes } = await judge('write', hasDots, { only });
    const [first, ...others] = failed(report);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ id: 'updateDriveFile.dot-dot-segment.only' });
    expect(first?.reason).toMatch(/crashed again when the request was repeated: PATCH http:\S+\/files\/\S/);
    expect(first?.evidence?.curl).toMatch(/^curl -i -X PATCH /);
    // The check sends its path in either header: a second request may be on its way at the first crash, and is repeated too.
    expect([2, 3, 4]).toContain(crashes);
    expect(report.run.crashes?.[0]).toMatchObject({ check: 'updateDriveFile.dot-dot-segment.only', isRepeated: true });
    expect({ exitCode, verdict: report.verdict }).toEqual({ exitCode: 1, verdict: 'non-conformant' });
    expect(report.run.suiteError).toBeUndefined();
  });

  it('fails a check of a should as well', async () => {
    const isMeant: Meant = ({ url = '' }) => url.includes('offset=-1');
    const { report, exitCode } = await judge('read', isMeant, { only: ['listDrives.*offset*'] });
    expect(failed(report).map(({ level }) => level)).toContain('should');
    expect(exitCode).toBe(1);
  });

  it('is left alone when it crashes the target again and again, and no file stays away', async () => {
    const { report, exitCode, crashes, receiptErrors } = await judge('write', hasDots, {
      observe: false,
      only: isFull ? [] : ['updateDriveFile.path*', 'updateDriveFile.dot-dot*'],
    });
    expect(failed(report).length).toBeGreaterThan(0);
    expect(crashes).toBeLessThan(12);
    expect(exitCode).toBe(1);
    expect(receiptErrors).toEqual([]);
  });
});

describe('a crash that does not repeat', () => {
  it('lets the run go on with a remark, and with an exit code other than 0', async () => {
    const isMeant = once(({ url = '' }) => url.includes('/mcp-servers'));
    const { report, exitCode, crashes } = await judge('read', isMeant, { only: ['listMcpServers.*', 'listAgents.*'] });
    expect(crashes).toBe(1);
    expect(failed(report)).toEqual([]);
    const [note] = report.run.crashes ?? [];
    expect(note?.isRepeated).toBe(false);
    const check = report.checks.find(({ id }) => id === note?.check);
    expect(check).toMatchObject({ outcome: 'passed' });
    expect(check?.reason).toMatch(/The target crashed during GET \S+\. It did not crash when/);
    expect({ exitCode, verdict: report.verdict }).toEqual({ exitCode: 3, verdict: 'inconclusive' });
    const text = toTerminal(report, { color: false, command: 'agent-platform-contract conformance' });
    expect(text).toMatch(/The target crashed and came back \(1\)\n\n {2}GET \S+, sent by \S+: crashed it once/);
    expect(text).toMatch(/\nINCONCLUSIVE: the target crashed 1 time; /);
  });

  it('repeats a creation of a check, and the receipt names all that it left behind', async () => {
    const isMeant = once(({ method, url = '' }) => method === 'POST' && url.endsWith('/drives'));
    const { report, receiptErrors } = await judge('write', isMeant, {
      only: ['createDrive.*', 'listDrives.created-*'],
    });
    expect(failed(report)).toEqual([]);
    expect(report.run.crashes?.length).toBe(1);
    expect(receiptErrors).toEqual([]);
  });
});
