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
  | 'invalid-body'
  | 'invalid-path'
  | 'unknown-parameter'
  | 'not-found'
  | 'unknown-drive'
  | 'unknown-agent'
  | 'forbidden'
  | 'unknown-revision'
  | 'conflict';

/** The status that an outcome has under a profile. */
export function statusOf(outcome: Outcome, operationId: OperationId, profile: Profile): number {
  const notFound = operationId === 'listMcpServerTools' ? 404 : profile['errorStatus.notFound'];
  const invalidInput = profile['errorStatus.invalidInput'];
  const statuses: Record<Outcome, number> = {
    success: successStatus(operationId, profile),
    unauthenticated: 401,
    'body-too-large': profile['errorStatus.bodyTooLarge'],
    'unsupported-media-type': profile['errorStatus.unsupportedMediaType'],
    'malformed-json': profile['errorStatus.malformedJson'],
    'invalid-input': invalidInput,
    'invalid-body': either(profile['errorStatus.invalidBody'], invalidInput),
    'invalid-path': either(profile['errorStatus.invalidPath'], invalidInput),
    'unknown-parameter': either(profile['errorStatus.unknownParameter'], invalidInput),
    'not-found': notFound,
    'unknown-drive': either(profile['errorStatus.driveNotFound'], notFound),
    'unknown-agent': either(profile['errorStatus.agentNotFound'], notFound),
    forbidden: 403,
    'unknown-revision': profile['errorStatus.unknownRevision'],
    conflict: profile['errorStatus.conflict'],
  };
  return statuses[outcome];
}

// A text means: the code that others have.
function either(own: number | string, usual: number): number {
  return typeof own === 'number' ? own : usual;
}

function successStatus(operationId: OperationId, profile: Profile): number {
  const codes: Record<string, unknown> = { ...profile };
  const own = codes[`successStatus.${operationId}`] ?? 200;
  return typeof own === 'number' ? own : profile['successStatus.createDrive'];
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
    (outcome) =>
      statusOf(outcome, operationId, profile) === answer.status && (code === undefined || codeOf(outcome) === code),
  );
}

/** The code in the errors of an outcome: several outcomes have the same one, with statuses of their own. */
export function codeOf(outcome: Outcome): string {
  if (['invalid-body', 'invalid-path', 'unknown-parameter'].includes(outcome)) return 'invalid-input';
  return ['unknown-drive', 'unknown-agent'].includes(outcome) ? 'not-found' : outcome;
}

/** The code that an error body shows, where its shape has one. */
function errorCode(answer: Answer, { errorBody }: Profile): string | undefined {
  if (errorBody !== 'problem' && errorBody !== 'nested') return undefined;
  const body = JSON.parse(answer.text) as { type?: string; error?: { code?: string } };
  return errorBody === 'nested' ? body.error?.code : body.type?.split(':').at(-1);
}
