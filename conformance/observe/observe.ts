import { loadOpenPoints } from '../../openapi/contract/load.ts';
import { type Choice, isLegalChoice } from '../../openapi/contract/open-points.ts';
import { phases } from '../check.ts';
import type { Settings } from '../config/settings.ts';
import { reach } from '../reach.ts';
import { collectLeftovers } from '../scene/leftovers.ts';
import { moveAllBack } from '../scene/moves.ts';
import { Session } from '../session.ts';
import { ifSeen } from './observer.ts';
import { firstLook } from './shown.ts';
import { observers } from './table.ts';

/** What a target does where the specification is silent. */
export interface Observed {
  /** By open point; `other` where it is none that could be listed. What was not seen is absent. */
  observed: Record<string, Choice>;
  /** What was seen instead, redacted and in short, for each `other`. */
  samples: Record<string, string>;
}

const longestSample = 200;

/** Sees what it can by the replies of the run so far, and by requests that its settings permit. Judges nothing. */
export async function observe(session: Session): Promise<Observed> {
  const points = new Map(loadOpenPoints().map((point) => [point.id, point]));
  const result: Observed = { observed: {}, samples: {} };
  await firstLook(session);
  for (const { openPoint, see } of phases.flatMap((phase) => observers.filter((one) => one.phase === phase))) {
    const seen = await ifSeen(see(session));
    const point = points.get(openPoint);
    if (seen === undefined || point === undefined) continue;
    const isChoice = typeof seen !== 'object' && isLegalChoice(point, seen);
    result.observed[openPoint] = isChoice ? seen : 'other';
    if (!isChoice) result.samples[openPoint] = inShort(session, typeof seen === 'object' ? seen.other : String(seen));
  }
  return result;
}

function inShort(session: Session, sample: string): string {
  const text = session.redact(sample).replaceAll(/\s+/g, ' ').trim();
  return text.length <= longestSample ? text : `${text.slice(0, longestSample)}…`;
}

/** The same for a target of which nothing is known yet. What was moved is moved back. */
export async function observeTarget(settings: Settings, tool: string): Promise<Observed & { session: Session }> {
  const session = new Session(settings, tool);
  try {
    await reach(session);
    const result = await observe(session);
    await moveAllBack(session);
    await collectLeftovers(session);
    return { ...result, session };
  } finally {
    session.close();
  }
}
