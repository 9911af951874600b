import { describe, expect, it } from 'vitest';
import type { WireFault } from '../../proof/power/mutant.ts';
import { addDrives, changeListed, drives, sequence, treesOf } from '../../proof/power/mutants/patch-store.ts';
import { idsIn, isSuccess, on, write } from '../../proof/power/mutants/wire-faults.ts';
import { moveForAnother } from '../../proof/power/odd/others.ts';
import type { Startable } from '../../proof/power/start-mutant.ts';
import { depth, drawn } from '../support/depth.ts';
import { judgeServer } from '../support/judged-server.ts';
import { timeLimit } from '../support/time-limit.ts';

/** When another client does something: after so many accepted requests of the run. */
interface Moment {
  after: number;
  /** How many there were. */
  count: number;
}

/** What the suite finds of a server on which another client acts once. */
async function findings(server: Startable, only: readonly string[]): Promise<string[]> {
  const config = { timeoutMs: timeLimit(10_000), settleMs: 300 };
  return (await judgeServer(server, only, { config })).ids('failed', 'warned');
}

/** Right after one move of the run, someone moves that file: elsewhere, or back to where it was. */
function movedOnce(moment: Moment, isBack: boolean): Startable {
  const wire: NonNullable<Startable['wire']> = (engine) =>
    on('updateDriveFile', async (request, response, forward) => {
      const [driveId = '', id = ''] = idsIn(request.url ?? '');
      const before = treesOf(engine)
        .find((drive) => drive.driveId === driveId)
        ?.tree.find(id)?.path;
      const answer = await forward();
      if (isSuccess(answer.status) && ++moment.count === moment.after)
        moveForAnother(engine, { driveId, id }, isBack && before !== undefined ? before : `/someone/${id}`);
      write(response, answer);
    });
  return { wire };
}

/** Right before one page is read, the order of a list of several pages turns round, once and for all. */
function turnedOnce(moment: Moment): Startable {
  const counted: WireFault = async (_request, response, forward) => {
    moment.count += 1;
    write(response, await forward());
  };
  const isTurned = () => moment.count >= moment.after;
  const order = changeListed(drives, (all) => (isTurned() ? all.toReversed() : all));
  return { break: sequence(addDrives(130), order), wire: () => on('listDrives', counted) };
}

const never = Number.POSITIVE_INFINITY;

/** Some of the moments of a run in which another client may act. */
async function momentsOf(start: (moment: Moment) => Startable, only: readonly string[], count: number) {
  const undisturbed = { after: never, count: 0 };
  expect(await findings(start(undisturbed), only)).toEqual([]);
  return drawn(
    Array.from({ length: undisturbed.count }, (_, index) => index + 1),
    count,
  );
}

const aboutMoves = ['updateDriveFile.*'];
const aboutTrees = ['deleteDriveTree.*'];
const aboutDrives = ['listDrives.*', 'createDrive.*'];

const cases: { what: string; start(moment: Moment): Startable; only: readonly string[] }[] = [
  { what: 'moves a file away that was moved', start: (moment) => movedOnce(moment, false), only: aboutMoves },
  { what: 'moves a file back that was moved', start: (moment) => movedOnce(moment, true), only: aboutMoves },
  {
    what: 'moves a file away from where a tree needs it',
    start: (moment) => movedOnce(moment, false),
    only: aboutTrees,
  },
  { what: 'turns the order of a long list round', start: turnedOnce, only: aboutDrives },
];

describe('another client that acts once, at any moment of the run,', () => {
  it.each(cases)('causes no failure and no warning: $what', async ({ start, only }) => {
    for (const after of await momentsOf(start, only, depth(1, 9)))
      expect({ after, found: await findings(start({ after, count: 0 }), only) }).toEqual({ after, found: [] });
  });
});
