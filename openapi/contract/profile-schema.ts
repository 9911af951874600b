import type { ChoiceRange, OpenPoint } from './open-points.ts';

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
    },
  };
}

function choiceSchema(point: OpenPoint): Record<string, unknown> {
  const listed = { enum: point.choices.map((choice) => choice.value) };
  const about = { description: point.open.trim(), default: point.default };
  return point.range ? { ...about, anyOf: [listed, rangeSchema(point.range)] } : { ...about, ...listed };
}

function rangeSchema(range: ChoiceRange): Record<string, unknown> {
  if (range.type === 'string') return { ...range };
  const { except, ...bounds } = range;
  return except === undefined ? bounds : { ...bounds, not: { enum: except } };
}
