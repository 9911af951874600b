import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Reading } from '../../../openapi/reading/reading.ts';
import type { RequestLog } from '../../workbench/request-log/request-log.ts';
import { BodyReader } from '../body-reader.ts';
import type { ProxyExchange } from './exchange.ts';
import type { LatestAnswers } from './latest-answers.ts';
import type { HeadContext, RequestHead } from './request-head.ts';
import type { Tallies } from './summary.ts';
import type { Upstream } from './upstream.ts';

/** Everything that the requests to one proxy share. */
export interface ProxyContext extends HeadContext {
  upstream: Upstream;
  /** The base URL of the upstream, for messages. */
  upstreamUrl: string;
  sightings: Reading;
  latestAnswers: LatestAnswers;
  tallies: Tallies;
  requestLog: RequestLog<ProxyExchange>;
  judgeLimitBytes: number;
  judgeTimeMs: number;
  timeoutMs: number;
  /** Whether violations are refused, and not only reported. */
  isStrict: boolean;
  /** Whether the proxy is closing: exchanges that end now were cut off by it. */
  isStopping: boolean;
  requestIds(headers: IncomingHttpHeaders): string;
  readHead(message: IncomingMessage): RequestHead;
  onExchange?: ((exchange: ProxyExchange) => void) | undefined;
  onUnexpected(error: unknown): void;
}

/** A request as received, its body still unread. */
export interface ReceivedRequest {
  readonly message: IncomingMessage;
  readonly requestId: string;
  readonly head: RequestHead;
  readonly body: BodyReader;
}

export function receive(context: ProxyContext, message: IncomingMessage): ReceivedRequest {
  const requestId = context.requestIds(message.headers);
  return { message, requestId, head: context.readHead(message), body: new BodyReader(message) };
}
