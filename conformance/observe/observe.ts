import { setTimeout } from 'node:timers/promises';
import { say } from '../../lib/sentence.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { type Choice, isLegalChoice } from '../../openapi/points/open-point.ts';
import { tiedMs } from '../../openapi/reading/formats.ts';
import { choiceEntry, inOneLine, openIn, profileText } from '../../openapi/reading/learned-profile.ts';
import { type Phase, phases } from '../checks/check.ts';
import { repliesTo } from '../probing/operations.ts';
import { readPage } from '../probing/paging.ts';
import type { Report } from '../report/report.ts';
import { inParallel } from '../run/once.ts';
import { orNone } from '../run/signals.ts';
import type { Session } from '../target/session.ts';
import { type Observer, type Seen, SessionReading } from './observer.ts';

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
export async function observe(session: Session, chosen: readonly Observer[]): Promise<Observed> {
  const points = new Map(loadOpenPoints().map((point) => [point.id, point]));
  const result: Observed = { observed: {}, samples: {} };
  const reading = new SessionReading(session);
  await firstLook(session);
  const seen = new Map<string, Seen>();
  const look = async ({ openPoint, ask, see }: Observer) => {
    if (ask !== undefined) await orNone(ask(session));
    if (see !== undefined) seen.set(openPoint, await orNone(see(session, reading)));
  };
  const of = (phase: Phase) => chosen.filter((one) => one.phase === phase);
  // They only read.
  await inParallel(of('read'), look);
  for (const observer of phases.filter((phase) => phase !== 'read').flatMap(of)) {
    if (observer.phase === 'create' && session.settings.allowWrites) await setTimeout(apartMs);
    await look(observer);
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
    await orNone(repliesTo(session, operation));
  }
  // Before the observers create drives: how later pages differ shows the default limit.
  await orNone(readPage(session, {}));
}

/** The parts of a report from which a profile is made. */
type Learned = Pick<Report, 'observed' | 'samples'> & { run: Pick<Report['run'], 'baseUrl' | 'startedAt'> };

/** The observed choices that a mock can use. */
export function toObservedProfile({ observed, samples }: Pick<Report, 'observed' | 'samples'>): Partial<Profile> {
  const usable = loadOpenPoints().flatMap((point) => {
    const choice = observed[point.id];
    const isUsable = !Object.hasOwn(samples, point.id) && isLegalChoice(point, choice);
    return isUsable ? [[point.id, choice] as const] : [];
  });
  return Object.fromEntries(usable);
}

/** The profile as the text of a YAML file, with the meaning of each choice; unusable choices are in comments. */
export function toProfileYaml({ observed, samples, run }: Learned): string {
  const points = loadOpenPoints();
  const profile = new Map(Object.entries(toObservedProfile({ observed, samples })));
  const entries = points.flatMap((point) => {
    const { id } = point;
    const choice = profile.get(id);
    if (choice !== undefined) return [choiceEntry(point, choice)];
    const sample = samples[id];
    return sample === undefined
      ? []
      : [`# ${openIn(point)}\n# ${id}: none of the choices that a mock can use: ${sample}`];
  });
  const absent = points.filter(({ id }) => observed[id] === undefined).map(({ id }) => id);
  const rest = absent.length === 0 ? [] : [`# Not seen; the mock uses its default: ${absent.join(', ')}.`];
  const title = `What ${run.baseUrl} does where the specification is silent, as seen at ${run.startedAt}.`;
  return profileText(title, [...entries, ...rest]);
}
