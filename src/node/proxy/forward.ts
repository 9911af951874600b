/*
 * A request through the proxy: read its body, up to the limit; with `errors`, refuse it before anything is sent; send
 * it to the upstream, a second time only if that is safe; read the response, up to the limit; judge both (`judge/`);
 * observe open points without judging (`openapi/reading/`); relay head, violations and body (`relay.ts`); record
 * (`exchange-record.ts`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerView, RequestView } from '../../../openapi/reading/messages.ts';
import { BodyReader } from '../body-reader.ts';
import type { ExchangeViolation } from './exchange.ts';
import { ExchangeRecord, type ProxyContext } from './exchange-record.ts';
import { answerFailure, malformedAnswer, ProxyFailure, statusOf, toFailure } from './failures.ts';
import { readAnswer, readRequest } from './read-bodies.ts';
import { relay, relayBroken, violationsHeaders } from './relay.ts';
import { flawOf, UpstreamCall } from './upstream-call.ts';

/**
 * Forwards a request to the upstream, and its response to the client. Bodies are read up to the limit; a larger one is
 * streamed, and not judged.
 */
export async function forward(
  context: ProxyContext,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const record = new ExchangeRecord(context, message);
  const call = new UpstreamCall(context, record.request, response);
  // Bytes after an upgrade request may be in the other protocol, and Node may lose them: close after the response.
  if (message.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  try {
    await exchange(record, call, response);
  } catch (error) {
    endBadly(record, call, response, error);
  }
}

async function exchange(record: ExchangeRecord, call: UpstreamCall, response: ServerResponse): Promise<void> {
  const { context, request } = record;
  if (request.head.refusal !== undefined) throw request.head.refusal;
  const view = await readRequest(record);
  if (context.isStrict) refuseRequest(record, view);
  const incoming = await call.send();
  record.answer = incoming;
  const flaw = flawOf(incoming);
  if (flaw !== undefined) throw malformedAnswer(context.upstreamUrl, flaw);
  const body = new BodyReader(incoming);
  record.answerBody = body;
  const answer = view && (await readAnswer(record, incoming, body, call.renew));
  call.stopWaiting();
  if (view !== undefined) judgeExchange(record, view, answer?.view);
  refuseAnswer(record);
  await relay(record, call, response, { incoming, body, isWhole: answer?.isWhole === true });
}

// Once the head of a response was accepted, the client gets what the proxy received of the body.
function endBadly(record: ExchangeRecord, call: UpstreamCall, response: ServerResponse, error: unknown): void {
  const { answer, answerBody, request } = record;
  const failure = failureOf(record, call, error);
  record.fail(failure);
  call.abort();
  const isBroken = answerBody !== undefined && failure.kind === 'upstreamBroke';
  const isUnheard = failure.kind === 'clientGone' || failure.kind === 'proxyStopped';
  if (isUnheard || response.headersSent || isBroken) {
    if (answer === undefined || isUnheard) response.destroy();
    else relayBroken(record, response, answer);
    record.finish(response.headersSent ? response.statusCode : 0);
    return;
  }
  record.finish(statusOf(failure));
  if (failure.kind === 'malformedRequest') response.shouldKeepAlive = false;
  for (const [name, value] of violationsHeaders(record.violations)) response.setHeader(name, value);
  answerFailure(request.message, response, failure);
}

function failureOf({ context, request }: ExchangeRecord, call: UpstreamCall, error: unknown): ProxyFailure {
  const { upstreamUrl, timeoutMs, onUnexpected, isStopping } = context;
  if (isStopping) return new ProxyFailure('proxyStopped', 'The proxy was stopped before the exchange was over.');
  if (call.isClientGone)
    return new ProxyFailure('clientGone', 'The client closed the connection before it got the response.');
  if (call.hasTimedOut) {
    const remedy = 'Check its load, or allow more time with --timeout.';
    return new ProxyFailure('upstreamTimeout', `${upstreamUrl} sent nothing for ${timeoutMs} ms. ${remedy}`);
  }
  if (error instanceof ProxyFailure) return error;
  if (typeof (error as { code?: unknown }).code === 'string') return toFailure(error, upstreamUrl);
  onUnexpected(error);
  const remedy = 'Internal error in the proxy. Please report it and include the request.';
  return new ProxyFailure('proxyBroke', `${request.message.method} could not be forwarded. ${remedy}`);
}

/** Judges a request before it is forwarded; throws if it breaks the contract. */
function refuseRequest(record: ExchangeRecord, view: RequestView | undefined): void {
  if (view !== undefined) record.judge(() => record.context.judge.request(view));
  const errors = record.violations.filter(isError);
  if (errors.length === 0) return;
  const what = 'The request breaks the contract, so it was not forwarded (--errors).';
  throw new ProxyFailure('requestViolation', `${what} ${errors[0]?.message}.`, errors);
}

/** Judges an exchange: the request unless that was done before, and the response if it was read. */
function judgeExchange(record: ExchangeRecord, view: RequestView, answer: AnswerView | undefined): void {
  const { context, request } = record;
  if (!context.isStrict) record.judge(() => context.judge.request(view));
  if (answer === undefined) return;
  record.judge(() => context.judge.answer(view, answer));
  const { redact, shownUrl } = request.head;
  record.judge(() => {
    context.sightings.add(view, answer, `${request.message.method} ${shownUrl}`, redact);
    return [];
  });
}

/** Throws if a response breaks the contract. */
function refuseAnswer({ context, violations }: ExchangeRecord): void {
  const errors = violations.filter((each) => isError(each) && each.location[0] === 'response');
  if (!context.isStrict || errors.length === 0) return;
  const what =
    'The upstream handled the request, but its response breaks the contract, so it was not forwarded (--errors).';
  throw new ProxyFailure('answerViolation', `${what} ${errors[0]?.message}.`, errors);
}

function isError({ severity }: ExchangeViolation): boolean {
  return severity === 'Error';
}
