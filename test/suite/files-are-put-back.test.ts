import { existsSync, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parseReport } from '../../conformance/report/parse-report.ts';
import type { Report } from '../../conformance/report/report.ts';
import { member, parseJson } from '../../openapi/reading/messages.ts';
import { takeSnapshot } from '../../proof/power/snapshot.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { type Ended, type RunningProcess, runCommand, startProcess, stopAgain } from '../support/command.ts';
import { isFull, sampleOf } from '../support/depth.ts';
import { answerOf } from '../support/dying-target.ts';
import { createFolder } from '../support/folder.ts';
import { breaking } from '../support/judging.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { wholeConfig } from '../support/whole-settings.ts';

const { at, write } = createFolder('files-are-put-back');

/** A request as a target receives it. */
interface Asked {
  method: string | undefined;
  /** The path to which a file should be moved; empty for other requests. */
  sentTo: string;
}

/**
 * What happens to the request at a moment. `answered`: it gets its response. `lost`: it is performed, but its
 * connection breaks. `hung`: it is performed, but gets no response. `dropped`: it is not performed, and its connection
 * breaks.
 */
type Fate = 'answered' | 'lost' | 'hung' | 'dropped';

/** A place in a run at which something happens. */
interface Moment {
  isHere(asked: Asked): boolean;
  fate: Fate;
}

/** Starts a front of the mock at `mockUrl`. At the first request of the moment it calls `act` before it responds. */
async function startMoment(mockUrl: string, moment: Moment, act: (front: TestUpstream) => unknown) {
  let isOver = false;
  const front = await startUpstream(async (request, response) => {
    const body = await buffer(request);
    const sentTo = member(parseJson(body.toString())?.value, 'path');
    const isNow = !isOver && moment.isHere({ method: request.method, sentTo: String(sentTo ?? '') });
    isOver ||= isNow;
    const fate = isNow ? moment.fate : 'answered';
    // Performed before the moment; answered after it.
    const answer = fate === 'dropped' ? undefined : await answerOf(mockUrl, request, body);
    if (fate === 'lost' || fate === 'dropped') request.socket.destroy();
    if (isNow) await act(front);
    if (fate === 'answered') answer?.(response);
  });
  return front;
}

/** Stops listening for a while, like a server that restarts. */
async function restart(front: TestUpstream): Promise<void> {
  await front.close();
  await setTimeout(400);
  await front.listenAgain();
}

const isMove = ({ method }: Asked) => method === 'PATCH';
const nth = (count: number, isOne: (asked: Asked) => boolean) => (asked: Asked) => isOne(asked) && --count === 0;

/** Places in a run; each is looked for anew in each run. */
const places: Readonly<Record<string, () => (asked: Asked) => boolean>> = {
  'the first move': () => nth(1, isMove),
  'the 20th move': () => nth(20, isMove),
  'the 60th move': () => nth(60, isMove),
  'a move into a tree': () => nth(2, ({ sentTo }) => sentTo.includes('/tree/')),
  'a deletion': () => nth(1, ({ method }) => method === 'DELETE'),
  'a move back': () => nth(1, ({ sentTo }) => originalPaths.has(sentTo)),
};
const originalPaths = new Set<string>();

const only = isFull
  ? ['createDrive.is-served', 'updateDriveFile.*', 'deleteDriveTree.*below*', 'deleteDriveTree.file-beside-is-kept*']
  : ['updateDriveFile.path-taken-over', 'updateDriveFile.read-shows-new-path', 'deleteDriveTree.file-below-is-gone'];

/** A run in a process of its own over a mock, and what happens at one moment of it. */
interface Scene {
  mock: Mock;
  before: Map<string, string>;
  running: RunningProcess;
  front: TestUpstream;
  moveLog: string;
  report: string;
}

let scenes = 0;

async function carryOut(
  moment: Moment,
  act: (running: RunningProcess, front: TestUpstream) => unknown,
  environment: Record<string, string> = {},
  timeoutMs = 1_500,
): Promise<Scene> {
  const mock = await createMock();
  const before = takeSnapshot(mock).files;
  for (const path of before.values()) originalPaths.add(path);
  const number = ++scenes;
  const [moveLog, report] = [at(`${number}.jsonl`), at(`${number}.json`)];
  const started = Promise.withResolvers<RunningProcess>();
  const front = await startMoment(mock.url, moment, async (target) => act(await started.promise, target));
  const limits = { timeoutMs, settleMs: 1_500 };
  const config = write(`${number}-config.json`, { ...wholeConfig(mock), baseUrl: front.url, ...limits });
  const args = ['--config', config, '--move-log', moveLog, '--json', report, ...only.flatMap((id) => ['--only', id])];
  const running = startProcess(['conformance', ...args], environment);
  started.resolve(running);
  return { mock, before, running, front, moveLog, report };
}

/** Files that are not where they were, and files that are gone. */
function changes({ mock, before }: Scene): { moved: string[]; gone: string[] } {
  const after = takeSnapshot(mock).files;
  const idOf = (key: string) => String(JSON.parse(key)[1]);
  const moved = [...after].filter(([key, path]) => before.get(key) !== path).map(([key]) => idOf(key));
  return { moved, gone: [...before.keys()].filter((key) => !after.has(key)).map(idOf) };
}

function reportOf({ report }: Scene): Report | undefined {
  return existsSync(report) ? parseReport(readFileSync(report, 'utf8'), report) : undefined;
}

/** Ends everything, and expects every file where it was, or told of as deleted. */
async function expectBack(scene: Scene): Promise<void> {
  const { moved, gone } = changes(scene);
  const reported = reportOf(scene)?.leftovers;
  await scene.front.close();
  await scene.mock.close();
  expect(moved).toEqual([]);
  if (reported === undefined) return;
  expect(reported.filter(({ kind }) => kind === 'file')).toEqual([]);
  expect(reported.flatMap(({ kind, id }) => (kind === 'deletedFile' ? [id] : [])).sort()).toEqual(gone.sort());
}

function momentAt(name: string, fate: Fate = 'answered'): Moment {
  return { isHere: places[name]?.() ?? (() => false), fate };
}

function restore({ moveLog }: Scene): Promise<Ended> {
  return runCommand(['conformance', 'restore', moveLog], { AGENT_PLATFORM_API_KEY: 'demo-key' });
}

// The quick run has fewer moves, and moves files back only at its end.
const names = Object.keys(places).filter((name) => isFull || !/\dth|back/.test(name));
const early = names.filter((name) => name !== 'a move back');

describe('every file is back', () => {
  const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const;
  const signals = Object.keys(exitCodes) as (keyof typeof exitCodes)[];
  const signalled = signals.flatMap((signal) => names.map((place) => ({ signal, place })));

  it.each(sampleOf(signalled, 1))('after $signal at $place', async ({ signal, place }) => {
    const scene = await carryOut(momentAt(place), (running) => void running.stop(signal));
    const { code, stdout, stderr } = await scene.running.ended;
    expect(stderr).toMatch(/^Stopping: moving files back/);
    expect(stdout).toMatch(/Left behind on the target \(\d+\)[\s\S]*The suite stopped: the run was interrupted/);
    expect(code).toBe(exitCodes[signal]);
    expect(stdout).toMatch(new RegExp(`\\nexit code ${code}: ${signal} stopped the run\\n.*\\n$`));
    expect(reportOf(scene)?.run.suiteError).toBe('the run was interrupted');
    expect(existsSync(scene.moveLog)).toBe(false);
    await expectBack(scene);
  });

  it.runIf(isFull)('after a second signal and restore; the signal lists the files and the move log', async () => {
    const moment = momentAt('the first move', 'hung');
    const scene = await carryOut(moment, (running) => void stopAgain(running), {}, 60_000);
    const { code, stdout } = await scene.running.ended;
    expect(code).toBe(130);
    const { moved } = changes(scene);
    expect(moved).toHaveLength(1);
    for (const id of moved) expect(stdout).toContain(`file ${id} in drive`);
    expect(stdout).toContain(`npm run conformance -- restore ${scene.moveLog}`);
    expect((await restore(scene)).code).toBe(0);
    await expectBack(scene);
  });

  const fates: readonly Fate[] = ['answered', 'dropped', 'hung'];
  const killed = names.map((place, index) => ({ place, fate: fates[index % 3] as Fate }));
  // To hang takes time.
  it.each(sampleOf(isFull ? killed : killed.filter(({ fate }) => fate !== 'hung'), 1))(
    'after kill -9 and restore: $fate at $place',
    async ({ place, fate }) => {
      const scene = await carryOut(momentAt(place, fate), (running) => void running.stop('SIGKILL'));
      await scene.running.ended;
      const first = await restore(scene);
      const { gone } = changes(scene);
      expect(first.stderr).toBe('');
      expect(first.code).toBe(gone.some((id) => first.stdout.includes(id)) ? 1 : 0);
      expect(first.stdout).not.toContain('cannot be moved');
      const second = await restore(scene);
      expect(second.code).toBe(first.code);
      expect(second.stdout).not.toContain('moved back');
      await expectBack(scene);
    },
  );

  it.each(sampleOf(early, 1))('after an error that nobody caught, at %s', async (place) => {
    const scene = await carryOut(momentAt(place), (running) => void running.stop('SIGUSR2'), breaking('signal'));
    const { code, stdout, stderr } = await scene.running.ended;
    expect(stderr).toMatch(/^The suite stopped; this says nothing about the target\. Error: broken on purpose/);
    expect(stdout).toContain('The suite stopped: an error in the suite: broken on purpose');
    expect(code).toBe(2);
    expect(existsSync(scene.moveLog)).toBe(false);
    await expectBack(scene);
  });

  const silenced = (['hung', 'lost', 'dropped'] as const).flatMap((fate) => names.map((place) => ({ fate, place })));
  it.runIf(isFull).each(sampleOf(silenced, 1))(
    'after a request without an answer; what kills the target is followed by a new start: $fate at $place',
    async ({ place, fate }) => {
      const scene = await carryOut(momentAt(place, fate), (_, front) => fate !== 'hung' && restart(front));
      // A check whose request got no answer may be inconclusive.
      expect([0, 1, 3]).toContain((await scene.running.ended).code);
      expect(existsSync(scene.moveLog)).toBe(false);
      await expectBack(scene);
    },
  );
});
