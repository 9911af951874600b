/*
 * The catalogue of error responses: what each means, its status, code and title, and which one a violation leads to.
 * Other code names an entry, never a number. The sentence of an error response stands beside its rule, where
 * `refuse(…)` or `refuseInput(…)` is called; for schemas in `schemas.ts`, `nearest.ts` and each `x-violation`; for the
 * proxy in `src/proxy/forward.ts` and `failures.ts`.
 */
import { type Chosen, chosen, type OpenPointId, type Profile } from './profile.ts';
import type { Violation } from './schemas.ts';

/** One kind of refusal: its code, its human-readable title, and its status under a profile. */
export interface RefusalDefinition {
  code: string;
  title: string;
  status(profile: Profile): number;
  /** The open point that chooses the status; absent if the status is stated or follows from HTTP. */
  openPoint?: OpenPointId;
}

type StatusPoint = { [Id in OpenPointId]: Chosen<Id> extends number ? Id : never }[OpenPointId];

const fixed = (status: number) => ({ status: () => status });

const chosenBy = (openPoint: StatusPoint) => ({
  openPoint,
  status: (profile: Profile): number => chosen(profile, openPoint),
});

/** All refusals. Other code chooses a meaning, never a number. Status codes: sections 5 and 7. */
export const refusals = {
  unknownPath: { code: 'unknown-path', title: 'Unknown path', ...fixed(404) },
  methodNotAllowed: { code: 'method-not-allowed', title: 'Method not allowed', ...fixed(405) },
  unauthenticated: { code: 'unauthenticated', title: 'Authentication required', ...fixed(401) },
  malformedJson: { code: 'malformed-json', title: 'Malformed JSON', ...chosenBy('errorStatus.malformedJson') },
  bodyTooLarge: { code: 'body-too-large', title: 'Body too large', ...chosenBy('errorStatus.bodyTooLarge') },
  malformedRequest: { code: 'malformed-request', title: 'Malformed request', ...fixed(400) },
  requestTimeout: { code: 'request-timeout', title: 'Request timeout', ...fixed(408) },
  expectationFailed: { code: 'expectation-failed', title: 'Expectation failed', ...fixed(417) },
  headersTooLarge: { code: 'headers-too-large', title: 'Headers too large', ...fixed(431) },
  invalidInput: { code: 'invalid-input', title: 'Invalid input', ...chosenBy('errorStatus.invalidInput') },
  invalidBody: { code: 'invalid-input', title: 'Invalid input', ...chosenBy('errorStatus.invalidBody') },
  invalidPath: { code: 'invalid-input', title: 'Invalid input', ...chosenBy('errorStatus.invalidPath') },
  unknownParameter: { code: 'invalid-input', title: 'Invalid input', ...chosenBy('errorStatus.unknownParameter') },
  unsupportedMediaType: {
    code: 'unsupported-media-type',
    title: 'Unsupported media type',
    ...chosenBy('errorStatus.unsupportedMediaType'),
  },
  mcpServerNotFound: { code: 'not-found', title: 'Not found', ...fixed(404) },
  notFound: { code: 'not-found', title: 'Not found', ...chosenBy('errorStatus.notFound') },
  driveNotFound: { code: 'not-found', title: 'Not found', ...chosenBy('errorStatus.driveNotFound') },
  agentNotFound: { code: 'not-found', title: 'Not found', ...chosenBy('errorStatus.agentNotFound') },
  forbidden: { code: 'forbidden', title: 'Forbidden', ...fixed(403) },
  unknownRevision: { code: 'unknown-revision', title: 'Unknown revision', ...chosenBy('errorStatus.unknownRevision') },
  conflict: { code: 'conflict', title: 'Conflict', ...chosenBy('errorStatus.conflict') },
  invalidPreference: { code: 'invalid-preference', title: 'Invalid preference', ...fixed(400) },
  mcpServerUnreachable: {
    code: 'mcp-server-unreachable',
    title: 'MCP server unreachable',
    openPoint: 'unreachableTools',
    // With `none` nothing is refused.
    status: ({ unreachableTools }) => (unreachableTools === 'none' ? 502 : unreachableTools),
  },
  unexpected: { code: 'unexpected', title: 'Unexpected error in the mock', ...fixed(500) },
} as const satisfies Record<string, RefusalDefinition>;

export type RefusalKind = keyof typeof refusals;

/** The refusals of invalid input, by what is wrong with it. If several things are wrong, the first of these applies. */
const inputRefusals = ['invalidInput', 'unknownParameter', 'invalidBody', 'invalidPath'] as const;

/** The refusal for a request with these violations. */
export function inputRefusalFor(violations: readonly InputViolation[]): RefusalKind {
  const found = new Set(violations.map(inputRefusalOf));
  return inputRefusals.find((kind) => found.has(kind)) ?? 'invalidInput';
}

type InputViolation = Pick<Violation, 'location' | 'code'>;

function inputRefusalOf({ location: [part, name], code }: InputViolation): (typeof inputRefusals)[number] {
  // Only a path has a pattern or a length among the query parameters.
  const isPathRule = code === 'pattern' || code === 'not' || code === 'maxLength';
  if (part === 'query' && code === 'unknownParameter') return 'unknownParameter';
  if (part === 'query') return isPathRule ? 'invalidPath' : 'invalidInput';
  if (part === 'body') return isPathRule && name === 'path' ? 'invalidPath' : 'invalidBody';
  return 'invalidInput';
}
