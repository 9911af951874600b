// The error body of each profile. How it is recognised: `openapi/reading/formats.ts`.
import type { components } from '../types.default.gen.ts';
import type { Profile } from './profile.gen.ts';

/** An error in the shape of the default profile. The other shapes are derived from it. */
export type Problem = components['schemas']['Problem'];

type Shape = Profile['errorBody'];

/** The shape of an error on the wire. */
interface ErrorShape {
  contentType: string;
  toBody(problem: Problem): unknown;
  schema: Record<string, unknown>;
}

const problemPrefix = 'urn:agent-platform:problem:';

/** The `type` of a problem, from its code. */
export function problemType(code: string): string {
  return problemPrefix + code;
}

/** The code of a problem, from its `type`. */
export function codeOf(problem: Problem): string {
  return problem.type.slice(problemPrefix.length);
}

const text = { type: 'string' };
const messageOf = (problem: Problem) => problem.detail ?? problem.title;
const object = (required: string[], properties: Record<string, unknown>) => ({ type: 'object', required, properties });

/** The error shapes of the open point `errorBody`. `empty` has no body, so it has no shape. */
export const errorShapes: Record<Exclude<Shape, 'empty'>, ErrorShape> = {
  problem: {
    contentType: 'application/problem+json',
    toBody: (problem) => problem,
    schema: { $ref: '#/components/schemas/Problem' },
  },
  nested: {
    contentType: 'application/json',
    toBody: (problem) => ({
      error: { code: codeOf(problem), message: messageOf(problem), details: problem.validation ?? [] },
    }),
    schema: object(['error'], {
      error: object(['code', 'message'], { code: text, message: text, details: { type: 'array' } }),
    }),
  },
  message: {
    contentType: 'application/json',
    toBody: (problem) => ({ message: messageOf(problem) }),
    schema: object(['message'], { message: text }),
  },
  list: {
    contentType: 'application/json',
    toBody: (problem) => ({ errors: toList(problem) }),
    schema: object(['errors'], {
      errors: { type: 'array', items: object(['code', 'message'], { code: text, message: text }) },
    }),
  },
};

function toList(problem: Problem) {
  const violations = problem.validation ?? [];
  if (violations.length === 0) return [{ code: codeOf(problem), message: messageOf(problem) }];
  return violations.map(({ location, code, message }) => ({ code, message, field: location.join('.') }));
}
