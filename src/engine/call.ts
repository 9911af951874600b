import type { OperationId } from '../../openapi/contract/operations.ts';
import type { operations } from '../../openapi/contract/types.gen.ts';

/** Request headers by name in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One request for one operation, as an edge passes it to the engine. */
export interface Call {
  operationId: OperationId;
  pathParameters: Readonly<Record<string, string>>;
  /** The raw query after the `?`; empty if there is none. */
  query: string;
  headers: RequestHeaders;
  /** The raw body; absent or empty if there was none. */
  body?: Uint8Array | undefined;
}

export interface JudgedCall extends Call {
  /** Whether both its input is invalid and the resource in its path is unknown. */
  hasTwoFaults?: boolean;
}

/** A response of the engine. The body is JSON text. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body?: string;
  /** The open points that shaped it, as the text of `X-Open-Points`; absent where the contract does not apply. */
  openPoints?: string;
  /** Notes for the log, such as why the call was refused. */
  notes?: readonly string[];
  /** The operation and the organization that it serves; absent where there was no operation. */
  about?: { operationId: OperationId; organizationId?: string; faults?: readonly string[] };
}

/** A response with more headers. */
export function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

type Parameters<Id extends OperationId> = operations[Id]['parameters'];
type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type Success<Responses> = Responses extends { 200: infer Exact }
  ? Exact
  : Responses extends { '2XX': infer Any }
    ? Any
    : never;

export type PathOf<Id extends OperationId> = NonNullable<Parameters<Id>['path']>;
export type QueryOf<Id extends OperationId> = NonNullable<Parameters<Id>['query']>;
/** The request body of an operation. A profile may let any field be absent (open point `requiredFields`). */
export type BodyOf<Id extends OperationId> = Partial<Json<NonNullable<operations[Id]['requestBody']>>>;
/** The body of an operation's success; undefined if the profile chose none. */
export type SuccessOf<Id extends OperationId> =
  | Json<Success<operations[Id]['responses']>>
  | (operations[Id]['responses'] extends { 204: unknown } ? undefined : never);
