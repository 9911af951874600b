import type { ChoiceRange, OpenPoint } from '../points/open-point.ts';

/** The JSON Schema of a profile file: any number of open points, each with a legal choice. */
export function profileSchema(openPoints: readonly OpenPoint[]): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A profile: one choice per open point. Missing open points have their default.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { description: 'For editors.', type: 'string' },
      ...Object.fromEntries(openPoints.map((point) => [point.id, choiceSchema(point)])),
      ...Object.fromEntries([...Map.groupBy(openPoints, wholeOf)].flatMap(wholeSchema)),
    },
  };
}

/** `errorStatus` of `errorStatus.notFound`; empty for a point without cases. */
function wholeOf({ id }: OpenPoint): string {
  return id.includes('.') ? id.slice(0, id.indexOf('.')) : '';
}

// One choice for all cases of a point, or an object of choices by case.
function wholeSchema([name, cases]: [string, OpenPoint[]]): [string, Record<string, unknown>][] {
  if (name === '') return [];
  const choice = { type: ['string', 'integer'] };
  const caseNames = cases.map(({ id }) => id.slice(name.length + 1));
  const byCase = Object.fromEntries(['default', ...caseNames].map((one) => [one, choice]));
  const description = `One choice for all cases, or an object of choices by case: ${caseNames.join(', ')}; default: all others.`;
  return [
    [name, { description, anyOf: [choice, { type: 'object', additionalProperties: false, properties: byCase }] }],
  ];
}

function choiceSchema(point: OpenPoint): Record<string, unknown> {
  const listed = { enum: point.choices.map((choice) => choice.value) };
  const about = { description: point.open.trim(), default: point.default };
  return point.range ? { ...about, anyOf: [listed, rangeSchema(point.range)] } : { ...about, ...listed };
}

function rangeSchema({ likely: _, ...range }: ChoiceRange): Record<string, unknown> {
  if (range.type === 'string') return { type: range.type, pattern: range.pattern, description: range.means };
  const { except, ...bounds } = range;
  return except === undefined ? bounds : { ...bounds, not: { enum: except } };
}
