import type { Operation } from '../contract/operations.ts';
import type { Profile } from '../contract/profile.ts';
import type { RefusalKind } from '../contract/refusals.ts';
import type { RequestFacts } from '../reading/request-facts.ts';

// When the response to a request depends on an open point: what the header X-Open-Points lists.

/** How a call ended: refused for a reason, or (undefined) with success. */
export type Outcome = RefusalKind | undefined;

export const success = undefined;

/** The stages of a request on its way to an outcome. */
type Stage = 'key' | 'size' | 'mediaType' | 'json' | 'input' | 'resource' | 'success';

const stages: readonly Stage[] = ['key', 'size', 'mediaType', 'json', 'input', 'resource', 'success'];

const stageOf: Readonly<Partial<Record<RefusalKind, Stage>>> = {
  unauthenticated: 'key',
  bodyTooLarge: 'size',
  unsupportedMediaType: 'mediaType',
  malformedJson: 'json',
  invalidInput: 'input',
  unknownParameter: 'input',
  invalidBody: 'input',
  invalidPath: 'input',
  forbidden: 'resource',
  notFound: 'resource',
  driveNotFound: 'resource',
  agentNotFound: 'resource',
  mcpServerNotFound: 'resource',
  unknownRevision: 'resource',
  conflict: 'resource',
  mcpServerUnreachable: 'resource',
};

/** Whether a call with this outcome reached a stage. Refusals before the first stage reached none. */
export function hasReached(stage: Stage, outcome: Outcome): boolean {
  const end = outcome === undefined ? 'success' : stageOf[outcome];
  return stages.indexOf(stage) <= stages.indexOf(end as Stage);
}

/** Whether a call was refused at a stage. */
export function endsAt(stage: Stage, outcome: Outcome): boolean {
  return outcome !== undefined && stageOf[outcome] === stage;
}

const stagesOfInput: readonly (Stage | undefined)[] = ['mediaType', 'json', 'input'];

/** The refusals of what was sent, apart from the key and the size. */
export const ofInput = (Object.keys(stageOf) as RefusalKind[]).filter((kind) => stagesOfInput.includes(stageOf[kind]));

/** When the response to a call depends on an open point that decides how calls end. */
export type RelevanceRule = {
  /** Whether the request has something that the choices treat differently. Absent: that depends on the state alone. */
  appliesTo?(request: RequestFacts, outcome: Outcome): boolean;
} & (
  | {
      /** The stage at which it decides. Every outcome from there on can depend on it. */
      stage: Stage;
    }
  | {
      /** The outcomes that can depend on it under a profile. */
      outcomes(profile: Profile, operation: Operation): readonly Outcome[];
    }
);
