import { didYouMean } from '../../../lib/nearest.ts';
import { contractFor, loadMockParts, successStatus, toProblem } from '../../../openapi/contract/contract-for.ts';
import { type ContractDocument, dereference, type ResponseObject } from '../../../openapi/contract/document.ts';
import { type Operation, type OperationId, operationsOf } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { type RefusalKind, refusals } from '../../../openapi/contract/refusals.ts';
import { errorShapes, type Problem } from '../../../openapi/points/error-bodies.ts';
import { mayHaveBody } from '../../../openapi/reading/statuses.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { statusProblem } from '../status-problem.ts';
import type { Preferences } from './preferences.ts';

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

function declaredResponse(
  code: number,
  { definition }: Operation,
  document: ContractDocument,
): ResponseObject | undefined {
  const declared = definition.responses?.[String(code)];
  return declared === undefined ? undefined : dereference<ResponseObject>(document, declared);
}

function exampleNames({ content = {} }: ResponseObject): string[] {
  return Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
}

/** The code that the preferences ask for: the one they name, the one that has the example, or the success code. */
export function codeFor(
  { code, example }: Preferences,
  operation: Operation,
  document: ContractDocument,
  profile: Profile,
): number | Refusal {
  const success = successStatus(operation, profile);
  if (example === undefined) return code ?? success;
  if (code !== undefined) {
    const { examples } = responseWith(code, operation, document, profile);
    return examples.includes(example) ? code : refuseExample(example, operation, document, code);
  }
  // In ascending order, so that the success comes first.
  const holders = exampleTable(operation, document).filter(({ names }) => names.includes(example));
  const [holder] = holders;
  if (holder === undefined) return refuseExample(example, operation, document);
  return holders.length === 1 || holder.code === success ? holder.code : refuseAmbiguous(example, holders);
}

interface NamedExamples {
  readonly code: number;
  readonly names: readonly string[];
}

function exampleTable(operation: Operation, document: ContractDocument): NamedExamples[] {
  return Object.keys(operation.definition.responses ?? {}).flatMap((text) => {
    const response = declaredResponse(Number(text), operation, document);
    const names = response === undefined ? [] : exampleNames(response);
    return names.length === 0 ? [] : [{ code: Number(text), names }];
  });
}

function refuseExample(example: string, operation: Operation, document: ContractDocument, code?: number): Refusal {
  const table = exampleTable(operation, document);
  const others = table.flatMap(({ names }) => names).filter((name) => name !== example);
  const where = code === undefined ? operation.operationId : `${operation.operationId} with code ${code}`;
  const listed = table.map((row) => `${row.names.join(', ')} (${row.code})`).join('; ');
  return refuse(
    'invalidPreference',
    `There is no example ${JSON.stringify(example)} of ${where}${didYouMean(example, others)}. Available: ${listed || 'none'}.`,
  );
}

function refuseAmbiguous(example: string, holders: readonly NamedExamples[]): Refusal {
  const codes = holders.map(({ code }) => code).join(' and ');
  return refuse(
    'invalidPreference',
    `Several codes have an example ${JSON.stringify(example)}: ${codes}. Choose one of them with code.`,
  );
}

/** A response, and the document for its references. */
interface PlacedResponse {
  readonly document: ContractDocument;
  readonly response: ResponseObject;
}

/** The success of an operation with a different code from the profile's. */
function otherSuccess(operation: Operation, code: number, profile: Profile): PlacedResponse {
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

/** An error of an operation without an example in the profile's contract, in the profile's error shape. */
function otherError({ operationId }: Operation, code: number, profile: Profile): ResponseObject {
  const problem = writtenProblem(operationId, code) ?? knownProblem(code, profile) ?? statusProblem(code, detail);
  if (profile.errorBody === 'empty') return { description: problem.title };
  const shape = errorShapes[profile.errorBody];
  const examples = { forced: { value: shape.toBody(problem) } };
  return { description: problem.title, content: { [shape.contentType]: { schema: shape.schema, examples } } };
}

// There are examples for more errors than any one profile uses.
function writtenProblem(operationId: OperationId, code: number): Problem | undefined {
  return loadMockParts().errors[operationId].find(({ value }) => value.status === code)?.value;
}

const commonKinds = [
  ...['notFound', 'forbidden', 'conflict', 'invalidInput', 'malformedJson', 'bodyTooLarge', 'unsupportedMediaType'],
  ...['methodNotAllowed', 'requestTimeout', 'headersTooLarge'],
] as const satisfies RefusalKind[];

function knownProblem(code: number, profile: Profile): Problem | undefined {
  const kind = commonKinds.find((candidate) => refusals[candidate].status(profile) === code);
  return kind === undefined ? undefined : toProblem(refuse(kind, detail), code);
}

const detail = 'The request asked for this response with a preference.';
