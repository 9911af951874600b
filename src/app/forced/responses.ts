import { contractFor, loadMockParts, successStatus, toProblem } from '../../../openapi/contract/contract-for.ts';
import { type ContractDocument, dereference, type ResponseObject } from '../../../openapi/contract/document.ts';
import { type Operation, operationsOf } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { type RefusalKind, refusals } from '../../../openapi/contract/refusals.ts';
import { errorShapeUnder } from '../../../openapi/points/error-bodies.ts';
import { mayHaveBody } from '../../../openapi/reading/statuses.ts';
import { refuse } from '../../domain/refusal.ts';
import { statusProblem } from '../status-problem.ts';

/** The response of an operation with one code under a profile. */
interface ForcedResponse extends PlacedResponse {
  /** Whether the contract under the profile declares this code for the operation. */
  readonly isDeclared: boolean;
  /** The names of the examples. */
  readonly examples: readonly string[];
}

/** The response of an operation with any code from 200 to 599. */
export function responseWith(
  code: number,
  operation: Operation,
  document: ContractDocument,
  profile: Profile,
): ForcedResponse {
  const declared = declaredResponse(code, operation, document);
  if (declared === undefined) return undeclaredResponse(code, operation, document, profile);
  const examples = exampleNames(declared);
  const isBare = code >= 400 && examples.length === 0;
  const response = isBare ? otherError(operation, code, profile) : declared;
  return { document, response, isDeclared: true, examples };
}

function undeclaredResponse(
  code: number,
  operation: Operation,
  document: ContractDocument,
  profile: Profile,
): ForcedResponse {
  const isDeclared = false;
  if (code >= 400) return { document, response: otherError(operation, code, profile), isDeclared, examples: [] };
  if (code >= 300) return { document, response: { description: 'Elsewhere.' }, isDeclared, examples: [] };
  const other = otherSuccess(operation, code, profile);
  return { ...other, isDeclared, examples: exampleNames(other.response) };
}

/** The response that the contract under the profile declares for a code. */
export function declaredResponse(
  code: number,
  { definition }: Operation,
  document: ContractDocument,
): ResponseObject | undefined {
  const declared = definition.responses?.[String(code)];
  return declared === undefined ? undefined : dereference<ResponseObject>(document, declared);
}

export function exampleNames({ content = {} }: ResponseObject): string[] {
  return Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
}

interface PlacedResponse {
  readonly document: ContractDocument;
  readonly response: ResponseObject;
}

/** The success of an operation with a different code from the profile's. */
function otherSuccess(operation: Operation, code: number, profile: Profile): PlacedResponse {
  const { operationId, statusOpenPoint } = operation;
  const document = contractFor(statusOpenPoint === undefined ? profile : { ...profile, [statusOpenPoint]: code });
  const status = String(statusOpenPoint === undefined ? successStatus(operation, profile) : code);
  const same = operationsOf(document).find((candidate) => candidate.operationId === operationId);
  const { content, ...rest } = dereference(document, same?.definition.responses?.[status] as ResponseObject);
  return { document, response: content !== undefined && mayHaveBody(code) ? { ...rest, content } : rest };
}

/** An error of an operation without an example in the profile's contract, in the profile's error shape. */
function otherError({ operationId }: Operation, code: number, profile: Profile): ResponseObject {
  // There are examples for more errors than any one profile uses.
  const written = loadMockParts().errors[operationId].find(({ value }) => value.status === code)?.value;
  const kind = commonKinds.find((candidate) => refusals[candidate].status(profile) === code);
  const problem = written ?? (kind ? toProblem(refuse(kind, detail), code) : statusProblem(code, detail));
  const shape = errorShapeUnder(profile);
  if (shape === undefined) return { description: problem.title };
  const examples = { forced: { value: shape.toBody(problem) } };
  return { description: problem.title, content: { [shape.contentType]: { schema: shape.schema, examples } } };
}

const commonKinds = [
  ...['notFound', 'forbidden', 'conflict', 'invalidInput', 'malformedJson', 'bodyTooLarge', 'unsupportedMediaType'],
  ...['methodNotAllowed', 'requestTimeout', 'headersTooLarge'],
] as const satisfies RefusalKind[];

const detail = 'The request asked for this response with a preference.';
