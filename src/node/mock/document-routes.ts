import type { IncomingMessage } from 'node:http';
import { packageVersion } from '../../../lib/package-version.ts';
import { answerDocument, pagePath } from '../../workbench/served-documents.ts';
import { servedIndex } from '../../workbench/served-index.ts';
import { sendPage, wantsPage } from '../page.ts';
import { originOf } from '../request.ts';
import type { Arrival } from './arrival.ts';
import type { MockContext } from './mock-context.ts';
import { answerError, sendAnswer, sendUnrecorded } from './send-answer.ts';

/** Serves documents and the developer page. Returns false if the path is none of theirs. */
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
  // Requests by the developer page are not traffic.
  const send = isOfPage(arrival.request) ? sendUnrecorded : sendAnswer;
  send(context, arrival, answer);
  return true;
}

/** Serves the developer page, or the index to clients that do not ask for HTML. Neither is traffic. */
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

/** Whether the page itself requests a document: its browser marks the request as same-origin. */
function isOfPage({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'same-origin';
}
