/*
 * Which checks run at the same time. Most of a run is waiting for responses, so whatever does not disturb anything else starts
 * at once; the target bounds how many requests are in progress. A group (`check.ts`) is one unit: its checks are tried beside
 * each other, and what that does not settle runs again alone, as if there were no group.
 */
import type { Operation } from '../../openapi/contract/operations.ts';
import { type Effects, groups, type SharedEffect } from '../checks/check.ts';
import type { RegisteredCheck } from '../checks/index.ts';
import { withFile } from '../probing/files.ts';
import { filesToSpread } from '../probing/placed-files.ts';
import type { MovableFile } from '../safety/receipt.ts';
import { currentTrial } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { inParallel } from './once.ts';
import type { JudgedCheck } from './run-check.ts';
import { Stopped } from './signals.ts';

/** Checks that are scheduled as one: a group, or a single check. */
export type Unit = readonly RegisteredCheck[];

/**
 * The units of some checks, each where its first check is. One that moves files stands where its last check is: checks before
 * that may need files that were not moved yet.
 */
export function unitsOf(checks: readonly RegisteredCheck[]): Unit[] {
  const units = new Map<string, RegisteredCheck[]>();
  for (const check of checks) {
    const { id, together } = check;
    const key = together ?? id;
    const unit = units.get(key) ?? [];
    if (together !== undefined && groups[together].haveFiles) units.delete(key);
    units.set(key, [...unit, check]);
  }
  return [...units.values()];
}

type Run = (check: RegisteredCheck) => Promise<JudgedCheck>;

/**
 * Tries the checks of a group beside each other. Resolves to the results that count: of those that passed, and only if all have
 * where one that did not may hide others. The rest has to run alone: what a finding is due to is only certain then, and whether
 * the target accepts parallel writes is open.
 */
export async function tryTogether(session: Session, unit: Unit, run: Run): Promise<Map<string, JudgedCheck>> {
  const group = unit[0]?.together;
  if (group === undefined || unit.length === 1) return new Map();
  const { haveFiles, mayHide } = groups[group];
  const files = haveFiles ? await filesToSpread(session).catch(ifStopped) : [];
  const chains = haveFiles ? dealt(unit, Math.max(1, files.length)) : unit.map((check) => [check]);
  const tryAll = () => inParallel(chains.entries(), ([turn, chain]) => inTurn(chain, run, files[turn]));
  const all = await currentTrial.run({ isOver: false, shared: new Map() }, tryAll);
  const tried = all.flat();
  const passed = tried.filter((result) => result?.outcome === 'passed');
  const counted = mayHide && passed.length < unit.length ? [] : passed;
  return new Map(counted.flatMap((result) => (result === undefined ? [] : [[result.id, result]])));
}

// What ended the run shows again when the checks run alone.
function ifStopped(error: unknown): MovableFile[] {
  if (error instanceof Stopped) return [];
  throw error;
}

/** Which check gets which file must not depend on which one is faster. */
function dealt(unit: Unit, count: number): Unit[] {
  return Array.from({ length: count }, (_, turn) => unit.filter((__, index) => index % count === turn));
}

/** Runs checks one after the other. What is thrown shows again when the check runs alone. */
async function inTurn(checks: Unit, run: Run, file?: MovableFile): Promise<(JudgedCheck | undefined)[]> {
  const results: (JudgedCheck | undefined)[] = [];
  const runOne = (check: RegisteredCheck) => run(check).catch(() => undefined);
  for (const check of checks) {
    results.push(await (file === undefined ? runOne(check) : withFile(file, () => runOne(check))));
  }
  return results;
}

/** What a check reads and changes, by first path segment: `agents`, `drives`, `mcp-servers`. */
interface Touched {
  reads: ReadonlySet<string>;
  writes: ReadonlySet<string>;
  isAboutKeys: boolean;
}

/**
 * Runs units in parallel if none changes what another one reads, and otherwise in order. `run` resolves to whether to
 * go on; if not, no further one starts. Resolves when all started ones have ended. `done` has the shared effects
 * that happened already and change nothing any more; this function adds to it.
 */
export async function runTogether(
  session: Session,
  units: readonly Unit[],
  done: Set<SharedEffect>,
  run: (unit: Unit) => Promise<boolean>,
): Promise<void> {
  let waiting = [...units];
  const running = new Map<Touched, Promise<void>>();
  let goesOn = true;
  while (goesOn && waiting.length + running.size > 0) {
    const touching = waiting.map((unit) => ({ unit, touched: touchedByAll(session, unit, done) }));
    const next = startable(touching, [...running.keys()]);
    waiting = waiting.filter((unit) => !next.some((one) => one.unit === unit));
    for (const { unit, touched } of next) {
      const ended = run(unit).then((isFine) => {
        goesOn &&= isFine;
        running.delete(touched);
        for (const name of unit.flatMap(({ effects }) => sharedBy(effects))) done.add(name);
      });
      running.set(touched, ended);
    }
    await Promise.race(running.values());
  }
  await Promise.all(running.values());
}

function sharedBy({ shared = [], perhaps = [] }: Effects): readonly SharedEffect[] {
  return [...shared, ...perhaps];
}

/** The units that disturb none that is running or waiting before them. */
function startable<Waiting extends { touched: Touched }>(
  waiting: readonly Waiting[],
  running: readonly Touched[],
): Waiting[] {
  const before = [...running];
  return waiting.filter(({ touched }) => {
    const isFree = !before.some((other) => disturbs(touched, other) || disturbs(other, touched));
    before.push(touched);
    return isFree;
  });
}

// If several requests must be refused, one that is accepted does not change the response to another.
function disturbs({ writes, isAboutKeys }: Touched, other: Touched): boolean {
  if (isAboutKeys && other.isAboutKeys) return false;
  return [...writes].some((kind) => other.writes.has(kind) || other.reads.has(kind));
}

function touchedByAll(session: Session, unit: Unit, done: Set<SharedEffect>): Touched {
  const all = unit.map((check) => touchedBy(session, check, done));
  return {
    reads: new Set(all.flatMap(({ reads }) => [...reads])),
    writes: new Set(all.flatMap(({ writes }) => [...writes])),
    isAboutKeys: all.every(({ isAboutKeys }) => isAboutKeys),
  };
}

// A request that must be refused also counts as a write: a broken target performs it. Whether a target accepts parallel
// writes is open, so only one check writes at a time.
function touchedBy({ operations }: Session, check: RegisteredCheck, done: Set<SharedEffect>): Touched {
  const { operation, effects, isLast = false, isAboutKeys = false } = check;
  const { path, isRead } = operations.get(operation) as Operation;
  const own = path.split('/')[1] ?? '';
  const changed = kindsIn(effects, done);
  const written = isRead ? changed : [own, ...changed];
  const writes = new Set(written);
  if (writes.size > 0) writes.add('anything');
  return { reads: new Set([own, ...changed, ...(isLast ? ['anything'] : [])]), writes, isAboutKeys };
}

/** What shared effects change, if not drives or their contents. */
const kindsOfShared: Readonly<Partial<Record<SharedEffect, string>>> = {
  firstMcpServer: 'mcp-servers',
  secondMcpServer: 'mcp-servers',
  mcpServersOfBoth: 'mcp-servers',
  driveNamesake: 'drives',
  mcpServerNamesake: 'mcp-servers',
  publication: 'agents',
};

function kindsIn(effects: Effects, done: Set<SharedEffect>): string[] {
  const { drives, mcpServers, deletions, moves } = effects;
  const ofItsOwn = [...(drives || deletions || moves ? ['drives'] : []), ...(mcpServers ? ['mcp-servers'] : [])];
  const stillToDo = sharedBy(effects).filter((name) => !done.has(name));
  return [...ofItsOwn, ...stillToDo.map((name) => kindsOfShared[name] ?? 'drives')];
}
