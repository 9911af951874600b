import { concerns } from '../points/index.ts';
import type { Operation } from './operations.ts';
import type { OpenPointId, Profile } from './profile.ts';
import type { RefusalKind } from './refusals.ts';

type Condition = (operation: Operation, profile: Profile) => boolean;

const at =
  (openPoint: OpenPointId, when: (profile: Profile) => boolean = () => true): Condition =>
  (operation, profile) =>
    concerns(openPoint, operation) && when(profile);

/** When an operation can be refused in a way. Those that are not here happen before an operation is found, or to any. */
const possible: Readonly<Partial<Record<RefusalKind, Condition>>> = {
  malformedJson: at('errorStatus.malformedJson'),
  bodyTooLarge: at('errorStatus.bodyTooLarge'),
  invalidInput: hasRulesForInput,
  invalidBody: at('errorStatus.invalidBody'),
  invalidPath: at('errorStatus.invalidPath'),
  unknownParameter: at(
    'errorStatus.unknownParameter',
    (profile) => profile['unknownInput.queryParameters'] === 'refused',
  ),
  unsupportedMediaType: at('errorStatus.unsupportedMediaType', ({ mediaTypeRules }) => mediaTypeRules === 'strict'),
  mcpServerNotFound: ({ statesNotFound }) => statesNotFound,
  // The operations that name something in a drive: a file or a directory.
  notFound: at('errorStatus.driveNotFound'),
  driveNotFound: at('errorStatus.driveNotFound'),
  agentNotFound: at('errorStatus.agentNotFound'),
  forbidden: at('foreignResourceStatus', ({ foreignResourceStatus }) => foreignResourceStatus === 'forbidden'),
  unknownRevision: at('errorStatus.unknownRevision'),
  conflict: hasConflicts,
  mcpServerUnreachable: at(
    'unreachableTools',
    (profile) => profile.toolsOfNewServer === 'live' && profile.unreachableTools !== 'none',
  ),
};

/** The refusals besides 401 that an operation of the hand-written contract can return under a profile. */
export function refusalsOf(operation: Operation, profile: Profile): RefusalKind[] {
  const all = Object.entries(possible) as [RefusalKind, Condition][];
  return all.flatMap(([kind, isPossible]) => (isPossible(operation, profile) ? [kind] : []));
}

// Apart from rules whose code is chosen by a different open point.
function hasRulesForInput(operation: Operation, profile: Profile): boolean {
  const hasQuery = operation.parameters.some((parameter) => parameter.in === 'query');
  const judgesIds = profile.malformedIds === 'refused' && concerns('malformedIds', operation);
  return hasQuery || judgesIds;
}

function hasConflicts(operation: Operation, profile: Profile): boolean {
  return (
    (concerns('republish', operation) && profile.republish === 'refused') ||
    (concerns('duplicates.names', operation) && profile['duplicates.names'] === 'refused') ||
    (concerns('duplicates.urls', operation) && profile['duplicates.urls'] === 'refused') ||
    (concerns('pathConflict', operation) && profile.pathConflict === 'refused') ||
    (concerns('moveTargets', operation) && profile.moveTargets === 'strict')
  );
}
