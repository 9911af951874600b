import { contractFor, mayHaveBody, successStatus } from '../../../openapi/contract/contract-for.ts';
import { type ContractDocument, dereference, type ResponseObject } from '../../../openapi/contract/document.ts';
import { errorShapes, type Problem, problemType } from '../../../openapi/contract/error-bodies.ts';
import { loadDocument } from '../../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { type RefusalKind, refusals } from '../../../openapi/contract/refusals.ts';
import { statusProblem } from '../status-problem.ts';

/** A response, and the document that its references lead into. */
export interface PlacedResponse {
  readonly document: ContractDocument;
  readonly response: ResponseObject;
}

/** The success of an operation with another code than the one that the profile plays. */
export function otherSuccess(operation: Operation, code: number, profile: Profile): PlacedResponse {
  const { operationId, statusOpenPoint } = operation;
  const document = contractFor(statusOpenPoint === undefined ? profile : { ...profile, [statusOpenPoint]: code });
  const status = String(statusOpenPoint === undefined ? successStatus(operation, profile) : code);
  const { content, ...rest } = dereference(document, responsesOf(document, operationId)[status] as ResponseObject);
  return { document, response: content !== undefined && mayHaveBody(code) ? { ...rest, content } : rest };
}

function responsesOf(document: ContractDocument, operationId: OperationId): Record<string, ResponseObject> {
  const operation = operationsOf(document).find((candidate) => candidate.operationId === operationId);
  return (operation?.definition.responses ?? {}) as Record<string, ResponseObject>;
}

/** An error of an operation for which the played contract has no example, in the error shape of the profile. */
export function otherError({ operationId }: Operation, code: number, profile: Profile): ResponseObject {
  const problem = writtenProblem(operationId, code) ?? knownProblem(code, profile) ?? statusProblem(code, detail);
  if (profile.errorBody === 'empty') return { description: problem.title };
  const shape = errorShapes[profile.errorBody];
  const examples = { forced: { value: shape.toBody(problem) } };
  return { description: problem.title, content: { [shape.contentType]: { schema: shape.schema, examples } } };
}

// The contract as it is written has examples of more errors than any one profile plays.
function writtenProblem(operationId: OperationId, code: number): Problem | undefined {
  const document = loadDocument();
  return Object.values(responsesOf(document, operationId))
    .flatMap((response) => Object.values(dereference(document, response).content ?? {}))
    .flatMap(({ examples = {} }) => Object.values(examples))
    .map((example) => dereference(document, example).value as Problem)
    .find((value) => value.status === code);
}

const commonKinds = [
  ...['notFound', 'forbidden', 'conflict', 'invalidInput', 'malformedJson', 'bodyTooLarge', 'unsupportedMediaType'],
  ...['methodNotAllowed', 'requestTimeout', 'headersTooLarge'],
] as const satisfies RefusalKind[];

function knownProblem(code: number, profile: Profile): Problem | undefined {
  const kind = commonKinds.find((candidate) => refusals[candidate].status(profile) === code);
  return kind === undefined ? undefined : toProblem(refusals[kind].code, refusals[kind].title, code);
}

const detail = 'The request asked for this response with a preference.';

function toProblem(code: string, title: string, status: number): Problem {
  return { type: problemType(code), title, status, detail };
}
