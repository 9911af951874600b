import type { Settings } from '../../conformance/config/settings.ts';
import type { Session } from '../../conformance/session.ts';
import { carries } from '../../conformance/target/credentials.ts';
import type { Happened } from '../../conformance/target/reply.ts';
import { isSecretHeader } from '../../lib/secrets.ts';
import type { Exchange } from '../../openapi/model/exchange.ts';
import type { Finding } from '../../openapi/model/findings.ts';
import { Model } from '../../openapi/model/model.ts';
import type { Told } from '../../openapi/model/organization.ts';
import { type Body, parseBody } from '../../openapi/reading/messages.ts';

/** Records every exchange of a run of the suite. */
export function recordInto(exchanges: Exchange[], settings: Settings): (session: Session) => void {
  return (session) => {
    session.target.onExchange = (happened) => {
      if (isClear(happened, settings)) exchanges.push(toExchange(happened, settings));
    };
  };
}

// Whom two keys mean, or a key after a `bearer` in small letters, is open: to the model, someone else has sent it.
function isClear({ request: { headers } }: Happened, { apiKey, otherApiKey = '' }: Settings): boolean {
  const sent = Object.entries(headers).filter(([name]) => isSecretHeader(name));
  const isOdd = sent.some(([, value]) => /^bearer /i.test(value) && !value.startsWith('Bearer '));
  const isValid = [apiKey, otherApiKey].some((key) => sent.some(([, value]) => value.endsWith(key)));
  return !isValid || (sent.length === 1 && !isOdd);
}

function toExchange({ request, answered, sentAtMs, receivedAtMs }: Happened, settings: Settings): Exchange {
  const { operation, path, body, isAuthenticated } = request;
  const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const { status, failure } = answered;
  const isOther = settings.otherApiKey !== undefined && carries(request.headers, settings.otherApiKey);
  return {
    ...{ operation, target: path, body, headers: Object.fromEntries(headers) },
    organization: isAuthenticated ? (isOther ? 'other' : 'own') : undefined,
    answer: failure === undefined ? { status, headers: answered.headers, body: bodyOf(answered) } : undefined,
    ...{ startMs: sentAtMs, endMs: receivedAtMs },
  };
}

function bodyOf({ text, isTooDeep }: Happened['answered']): Body {
  // Bytes that are not UTF-8 are not kept; these are none either.
  if (text === undefined) return parseBody(Uint8Array.of(0xff));
  return isTooDeep ? { kind: 'none' } : parseBody(new TextEncoder().encode(text));
}

/** Gives the exchanges to a model as they began and ended, and returns what it finds. */
export function judgeAll(exchanges: readonly Exchange[], told: Told): Finding[] {
  const model = new Model(told);
  const calls = new Map<Exchange, ReturnType<Model['begin']>>();
  const events = exchanges.flatMap((exchange) => [
    { atMs: exchange.startMs, exchange, isEnd: false },
    { atMs: exchange.endMs, exchange, isEnd: true },
  ]);
  // What begins when something else ends may overlap with it.
  events.sort((one, other) => one.atMs - other.atMs || Number(one.isEnd) - Number(other.isEnd));
  return events.flatMap(({ exchange, isEnd }) => {
    const call = calls.get(exchange) ?? model.begin(exchange);
    calls.set(exchange, call);
    return isEnd ? model.end(call, exchange.answer, exchange.endMs) : [];
  });
}
