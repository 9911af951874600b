import type { Operation } from '../openapi/contract/operations.ts';
import type { RegisteredCheck } from './checks/index.ts';
import type { Effects, SharedEffect } from './plan/demands.ts';
import type { Session } from './session.ts';

/** What a check reads and changes, by first path segment: `agents`, `drives`, `mcp-servers`. */
interface Touched {
  reads: ReadonlySet<string>;
  writes: ReadonlySet<string>;
  isAboutKeys: boolean;
}

/**
 * Runs checks in parallel if none changes what another one reads, and otherwise in order. `run` resolves to whether to
 * go on; if not, no further check starts. Resolves when all started checks have ended. `done` has the shared effects
 * that happened already and change nothing any more; this function adds to it.
 */
export async function runTogether(
  session: Session,
  checks: readonly RegisteredCheck[],
  done: Set<SharedEffect>,
  run: (check: RegisteredCheck) => Promise<boolean>,
): Promise<void> {
  let waiting = [...checks];
  const running = new Map<Touched, Promise<void>>();
  let goesOn = true;
  while (goesOn && waiting.length + running.size > 0) {
    const touching = waiting.map((check) => ({ check, touched: touchedBy(session, check, done) }));
    const next = startable(touching, [...running.keys()]);
    waiting = waiting.filter((check) => !next.some((one) => one.check === check));
    for (const { check, touched } of next) {
      const ended = run(check).then((isFine) => {
        goesOn &&= isFine;
        running.delete(touched);
        for (const name of sharedBy(check.effects)) done.add(name);
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

/** The checks that disturb none that is running or waiting before them. */
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
