/*
 * One request and its reply, as checks and reports see them. How the suite treats a target that crashes: here, in
 * `target.ts` and in `../run/run-check.ts`; a target that is not the service at all: `../run/reach.ts`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isSecretHeader, type Redact, redactCredentials, redactHeaders } from '../../lib/secrets.ts';
import { beginning, own } from '../../lib/sentence.ts';
import { cut } from '../../lib/text.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Settings } from '../run/settings.ts';
import type { RawAnswer, TransportFailure } from './received.ts';

/** One request and its result, as evidence: redacted, with shortened bodies. */
export interface Exchange {
  operation?: OperationId;
  /** Identifies the request in the target's log. */
  requestId?: string;
  request: {
    method: string;
    url: string;
    /** Keys are shown as `<API_KEY>`. */
    headers: Record<string, string>;
    body?: string;
  };
  /** Absent if no response came. `excerpt`: what matters of a long list in a finding. */
  response?: { status: number; headers: Record<string, string>; body: string; excerpt?: string };
  /** Set if no response came. */
  failure?: { kind: TransportFailure; message: string };
  durationMs: number;
}

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

/** Follows `the body is`. */
export const tooDeep = own('nested deeper than 1,000 levels, so hardly any client can read it');

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

/** A request and its result. The times are by the clock of the process. */
export interface Happened {
  request: SentRequest;
  answered: RawAnswer;
  sentAtMs: number;
  receivedAtMs: number;
  requestId: string | undefined;
}

type Sending = Pick<Settings, 'baseUrl' | 'headers'>;

const shownBodyLength = 2_000;

/** One request and its result as evidence. Longer bodies are cut. */
export function toExchange(
  settings: Sending,
  redact: Redact,
  { request, answered, sentAtMs, receivedAtMs, requestId }: Happened,
  longestBody = shownBodyLength,
): Exchange {
  const cutBody = (text: string) => cutAfter(longestBody, text, redact);
  return {
    operation: request.operation,
    ...(requestId === undefined ? {} : { requestId }),
    request: {
      method: request.method,
      url: redact(settings.baseUrl + request.path),
      headers: sentHeaders(settings, redact, request),
      ...(request.body === undefined ? {} : { body: cutBody(request.body) }),
    },
    ...resultOf(answered, redact, cutBody),
    durationMs: Math.round((receivedAtMs - sentAtMs) * 10) / 10,
  };
}

function resultOf(
  answered: RawAnswer,
  redact: Redact,
  cutBody: (text: string) => string,
): Pick<Exchange, 'response' | 'failure'> {
  const { status, headers, text, failure } = answered;
  if (failure !== undefined) return { failure: { kind: failure.kind, message: failure.message.shown(redact) } };
  const received = Object.entries(headers).map(([name, value]) => [redact(name), value] as const);
  const body = text === undefined ? '(bytes that are not UTF-8)' : cutBody(text);
  return { response: { status, headers: redactHeaders(received, redact), body } };
}

// The headers set by the suite contain no secret except the key.
function sentHeaders(settings: Sending, redact: Redact, { headers }: SentRequest): Record<string, string> {
  const given = Object.entries(settings.headers).map(([name, value]) => [name, redact(value)]);
  const own = Object.entries(headers).map(([name, value]) => [
    name,
    isSecretHeader(name) ? redactCredentials(value, redact) : value,
  ]);
  return Object.fromEntries([...given, ...own]);
}

function cutAfter(longest: number, text: string, redact: Redact): string {
  const { shown, isWhole } = beginning(text, longest, redact);
  return isWhole ? shown : cut(shown, longest, Math.max(text.length, longest + 1));
}

/** The id of the check that sends requests; undefined outside checks. */
export const currentCheck = new AsyncLocalStorage<string>();

/** Checks that are tried beside each other. What that does not settle runs again alone. */
export interface Trial {
  /** Whether the target fell silent meanwhile. */
  isOver: boolean;
  /** What the checks share: results by the function that made them. */
  readonly shared: Map<unknown, unknown>;
}

/** Undefined where a check runs alone. */
export const currentTrial = new AsyncLocalStorage<Trial>();

/** A request during which the target crashed, and came back. */
export interface Crash {
  reply: Reply;
  /** The check that sent it, if one did. */
  check: string | undefined;
  /** Whether the target crashed again when the request was sent once more. Otherwise the cause may be different. */
  isRepeated: boolean;
  /** When the target was back, by the clock of the process. */
  backAtMs: number;
}

/** Whether the connection ended without a response, as happens when the target's process ends. */
export function isCutOff({ failure }: Pick<Reply, 'failure'>): boolean {
  return failure === 'refused' || failure === 'reset';
}

/** The crash that a check has brought about twice with the same request; undefined if there is none. */
export function repeatedCrashOf(crashes: readonly Crash[], check: string | undefined): Crash | undefined {
  return check === undefined ? undefined : crashes.find((crash) => crash.isRepeated && crash.check === check);
}

/** Whether the server itself reports that it failed. A gateway in front of it may be busy for a moment. */
export function isServerError({ status }: Pick<Reply, 'status'>): boolean {
  return status >= 500 && status !== insufficientStorage && !answeredByGateway.includes(status);
}
