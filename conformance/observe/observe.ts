import { setTimeout } from 'node:timers/promises';
import { say } from '../../lib/sentence.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { type Choice, isLegalChoice } from '../../openapi/points/open-point.ts';
import { tiedMs } from '../../openapi/reading/formats.ts';
import { inOneLine } from '../../openapi/reading/learned-profile.ts';
import { phases } from '../check.ts';
import type { Settings } from '../config/settings.ts';
import { inParallel } from '../in-parallel.ts';
import { inSession } from '../in-session.ts';
import { collectLeftovers } from '../probing/leftovers.ts';
import { moveAllBack } from '../probing/move-back.ts';
import { repliesTo } from '../probing/operations.ts';
import { readPage } from '../probing/paging.ts';
import { reach } from '../reach.ts';
import type { Session } from '../session.ts';
import { ifSeen, type Observer, type Seen } from './observer.ts';
import { SessionReading } from './session-reading.ts';
import { observers } from './table.ts';

/** The pause between creations: without it, a fast target would not show their order. */
const apartMs = tiedMs + 5;

/** What a target does at open points. */
export interface Observed {
  /** By open point; `other` if it is not a listed choice. What was not seen is absent. */
  observed: Record<string, Choice>;
  /** What was seen instead, redacted and in short, for each `other`. */
  samples: Record<string, string>;
}

/**
 * Sends requests that reveal open points, as far as the settings permit, and reads the choices from all replies of the
 * run. Judges nothing. `chosen`: the observers to use.
 */
export async function observe(session: Session, chosen: readonly Observer[] = observers): Promise<Observed> {
  const points = new Map(loadOpenPoints().map((point) => [point.id, point]));
  const result: Observed = { observed: {}, samples: {} };
  const reading = new SessionReading(session);
  await firstLook(session);
  const seen = new Map<string, Seen>();
  const isReading = ({ phase, see }: Observer) => phase === 'read' && see === undefined;
  await inParallel(chosen.filter(isReading), async ({ ask }) => ask && ifSeen(ask(session)));
  const others = chosen.filter((one) => !isReading(one));
  for (const { openPoint, phase, ask, see } of phases.flatMap((phase) => others.filter((one) => one.phase === phase))) {
    if (phase === 'create' && session.settings.allowWrites) await setTimeout(apartMs);
    if (ask !== undefined) await ifSeen(ask(session));
    if (see !== undefined) seen.set(openPoint, await ifSeen(see(session, reading)));
  }
  for (const { openPoint, see } of chosen) {
    // What a separate look left open, the other replies may show.
    const found = (see && seen.get(openPoint)) ?? reading.seen(openPoint);
    const point = points.get(openPoint);
    if (found === undefined || point === undefined) continue;
    const isChoice = typeof found !== 'object' && isLegalChoice(point, found);
    result.observed[openPoint] = isChoice ? found : 'other';
    if (isChoice) continue;
    const sample = typeof found === 'object' ? found.other : say`${String(found)}`;
    result.samples[openPoint] = inOneLine(sample.shown(session.redact));
  }
  return result;
}

/** Safe readings of everything readable, so that there are replies to observe. They are sent once per run. */
async function firstLook(session: Session): Promise<void> {
  for (const operation of ['listAgents', 'listDrives', 'listMcpServers', 'getDriveFile'] as const) {
    await ifSeen(repliesTo(session, operation));
  }
  // Before the observers create drives: how later pages differ shows the default limit.
  await ifSeen(readPage(session, {}));
}

/** The same for a target about which nothing is known yet. Moved files are moved back. */
export function observeTarget(settings: Settings, tool: string): Promise<Observed & { session: Session }> {
  return inSession(settings, { tool, reason: say`stopped` }, async (session) => {
    await reach(session);
    const result = await observe(session);
    await moveAllBack(session);
    await collectLeftovers(session);
    return { ...result, session };
  });
}
