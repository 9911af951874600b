/** The walk: drawn steps, judged by the model. */
import { describe, expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.ts';
import { withFindings } from '../../conformance/rules/verdicts.ts';
import { describePlan, planOf, settingsFor } from '../../conformance/run/plan.ts';
import { reach } from '../../conformance/run/reach.ts';
import { moveAllBack } from '../../conformance/safety/tidy-up.ts';
import { inSession, type Session } from '../../conformance/target/session.ts';
import { walkAlong } from '../../conformance/walk/along.ts';
import { drawSteps } from '../../conformance/walk/steps.ts';
import { walk } from '../../conformance/walk/walk.ts';
import { say } from '../../lib/sentence.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { on, passOn, withBody, write } from '../../proof/power/mutants/wire-faults.ts';
import { oddLegalServers } from '../../proof/power/odd-legal-servers.ts';
import { receiptErrors, takeSnapshot } from '../../proof/power/snapshot.ts';
import { type Startable, startMutant } from '../../proof/power/start-mutant.ts';
import { createDemo } from '../support/whole-settings.ts';

const { without } = await createDemo();
const checks = allChecks();

/** Walks over a server, moves the files back, and does something with the session. */
async function walkOver<T>(server: Startable | (typeof oddLegalServers)[number], look: (session: Session) => T) {
  const running = 'start' in server ? await server.start() : await startMutant(server);
  const { mock, baseUrl, keys, fixtures, close } = running;
  const [apiKey = '', otherApiKey = ''] = keys;
  const settings = settingsForMock(mock, baseUrl, 'write', { apiKey, otherApiKey, fixtures, settleMs: 200 });
  const before = takeSnapshot(mock);
  return inSession(settings, { tool: 'test', reason: say`stopped` }, async (session) => {
    await reach(session);
    await walk(session, () => false);
    await moveAllBack(session);
    const errors = receiptErrors(before, takeSnapshot(mock), session.receipt.all());
    return { found: look(session), errors };
  }).finally(close);
}

const rulesIn = ({ judge }: Session) => judge.broken.map(({ rule, certainty }) => `${rule} ${certainty}`);

/** A server that fails when a file is moved to the path where it is. */
const failing: Startable = {
  wire: () => {
    const paths = new Map<string, string>();
    return on('updateDriveFile', async (request, response, forward) => {
      const answer = await forward();
      const { path } = answer.status === 200 ? (JSON.parse(String(answer.body)) as { path: string }) : { path: '' };
      const isAgain = path !== '' && paths.get(request.url ?? '') === path;
      if (path !== '') paths.set(request.url ?? '', path);
      write(response, isAgain ? withBody({ ...answer, status: 500 }, '{}') : answer);
    });
  },
};

describe('a walk', () => {
  it('draws the same steps from the same random seed, and others from another', () => {
    const settings = without();
    const drawn = drawSteps(settings);
    expect(drawSteps(settings)).toEqual(drawn);
    expect(drawSteps({ ...settings, randomSeed: settings.randomSeed + 1 })).not.toEqual(drawn);
    expect(drawSteps({ ...settings, walk: 0 })).toEqual({ lists: [], moves: [], trees: [] });
    const { lists, moves } = drawSteps({ ...settings, allowWrites: false });
    expect(new Set([...lists, ...moves].map(({ kind }) => kind))).toEqual(new Set(['list', 'tools', 'read']));
  });

  it('is announced with what it may change, and left out of a run of selected checks', () => {
    const settings = without();
    const text = describePlan(planOf(checks, settings), settings).join('\n');
    expect(text).toMatch(/Then it walks: up to 240 requests in a random order, which may create 3 drives/);
    expect(settingsFor(checks.slice(1), settings, []).walk).toBe(0);
    expect(describePlan(planOf(checks.slice(1), settings), settings).join()).not.toContain('walks');
  });

  it('finds nothing on a sound server, puts the files back, and leaves what its receipt says', async () => {
    const { found, errors } = await walkOver({ wire: () => passOn }, rulesIn);
    expect({ found, errors }).toEqual({ found: [], errors: [] });
  });

  it('blames no server for what another client does', async () => {
    const id = 'others-move-files-to-the-same-paths-often';
    const server = oddLegalServers.find((odd) => odd.id === id);
    if (server === undefined) throw new Error(`there is no ${id}`);
    const { found } = await walkOver(server, rulesIn);
    expect(found.filter((one) => one.endsWith(' certain'))).toEqual([]);
  });

  it('sends no more requests than it may', async () => {
    const { mock, baseUrl, close } = await startMutant({});
    const settings = settingsForMock(mock, baseUrl, 'write', { settleMs: 0, walk: 100 });
    const sent = await inSession(settings, { tool: 'test', reason: say`stopped` }, async (session) => {
      await reach(session);
      const scene = await walkAlong(session, drawSteps(settings));
      await moveAllBack(session);
      return scene.sent.length;
    }).finally(close);
    expect(sent).toBeGreaterThan(80);
    expect(sent).toBeLessThanOrEqual(100);
  });

  it('finds a fault that shows in a sequence, and shows it as the fewest steps', async () => {
    const rule = 'updateDriveFile.method-and-path';
    const { found, errors } = await walkOver(failing, (session) => {
      const results = checks.map(({ id, operation, level }) => {
        const result = { id, operation, level, requirements: [], requirement: '', reason: '', durationMs: 1 };
        return { ...result, outcome: 'passed' as const };
      });
      const reported = withFindings(session, checks, new Set(checks.map(({ id }) => id)), results);
      return { rules: rulesIn(session), result: reported.find(({ id }) => id === 'updateDriveFile.is-served') };
    });
    expect(errors).toEqual([]);
    expect(found.rules).toContain(`${rule} certain`);
    const { outcome, evidence } = found.result ?? {};
    expect(outcome).toBe('failed');
    const { curl = '', exchanges = [] } = evidence ?? {};
    expect(exchanges.at(-1)?.response?.status).toBe(500);
    expect(curl.split('\n').length).toBeLessThanOrEqual(10);
  });
});
