import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Exchange } from '../exchange.ts';

/** What a judgement weighs: a broken must, a broken should, or what only rests on an open point and breaks nothing. */
export type Severity = 'Error' | 'Warning' | 'Information';

/** One way in which a request or an answer breaks the contract; written as Prism writes it. */
export interface ExchangeViolation {
  /** From `request`, which the client sent, or `response`, which the server sent, down to the place. */
  location: readonly string[];
  severity: Severity;
  /** The rule, or the JSON Schema keyword, that was broken. */
  code: string;
  /** What the rule asks for. */
  message: string;
}

export type Side = 'client' | 'server';

/** Who broke the contract; nobody where something only rests on an open point. */
export function sideOf({ location, severity }: ExchangeViolation): Side | undefined {
  if (severity === 'Information') return undefined;
  return location[0] === 'request' ? 'client' : 'server';
}

/** A request or an answer as the journal keeps it: without secrets, its body cut. */
export interface Message {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The beginning of the body, where it is text that was taken in. */
  body?: string;
  bodyBytes: number;
}

/** Why the proxy did not hand an answer on whole. */
export type FailureKind =
  | 'upstreamUnreachable'
  | 'upstreamTimeout'
  | 'upstreamBroke'
  | 'upstreamLoop'
  | 'requestViolation'
  | 'answerViolation'
  | 'clientGone'
  | 'proxyBroke';

/** One request that came to the proxy, and what became of it. Secrets are taken out. */
export interface ProxyExchange extends Exchange {
  /** When the request came, as an ISO date-time. */
  time: string;
  operation?: OperationId;
  request: Message;
  /** What the upstream answered; absent when it did not, or was not asked. */
  answer?: Message & { status: number };
  /** Why the request or the answer was not judged, or not all of it. */
  notJudged: readonly string[];
  violations: readonly ExchangeViolation[];
  failure?: { kind: FailureKind; detail: string };
}
