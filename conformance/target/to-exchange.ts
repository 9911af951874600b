import { beginning } from '../../lib/beginning.ts';
import { isSecretHeader, type Redact, redactCredentials, redactHeaders } from '../../lib/secrets.ts';
import { cut } from '../../lib/text.ts';
import type { Settings } from '../config/settings.ts';
import type { Exchange } from './exchange.ts';
import type { RawAnswer } from './raw-answer.ts';
import type { SentRequest } from './reply.ts';

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
