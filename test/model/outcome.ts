import type { Profile } from '../../src/index.ts';
import type { Answer, OperationId } from './call.ts';

/** What may become of a call: it succeeds, or it is refused for one reason. */
export type Outcome =
  | 'success'
  | 'unauthenticated'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'malformed-json'
  | 'invalid-input'
  | 'not-found'
  | 'forbidden'
  | 'unknown-revision'
  | 'conflict';

/** The status that an outcome has under a profile. */
export function statusOf(outcome: Outcome, operationId: OperationId, profile: Profile): number {
  if (outcome === 'success') return successStatus(operationId, profile);
  if (outcome === 'not-found') return operationId === 'listMcpServerTools' ? 404 : profile.notFoundStatus;
  return refusalStatus(outcome, profile);
}

function refusalStatus(outcome: Exclude<Outcome, 'success' | 'not-found'>, profile: Profile): number {
  const statuses = {
    unauthenticated: 401,
    'body-too-large': profile.bodyTooLargeStatus,
    'unsupported-media-type': profile.unsupportedMediaTypeStatus,
    'malformed-json': profile.malformedJsonStatus,
    'invalid-input': profile.invalidInputStatus,
    forbidden: 403,
    'unknown-revision': profile.publishUnknownRevision,
    conflict: profile.conflictStatus,
  };
  return statuses[outcome];
}

function successStatus(operationId: OperationId, profile: Profile): number {
  if (operationId === 'createDrive' || operationId === 'createMcpServer') return profile.createStatus;
  if (operationId === 'listDrives' || operationId === 'getDriveFile') return profile.readStatus;
  if (operationId === 'publishAgentRevision') return profile.publishStatus;
  if (operationId === 'updateDriveFile') return profile.updateStatus;
  return operationId === 'deleteDriveTree' ? profile.deleteStatus : 200;
}

/** The one of the expected outcomes that an answer shows; undefined when it shows none of them. */
export function outcomeIn(
  answer: Answer,
  expected: readonly Outcome[],
  operationId: OperationId,
  profile: Profile,
): Outcome | undefined {
  const code = answer.status >= 400 ? errorCode(answer, profile) : undefined;
  return expected.find(
    (outcome) => statusOf(outcome, operationId, profile) === answer.status && (code ?? outcome) === outcome,
  );
}

/** The code that an error body shows, where its shape has one. */
function errorCode(answer: Answer, { errorBody }: Profile): string | undefined {
  if (errorBody !== 'problem' && errorBody !== 'nested') return undefined;
  const body = JSON.parse(answer.text) as { type?: string; error?: { code?: string } };
  return errorBody === 'nested' ? body.error?.code : body.type?.split(':').at(-1);
}
