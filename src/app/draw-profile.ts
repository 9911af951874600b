import type { Profile } from '../../openapi/contract/profile.ts';
import type { Choice, OpenPoint } from '../../openapi/points/open-point.ts';
import { unlistedChoices, withoutNeeds } from '../../openapi/points/open-point.ts';
import { createRandom, type Random } from '../domain/random.ts';

/** Which open points vary: only those that a correct client cannot notice, or all. */
export type Impact = OpenPoint['impact'];

/** What each means as a setting. */
export const impactWords = { visible: 'all open points', hidden: 'only hidden open points' } as const;

/**
 * Draws one legal profile: random choices for the open points that vary, the others as in `base`. Open points that are
 * not in `openPoints`, and choices that need a permission, are never drawn. Each open point has its own random stream,
 * so that its choice does not depend on the others.
 */
export function drawProfile(
  openPoints: readonly OpenPoint[],
  base: Profile,
  impact: Impact,
  randomSeed: number,
): Profile {
  const varying = withoutNeeds(openPoints).filter((point) => impact === 'visible' || point.impact === 'hidden');
  const drawn = varying.map(
    (point) => [point.id, draw(point, createRandom(`${randomSeed}/vary/${point.id}`))] as const,
  );
  return { ...base, ...Object.fromEntries(drawn) };
}

/** One draw in this many takes a legal choice that the register does not list, if there is one. */
const unlistedEvery = 6;

function draw(point: OpenPoint, random: Random): Choice {
  const unlisted = unlistedChoices(point);
  const isUnlisted = unlisted.length > 0 && random.uint32() % unlistedEvery === 0;
  const choices = isUnlisted ? unlisted : point.choices.map(({ value }) => value);
  return choices[random.uint32() % choices.length] as Choice;
}
