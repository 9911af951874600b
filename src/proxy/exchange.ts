import type { Redact } from '../../lib/secrets.ts';
import type { Sentence } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Exchange } from '../app/request-log.ts';

/** The maximum number of violations kept for one message: a long list may break a rule in each item. */
export const mostViolations = 200;

/**
 * The severity of a violation: a broken must, a broken should, a finding that depends on an open point, or a response
 * that contradicts earlier ones, unless another client made the change.
 */
export type Severity = 'Error' | 'Warning' | 'Information' | 'Hint';

/** One way in which a request or response breaks the contract, in the format of Prism's `sl-violations`. */
export interface ExchangeViolation {
  /** Starts with `request` (sent by the client) or `response` (sent by the server), and leads down to the place. */
  location: readonly string[];
  severity: Severity;
  /** The rule, or the JSON Schema keyword, that was broken. */
  code: string;
  /** The broken rule in words. */
  message: string;
}

/** A violation before redaction: its message quotes data from the wire. */
export type FoundViolation = Omit<ExchangeViolation, 'message'> & { message: Sentence };

/**
 * A violation without secrets. Its location starts with words of ours, a side and a part of the message; names from the
 * wire follow.
 */
export function toViolation({ location, message, ...rest }: FoundViolation, redact: Redact): ExchangeViolation {
  const [side = '', part, ...names] = location;
  const place = part === undefined ? [side] : [side, part, ...names.map(redact)];
  return { ...rest, location: place, message: message.shown(redact) };
}

type Side = 'client' | 'server';

/** The side that broke the contract; undefined if nobody did for sure. */
export function sideOf({ location, severity }: ExchangeViolation): Side | undefined {
  if (severity === 'Information' || severity === 'Hint') return undefined;
  return location[0] === 'request' ? 'client' : 'server';
}

/** A request or response in the request log, without secrets and with its body cut. */
export interface Message {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The beginning of the body, if it was read and is text. */
  body?: string;
  bodyBytes: number;
}

/** Why the proxy did not relay a complete response. */
export type FailureKind =
  | 'upstreamUnreachable'
  | 'upstreamTimeout'
  | 'upstreamBroke'
  | 'upstreamLoop'
  | 'malformedRequest'
  | 'requestViolation'
  | 'answerViolation'
  | 'clientGone'
  | 'proxyStopped'
  | 'proxyBroke';

/** One request to the proxy, and its outcome. Secrets are redacted. */
export interface ProxyExchange extends Exchange {
  /** When the request came, as an ISO date-time. */
  time: string;
  operation?: OperationId;
  request: Message;
  /** The response of the upstream, if there was one. */
  answer?: (Message & { status: number }) | undefined;
  /** Why the request or response was not judged, or only in part. */
  notJudged: readonly string[];
  violations: readonly ExchangeViolation[];
  failure?: { kind: FailureKind; detail: string };
}
