import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hostOf } from '../target.ts';
import { startWaiting } from './ask-upstream.ts';
import { record } from './ending.ts';
import { endToEnd, type HeaderPair, pairsOf } from './headers.ts';
import type { Passage } from './passage.ts';
import { isEventStream } from './take-in.ts';
import { toOwnLocation } from './target.ts';
import { toViolationsHeader } from './violations-header.ts';

/** Hands an answer on to the client: its head with the violations, and its body as it comes. */
export async function handOn(passage: Passage, incoming: IncomingMessage): Promise<void> {
  const { response, answerBody } = passage;
  writeHead(passage, incoming);
  if (passage.isAnswerWhole && incoming.rawTrailers.length === 0) {
    record(passage);
    response.end(answerBody?.taken);
    return;
  }
  if (!isEventStream(incoming.headers)) startWaiting(passage);
  await answerBody?.passTo(response, passage.renewPatience);
  const trailers = pairsOf(incoming.rawTrailers);
  if (trailers.length > 0) response.addTrailers(endToEnd(trailers));
  record(passage);
  response.end();
}

/** Hands on what came of an answer that broke off, and breaks off as well. */
export function handOnBroken(passage: Passage, incoming: IncomingMessage): void {
  const { response, answerBody } = passage;
  if (!response.headersSent) {
    writeHead(passage, incoming);
    response.flushHeaders();
    response.write(answerBody?.taken ?? '', () => response.destroy());
  } else {
    response.destroy();
  }
}

function writeHead(passage: Passage, incoming: IncomingMessage): void {
  const { response } = passage;
  const status = incoming.statusCode ?? 502;
  passage.status = status;
  const headers = [...toClientHeaders(passage, incoming), ...violationsHeaders(passage, incoming)];
  response.writeHead(status, incoming.statusMessage ?? '', headers.flat());
}

function toClientHeaders({ edge, request }: Passage, { rawHeaders }: IncomingMessage): HeaderPair[] {
  const origin = `http://${hostOf(request.headers) ?? addressOf(request.socket)}`;
  return endToEnd(pairsOf(rawHeaders))
    .filter(([name]) => name.toLowerCase() !== 'sl-violations')
    .map(([name, value]) => {
      const isLocation = name.toLowerCase() === 'location';
      return [name, isLocation ? toOwnLocation(edge.mapping, value, origin) : value];
    });
}

function addressOf({ localAddress = '', localPort }: Socket): string {
  return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;
}

/** What the proxy adds; a page that may read the answer may read that, too. */
export function violationsHeaders({ violations, redaction }: Passage, incoming?: IncomingMessage): HeaderPair[] {
  if (violations.length === 0) return [];
  const value = redaction.text(toViolationsHeader(violations));
  const isForPages = incoming?.headers['access-control-allow-origin'] !== undefined;
  const expose: HeaderPair[] = isForPages ? [['Access-Control-Expose-Headers', 'sl-violations']] : [];
  return [['sl-violations', value], ...expose];
}
