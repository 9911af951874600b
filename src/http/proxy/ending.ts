import { ProxyFailure, toFailure } from './failures.ts';
import type { Edge, Passage } from './passage.ts';

/** Takes note of an exchange that is over, or as good as over. Once. */
export function record(passage: Passage): void {
  const { edge } = passage;
  if (passage.isRecorded) return;
  passage.isRecorded = true;
  passage.patience?.end();
  const exchange = passage.toExchange();
  edge.journal.add(exchange);
  edge.tallies.add(exchange);
  try {
    edge.onExchange?.(exchange);
  } catch (error) {
    edge.onUnexpected(error);
  }
}

/** Why a passage came to a bad end. */
export function toPassageFailure(
  { edge, isClientGone, hasLostPatience, request }: Passage,
  error: unknown,
): ProxyFailure {
  if (isClientGone) return new ProxyFailure('clientGone', 'The client closed the connection before it had the answer.');
  if (hasLostPatience) return silence(edge);
  if (error instanceof ProxyFailure) return error;
  if (typeof (error as { code?: unknown }).code === 'string') return toFailure(error, edge.upstreamUrl);
  edge.onUnexpected(error);
  const remedy = 'This is a defect of the proxy. Please report it with the request.';
  return new ProxyFailure('proxyBroke', `${request.method} could not be passed on. ${remedy}`);
}

function silence({ upstreamUrl, timeoutMs }: Edge): ProxyFailure {
  const remedy = 'Look at its load, or allow more with --timeout.';
  return new ProxyFailure('upstreamTimeout', `${upstreamUrl} kept silent for ${timeoutMs} ms. ${remedy}`);
}
