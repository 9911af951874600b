/*
 * What an error body looks like under each choice of `errorBody`, and how it is recognised. To add a shape: a choice in
 * `errors.ts`, and here.
 */
import type { Profile } from '../contract/profile.gen.ts';
import { isObject, member } from '../reading/messages.ts';
import type { components } from '../types.default.gen.ts';

/** An error in the shape of the default profile. The other shapes are derived from it. */
export type Problem = components['schemas']['Problem'];

type Shape = Profile['errorBody'];

/** The shape of an error on the wire. */
interface ErrorShape {
  contentType: string;
  toBody(problem: Problem): unknown;
  schema: Record<string, unknown>;
  /** Whether a body that is JSON has this shape. */
  isShown(json: unknown, mediaType: string): boolean;
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
    isShown: (_, mediaType) => mediaType === 'application/problem+json',
  },
  nested: {
    contentType: 'application/json',
    toBody: (problem) => ({
      error: { code: codeOf(problem), message: messageOf(problem), details: problem.validation ?? [] },
    }),
    schema: object(['error'], {
      error: object(['code', 'message'], { code: text, message: text, details: { type: 'array' } }),
    }),
    isShown: (json) => hasOnly(json, 'error') && areTexts(member(json, 'error'), ['code', 'message']),
  },
  message: {
    contentType: 'application/json',
    toBody: (problem) => ({ message: messageOf(problem) }),
    schema: object(['message'], { message: text }),
    isShown: (json) => hasOnly(json, 'message') && areTexts(json, ['message']),
  },
  list: {
    contentType: 'application/json',
    toBody: (problem) => ({ errors: toList(problem) }),
    schema: object(['errors'], {
      errors: { type: 'array', items: object(['code', 'message'], { code: text, message: text }) },
    }),
    isShown: (json) => hasOnly(json, 'errors') && areListed(member(json, 'errors')),
  },
};

/** The shape of errors under a profile; undefined if they have no body. */
export function errorShapeUnder({ errorBody }: Pick<Profile, 'errorBody'>): ErrorShape | undefined {
  return errorBody === 'empty' ? undefined : errorShapes[errorBody];
}

function toList(problem: Problem) {
  const violations = problem.validation ?? [];
  if (violations.length === 0) return [{ code: codeOf(problem), message: messageOf(problem) }];
  return violations.map(({ location, code, message }) => ({ code, message, field: location.join('.') }));
}

/** The choice of `errorBody` that an error with a body shows. */
export function errorShapeOf(json: unknown, mediaType: string): string | undefined {
  return Object.entries(errorShapes).find(([, { isShown }]) => isShown(json, mediaType))?.[0];
}

function hasOnly(value: unknown, name: string): boolean {
  return isObject(value) && Object.keys(value).join() === name;
}

function areListed(errors: unknown): boolean {
  return Array.isArray(errors) && areTexts(errors[0], ['code', 'message']);
}

function areTexts(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof member(value, name) === 'string');
}
