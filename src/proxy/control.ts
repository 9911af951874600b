import { packageVersion } from '../../lib/package-version.ts';
import type { ContractDocument } from '../../openapi/contract/document.ts';
import { loadOwnYaml } from '../../openapi/contract/own-files.ts';
import { defineControl } from '../app/admin-api/admin-api.ts';
import { type ControlHandler, done } from '../app/admin-api/control.ts';
import { requestLogAnswers } from '../app/admin-api/request-log-handlers.ts';
import type { Recorded, RequestLog } from '../app/request-log.ts';
import { type ProxyExchange, sideOf } from './exchange.ts';
import type { ProxySummary } from './summary.ts';

/** Everything that the admin API of a proxy shows. */
interface ProxyControlContext {
  requestLog: RequestLog<ProxyExchange>;
  summary(): ProxySummary;
  /** The base URL for clients. */
  baseUrl(): string;
}

const { list, clear, read, watch } = requestLogAnswers<ProxyExchange>(
  toEntry,
  ({ status, time, operation, violations }) => ({
    ...{ status, timeMs: Date.parse(time), operationId: operation, sides: violations.map(sideOf) },
  }),
);

const handlers: Readonly<Record<string, ControlHandler<ProxyControlContext>>> = {
  getVersion: (_, { baseUrl, summary }) =>
    done({ version: packageVersion(), baseUrl: baseUrl(), upstream: summary().upstream }),

  getHealth: (_, { summary }) => done({ status: 'healthy', upstream: summary().upstream }),

  getSummary: (_, { summary }) => done(summary()),

  listRequests: ({ query }, { requestLog }) => list(requestLog, query),
  clearRequests: ({ query }, { requestLog }) => clear(requestLog, query),
  getRequest: ({ path }, { requestLog }) => read(requestLog, path),
  watchRequests: ({ query }, { requestLog }) => watch(requestLog, query),
};

/** An exchange in the shape of the mock's admin API, and how it was judged. Numbers count from 0 since the start. */
function toEntry({ number, entry }: Recorded<ProxyExchange>) {
  const { method, path, status, operation, request, answer, ...judged } = entry;
  return {
    ...{ id: number, ...judged, operationId: operation },
    request: { method, url: path, ...request },
    answer: { headers: {}, ...answer, status },
    upstreamStatus: answer?.status,
  };
}

export const proxyControl = defineControl<ProxyControlContext>(
  () => loadOwnYaml('src/proxy/admin-api.yaml') as ContractDocument,
  handlers,
);
