import { differingChoices, type Profile } from '../../../openapi/contract/profile.ts';
import type { Choices } from './choices.ts';

/** The choices of an organization or, without `hasOwnProfile`, of all. */
export interface InUse {
  profile: Choices;
  hasOwnProfile?: boolean;
}

/** A change that was made. */
export interface MadeChange {
  /** What was sent; null means that the profile of an organization was removed. */
  sent: Choices | null;
  before: InUse;
  after: InUse;
}

export interface TakenBack {
  /** What others changed since, in words. */
  conflicts: readonly string[];
  /** What to send; null removes the profile; undefined if there is nothing to do. */
  send: Choices | null | undefined;
}

/** How to undo a change, with `now` in use. `fixed`: the open points that the organization cannot change. */
export function takeBack(made: MadeChange, now: InUse, fixed: ReadonlySet<string> = new Set()): TakenBack {
  const { sent, before, after } = made;
  if (sent === null) return giveBack(before, now, fixed);
  const touched = Object.keys(sent).filter((id) => before.profile[id] !== after.profile[id]);
  const isGone = after.hasOwnProfile === true && now.hasOwnProfile === false;
  // It was the first change of an organization, and somebody else removed its profile.
  if (isGone && before.hasOwnProfile === false) return { conflicts: [], send: undefined };
  const changed = touched.filter((id) => now.profile[id] !== after.profile[id]);
  const conflicts = isGone
    ? ['its profile (it no longer has its own)']
    : changed.map((id) => `${id} (now ${now.profile[id]})`);
  const isAsLeft = Object.keys(differing(after.profile, now.profile)).length === 0;
  const hadNone = before.hasOwnProfile === false && after.hasOwnProfile === true;
  if (hadNone && isAsLeft) return { conflicts, send: null };
  return { conflicts, send: Object.fromEntries(touched.map((id) => [id, before.profile[id] ?? ''])) };
}

function giveBack(before: InUse, now: InUse, fixed: ReadonlySet<string>): TakenBack {
  const all = Object.entries(differing(now.profile, before.profile)).filter(([id]) => !fixed.has(id));
  const conflicts = now.hasOwnProfile ? ['its profile (it has its own again)'] : [];
  return { conflicts, send: Object.fromEntries(all) };
}

/** The choices of one profile that differ from another's. */
export function differing(base: Choices, other: Choices): Choices {
  return differingChoices(base as unknown as Profile, other as unknown as Profile);
}
