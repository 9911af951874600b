import { withoutNeeds } from '../../openapi/points/open-point.ts';
import { defaultProfile, loadOpenPoints, type OpenPoint, type Profile } from '../../src/index.ts';
import type { Random } from './random.ts';

const openPoints = loadOpenPoints();
const drawn = withoutNeeds(openPoints);

/** One choice per open point: a listed one that needs no permission, or now and then another value within the range. */
export function randomProfile(random: Random): Profile {
  return {
    ...defaultProfile(openPoints),
    ...Object.fromEntries(drawn.map((point) => [point.id, choose(point, random)])),
  };
}

/** The choices that are not the default, for a failure message. */
export function choicesOf(profile: Profile): Record<string, unknown> {
  const chosen = Object.entries(profile) as [string, unknown][];
  return Object.fromEntries(
    chosen.filter(([id, value]) => openPoints.find((point) => point.id === id)?.default !== value),
  );
}

function choose(point: OpenPoint, random: Random): string | number {
  const { range } = point;
  if (range === undefined || !random.chance(0.25)) return random.pick(point.choices).value;
  if (range.type === 'string') return random.pick(texts[point.id] ?? [String(point.default)]);
  return withinRange(range, point.id === 'bodySizeLimit' ? 8192 : range.maximum, random);
}

type IntegerRange = Extract<NonNullable<OpenPoint['range']>, { type: 'integer' }>;

// A body size limit is drawn only where bodies can come near it at no great cost.
function withinRange(range: IntegerRange, maximum: number, random: Random): number {
  const value = random.integer(range.minimum, maximum);
  return range.except?.includes(value) ? withinRange(range, maximum, random) : value;
}

// Legal names that invite mistakes: inherited ones, those of other parameters, and the longest.
const parameterNames = ['Path', 'limit', 'constructor', 'toString', 'q.tree-path_1', 'name', `p${'x'.repeat(63)}`];

const texts: Readonly<Record<string, readonly string[]>> = {
  treePathParameter: parameterNames,
  optionalFields: ['without size', 'without path', 'without hasChanges isPublished', 'without contentType kind'],
};
