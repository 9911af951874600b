import type { Operation } from './operations.ts';
import type { OpenPointId, Profile } from './profile.ts';

/** One kind of refusal: its code, its title for people, and its status under a profile. */
export interface RefusalDefinition {
  code: string;
  title: string;
  status(profile: Profile): number;
  /** The open point that chooses the status; absent where it is stated, or follows from HTTP. */
  openPoint?: OpenPointId;
}

type StatusPoint = { [Id in OpenPointId]: Profile[Id] extends number ? Id : never }[OpenPointId];

const fixed = (status: number) => () => status;
const chosenBy = (openPoint: StatusPoint) => ({ openPoint, status: (profile: Profile) => profile[openPoint] });

/** Every refusal that there is. Code elsewhere chooses a meaning, never a number. Status codes: sections 5 and 7. */
export const refusals = {
  unknownPath: { code: 'unknown-path', title: 'Unknown path', status: fixed(404) },
  methodNotAllowed: { code: 'method-not-allowed', title: 'Method not allowed', status: fixed(405) },
  unauthenticated: { code: 'unauthenticated', title: 'Authentication required', status: fixed(401) },
  bodyTooLarge: { code: 'body-too-large', title: 'Body too large', ...chosenBy('bodyTooLargeStatus') },
  unsupportedMediaType: {
    code: 'unsupported-media-type',
    title: 'Unsupported media type',
    ...chosenBy('unsupportedMediaTypeStatus'),
  },
  malformedJson: { code: 'malformed-json', title: 'Malformed JSON', ...chosenBy('malformedJsonStatus') },
  malformedRequest: { code: 'malformed-request', title: 'Malformed request', status: fixed(400) },
  requestTimeout: { code: 'request-timeout', title: 'Request timeout', status: fixed(408) },
  expectationFailed: { code: 'expectation-failed', title: 'Expectation failed', status: fixed(417) },
  headersTooLarge: { code: 'headers-too-large', title: 'Headers too large', status: fixed(431) },
  invalidInput: { code: 'invalid-input', title: 'Invalid input', ...chosenBy('invalidInputStatus') },
  forbidden: { code: 'forbidden', title: 'Forbidden', status: fixed(403) },
  notFound: { code: 'not-found', title: 'Not found', ...chosenBy('notFoundStatus') },
  mcpServerNotFound: { code: 'not-found', title: 'Not found', status: fixed(404) },
  unknownRevision: {
    code: 'unknown-revision',
    title: 'Unknown revision',
    ...chosenBy('publishUnknownRevision'),
  },
  conflict: { code: 'conflict', title: 'Conflict', ...chosenBy('conflictStatus') },
  invalidPreference: { code: 'invalid-preference', title: 'Invalid preference', status: fixed(400) },
  mcpServerUnreachable: {
    code: 'mcp-server-unreachable',
    title: 'MCP server unreachable',
    openPoint: 'unreachableTools',
    // Under `none` nothing is refused.
    status: ({ unreachableTools }) => (unreachableTools === 'none' ? 502 : unreachableTools),
  },
  unexpected: { code: 'unexpected', title: 'Unexpected error of the mock', status: fixed(500) },
} as const satisfies Record<string, RefusalDefinition>;

export type RefusalKind = keyof typeof refusals;

/** The refusals that an operation can answer with under a profile, beside 401. */
export function refusalsOf(operation: Operation, profile: Profile): RefusalKind[] {
  return [
    ...inputRefusals(operation, profile),
    ...resourceRefusals(operation, profile),
    ...conflicts(operation, profile),
  ];
}

function inputRefusals(operation: Operation, profile: Profile): RefusalKind[] {
  if (operation.takesBody) {
    const kinds: RefusalKind[] = ['malformedJson', 'bodyTooLarge', 'invalidInput'];
    return profile.mediaTypeRules === 'strict' ? [...kinds, 'unsupportedMediaType'] : kinds;
  }
  const hasQuery = operation.parameters.some((parameter) => parameter.in === 'query');
  return hasQuery || profile.unknownQueryParameters === 'refused' ? ['invalidInput'] : [];
}

function resourceRefusals(operation: Operation, profile: Profile): RefusalKind[] {
  if (operation.operationId === 'listMcpServerTools') return toolRefusals(profile);
  if (!operation.parameters.some((parameter) => parameter.in === 'path')) return [];
  const kinds: RefusalKind[] = ['notFound'];
  if (profile.foreignResourceStatus === 'forbidden') kinds.push('forbidden');
  if (profile.malformedIds === 'refused') kinds.push('invalidInput');
  return operation.operationId === 'publishAgentRevision' ? [...kinds, 'unknownRevision'] : kinds;
}

function toolRefusals({ toolsOfNewServer, unreachableTools }: Profile): RefusalKind[] {
  const canFail = toolsOfNewServer === 'live' && unreachableTools !== 'none';
  return canFail ? ['mcpServerNotFound', 'mcpServerUnreachable'] : ['mcpServerNotFound'];
}

function conflicts(operation: Operation, profile: Profile): RefusalKind[] {
  const onCreation = operation.operationId === 'createDrive' || operation.operationId === 'createMcpServer';
  const refused =
    (operation.operationId === 'publishAgentRevision' && profile.republish === 'refused') ||
    (onCreation && profile.duplicateNames === 'refused') ||
    (operation.operationId === 'updateDriveFile' &&
      (profile.pathConflict === 'refused' || profile.moveTargets === 'strict'));
  return refused ? ['conflict'] : [];
}
