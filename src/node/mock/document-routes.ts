import type { IncomingMessage } from 'node:http';
import { packageVersion } from '../../../openapi/contract/package-version.ts';
import { answerDocument, pagePath } from '../../workbench/served-documents.ts';
import { servedIndex } from '../../workbench/served-index.ts';
import { sendPage, wantsPage } from '../page.ts';
import { originOf } from '../request.ts';
import type { Arrival } from './arrival.ts';
import type { MockContext } from './mock-context.ts';
import { answerError, sendAnswer, sendUnrecorded } from './send-answer.ts';

/** Serves what is at a path besides operations: documents, and the developer page. False if there is nothing. */
export function serveDocument(context: MockContext, arrival: Arrival, path: string): boolean {
  const { method, headers } = arrival.request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (path === pagePath) {
    servePage(context, arrival);
    return true;
  }
  const origin = originOf(arrival.request);
  const pointsAt = `${origin}${pagePath}#/points/`;
  const answer = answerDocument(context.engine, headers, { path, baseUrl: origin + context.basePath, pointsAt });
  if (answer === undefined) return false;
  // What the developer page loads is not traffic.
  const send = isOfPage(arrival.request) ? sendUnrecorded : sendAnswer;
  send(context, arrival, answer);
  return true;
}

/** Serves the developer page, or the index to whoever asks for no HTML. Neither is traffic. */
function servePage(context: MockContext, arrival: Arrival): void {
  const { basePath, access } = context;
  const { request, response } = arrival;
  if (wantsPage(request.headers.accept)) {
    sendPage(request, response).catch((error) => answerError(context, error, arrival));
    return;
  }
  const index = servedIndex(originOf(request), { basePath, version: packageVersion(), access });
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache', vary: 'Accept, Origin' };
  sendUnrecorded(context, arrival, { status: 200, headers, body: `${JSON.stringify(index, null, 2)}\n` });
}

/** Whether the page itself asks for a document: its browser says that the request comes from the same origin. */
function isOfPage({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'same-origin';
}
