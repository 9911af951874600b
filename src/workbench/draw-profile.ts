import type { OpenPointId, Profile } from '../../openapi/contract/profile.ts';
import type { Choice, OpenPoint } from '../../openapi/points/open-point.ts';
import { isLegalChoice, withoutNeeds } from '../../openapi/points/open-point.ts';
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

/** Legal choices that the register does not list, but that a real service might make. */
export function unlistedChoices(point: OpenPoint): Choice[] {
  const isListed = (value: Choice) => point.choices.some((choice) => choice.value === value);
  const candidates = believable[point.id as OpenPointId] ?? [];
  return candidates.filter((value) => !isListed(value) && isLegalChoice(point, value));
}

// 299 and 499 represent unknown codes: a client treats them as 200 and 400 (RFC 9110, section 15).
const successes = [203, 207, 208, 226, 299];
const refusals = [403, 404, 406, 409, 410, 412, 418, 422, 423, 451, 499];

/**
 * Choices within a range that a real service might make. Others are legal but unlikely: with pages that start at the
 * hundredth drive, or bodies limited to four kilobytes, tests would fail although they rely on no guess.
 */
const believable: Partial<Record<OpenPointId, readonly Choice[]>> = {
  'successStatus.createDrive': successes,
  'successStatus.createMcpServer': successes,
  'successStatus.publishAgentRevision': [...successes, 205],
  'successStatus.getDriveFile': successes,
  'successStatus.updateDriveFile': successes,
  'successStatus.deleteDriveTree': successes,
  'pagingDefaults.limit': [1, 2, 3, 5, 25, 99],
  'pagingDefaults.offset': [2],
  treePathParameter: ['dir', 'p', 'root', 'tree_path', 'filter.path', 'filter[path]', '$path'],
  optionalFields: ['size', 'contentType', 'modifiedAt', 'status', 'hasChanges', 'updatedAt'].map(
    (name) => `without ${name}`,
  ),
  'errorStatus.conflict': refusals,
  'errorStatus.invalidInput': refusals,
  'errorStatus.invalidBody': refusals,
  'errorStatus.invalidPath': refusals,
  'errorStatus.unknownParameter': refusals,
  'errorStatus.malformedJson': refusals,
  'errorStatus.unsupportedMediaType': refusals,
  'errorStatus.bodyTooLarge': refusals,
  'errorStatus.notFound': refusals,
  'errorStatus.driveNotFound': refusals,
  'errorStatus.agentNotFound': refusals,
  'errorStatus.unknownRevision': refusals,
  'pathForm.length': [512, 2_048],
  bodySizeLimit: [102_400, 262_144, 5_242_880],
};
