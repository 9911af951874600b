import type { ClientRequest, IncomingMessage } from 'node:http';
import { endToEnd, pairsOf, toRecord, toUpstreamHeaders } from './headers.ts';
import type { Passage } from './passage.ts';
import { createPatience } from './patience.ts';
import { toUpstreamTarget } from './target.ts';
import { isSafe } from './upstream.ts';

/** Sends a request to the upstream. Resolves when the head of the answer is there; its body is still to come. */
export async function askUpstream(passage: Passage): Promise<IncomingMessage> {
  try {
    return await askOnce(passage);
  } catch (error) {
    if (!isStale(passage, error)) throw error;
    return askOnce(passage, true);
  }
}

// The upstream closed a connection that idled just when it was used again: it has not seen the request. Others that idle
// may be closed as well.
function isStale({ outgoing, request, body, isClientGone, hasLostPatience }: Passage, error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  const isAlone = body.lengthBytes === 0 && isSafe(request.method ?? '') && !isClientGone && !hasLostPatience;
  return isAlone && outgoing?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
}

async function askOnce(passage: Passage, isAlone?: boolean): Promise<IncomingMessage> {
  const { edge, request } = passage;
  const toSend = {
    method: request.method ?? 'GET',
    target: toUpstreamTarget(edge.mapping, request.url ?? '/'),
    headers: toUpstreamHeaders(request, edge.identity),
  };
  const outgoing = edge.upstream.send(toSend, isAlone);
  passage.outgoing = outgoing;
  if (passage.isClientGone) outgoing.destroy();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', passage.renewPatience).once('response', resolve).on('error', reject);
  outgoing.on('information', (information) => relayInformation(passage, information));
  startWaiting(passage);
  void sendBody(passage, outgoing);
  passage.incoming = await promise;
  return passage.incoming;
}

/** Waits for the upstream from now on, and gives the request up when it keeps silent. */
export function startWaiting(passage: Passage): void {
  const { edge, response, outgoing } = passage;
  if (outgoing === undefined) return;
  // Where the client does not read, or does not send, it is not the upstream that is waited for.
  const isExcused = () => response.writableNeedDrain || (!outgoing.writableEnded && !outgoing.writableNeedDrain);
  passage.patience?.end();
  passage.patience = createPatience(edge.timeoutMs, isExcused, () => {
    passage.hasLostPatience = true;
    outgoing.destroy();
  });
}

async function sendBody(passage: Passage, outgoing: ClientRequest): Promise<void> {
  try {
    await passage.body.passTo(outgoing, passage.renewPatience);
    const trailers = pairsOf(passage.request.rawTrailers);
    if (trailers.length > 0) outgoing.addTrailers(endToEnd(trailers));
    outgoing.end();
  } catch (error) {
    // An upstream may answer before it has read all, and close.
    if (passage.incoming === undefined) outgoing.destroy(error instanceof Error ? error : undefined);
  }
}

interface Information {
  statusCode: number;
  rawHeaders: string[];
}

function relayInformation({ request, response }: Passage, { statusCode, rawHeaders }: Information): void {
  if (request.httpVersionMinor === 0 || response.headersSent) return;
  if (statusCode === 102) response.writeProcessing();
  const { link, ...hints } = toRecord(endToEnd(pairsOf(rawHeaders)));
  if (statusCode === 103 && link !== undefined) response.writeEarlyHints({ ...hints, link });
}
