import type { IncomingMessage, ServerResponse } from 'node:http';
import { askUpstream } from './ask-upstream.ts';
import { record, toPassageFailure } from './ending.ts';
import { answerFailure, ProxyFailure, statusOf } from './failures.ts';
import { handOn, handOnBroken, violationsHeaders } from './hand-on.ts';
import { isLoop } from './headers.ts';
import { judgeAlone, judgeAnswer, refuseAnswer, refuseRequest } from './judge-passage.ts';
import { type Edge, Passage } from './passage.ts';
import { takeAnswer, takeRequest } from './take-in.ts';

/**
 * The way of a request through the proxy. Bodies are taken in up to the limit; what is larger is passed on as it comes,
 * unjudged.
 */
export async function pass(edge: Edge, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const passage = new Passage(edge, request, response);
  watchClient(passage);
  try {
    if (isLoop(request, edge.identity)) throw new ProxyFailure('upstreamLoop', loop);
    await takeRequest(passage);
    if (edge.isStrict) await refuseRequest(passage);
    const incoming = await askUpstream(passage);
    const answer = await takeAnswer(passage, incoming);
    passage.patience?.end();
    if (answer === undefined) await judgeAlone(passage);
    else await judgeAnswer(passage, answer);
    refuseAnswer(passage);
    await handOn(passage, incoming);
  } catch (error) {
    endBadly(passage, error);
  }
}

const loop = 'The request came back to the proxy that sent it. --upstream must name the service, not this proxy.';

function watchClient(passage: Passage): void {
  const { response } = passage;
  response.once('close', () => {
    if (response.writableFinished) return;
    passage.isClientGone = true;
    passage.outgoing?.destroy();
  });
}

// Once the head of an answer is there, a client that waits for its body gets to see what the proxy saw.
function endBadly(passage: Passage, error: unknown): void {
  const { response, incoming, request } = passage;
  const failure = toPassageFailure(passage, error);
  passage.failure = { kind: failure.kind, detail: failure.message };
  passage.outgoing?.destroy();
  const isBroken = incoming !== undefined && failure.kind === 'upstreamBroke';
  if (passage.isClientGone || response.headersSent || isBroken) {
    if (incoming !== undefined && !passage.isClientGone) handOnBroken(passage, incoming);
    else response.destroy();
    record(passage);
    return;
  }
  passage.status = statusOf(failure);
  record(passage);
  for (const [name, value] of violationsHeaders(passage)) response.setHeader(name, value);
  answerFailure(request, response, failure, passage.redaction.text);
}
