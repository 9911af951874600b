import type { FastifyInstance, FastifyRequest } from 'fastify';
import { packageVersion } from '../../../openapi/contract/package-version.ts';
import { pagePath } from '../../workbench/served-documents.ts';
import { servedIndex } from '../../workbench/served-index.ts';
import { sendPage, wantsPage } from '../page.ts';
import { originOf } from '../request.ts';
import { arrivalOf } from './arrival.ts';
import type { MockContext } from './mock-context.ts';
import { sendUnrecorded } from './send-answer.ts';

/** Serves the developer page, or the index to whoever asks for no HTML. Neither is traffic. */
export function addPage(app: FastifyInstance, context: MockContext): void {
  const { basePath, access, onUnexpected } = context;
  app.get(pagePath, (request, reply) => {
    reply.hijack();
    if (wantsPage(request.headers.accept)) {
      sendPage(request.raw, reply.raw).catch(onUnexpected);
      return;
    }
    const index = servedIndex(originOf(request.raw), { basePath, version: packageVersion(), access });
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache', vary: 'Accept, Origin' };
    sendUnrecorded(context, arrivalOf(context, request, reply.raw), {
      status: 200,
      headers,
      body: `${JSON.stringify(index, null, 2)}\n`,
    });
  });
}

/** Whether the page itself asks for a document: its browser says that the request comes from the same origin. */
export function isOfPage({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-origin';
}
