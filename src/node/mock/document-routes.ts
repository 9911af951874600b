import type { IncomingMessage } from 'node:http';
import { copyOf } from '../../../openapi/contract/load.ts';
import { loadOwnText } from '../../../openapi/contract/own-files.ts';
import { packageVersion } from '../../../openapi/contract/package-version.ts';
import { answerDocument, pagePath, questionsPath } from '../../workbench/served-documents.ts';
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
  const where = { path, baseUrl: origin + context.basePath, questions: origin + questionsPath };
  const answer = path === questionsPath ? questionsPage() : answerDocument(context.engine, headers, where);
  if (answer === undefined) return false;
  // What the developer page loads is not traffic.
  const send = isOfPage(arrival.request) ? sendUnrecorded : sendAnswer;
  send(context, arrival, answer);
  return true;
}

const loadQuestions = copyOf(() => loadOwnText('docs/questions.html'));

function questionsPage() {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: loadQuestions() };
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
