import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Exchange, TransportFailure } from './exchange.ts';

/** One request as it is sent. */
export interface SentRequest {
  operation: OperationId;
  method: string;
  /** Relative to the base URL, percent-encoded, with the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** Whether the key is valid. */
  isAuthenticated: boolean;
  /** Whether to use the shared kept-open connection. */
  onKeptConnection?: boolean;
  timeoutMs?: number;
}

/** The result of a request: a response, or why there was none. */
export interface Reply {
  request: SentRequest;
  /** 0 if no response came. */
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body verbatim; undefined if it is not UTF-8. */
  text: string | undefined;
  /** The value of a JSON body. */
  json: unknown;
  isJson: boolean;
  /** Whether the body is nested too deeply to be read as JSON. */
  isTooDeep: boolean;
  hasBody: boolean;
  /** Status 200 to 299. */
  isSuccess: boolean;
  failure?: TransportFailure;
  /** Whether this is the unusual status that the target returns for unknown files. */
  isUnknown?: boolean;
  exchange: Exchange;
  /** The check that sent the request; absent if none did. */
  sentBy?: string;
  /** By the clock of the process, like `receivedAtMs`. */
  sentAtMs: number;
  receivedAtMs: number;
}

/** Statuses that a gateway returns for a server that does not respond. */
export const answeredByGateway: readonly number[] = [502, 503, 504];

/** There is no room; how much there must be is open (section 8). */
export const insufficientStorage = 507;

const failures: Readonly<Record<TransportFailure, string>> = {
  timeout: 'time-outs',
  refused: 'lost connections',
  reset: 'lost connections',
  unreadable: 'responses that are not HTTP',
  tooLarge: 'responses of more than 20 MB',
  certificate: 'a certificate that is not trusted',
  other: 'failed requests',
};

/**
 * Why a reply says nothing about the contract, in words that reports count: too many requests, a server failure, or no
 * response; undefined for all others.
 */
export function troubleIn({ status, failure }: Pick<Reply, 'status' | 'failure'>): string | undefined {
  if (failure !== undefined) return failures[failure];
  return status === 429 || (status >= 500 && status !== insufficientStorage) ? `status ${status}` : undefined;
}
