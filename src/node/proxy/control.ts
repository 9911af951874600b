import { packageVersion } from '../../../lib/package-version.ts';
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import { loadOwnYaml } from '../../../openapi/contract/own-files.ts';
import { ControlDefinition } from '../../workbench/admin-api/admin-api.ts';
import { type ControlHandler, type ControlInput, done, gone } from '../../workbench/admin-api/control.ts';
import { answerExchange, streamExchanges } from '../../workbench/admin-api/request-log-answers.ts';
import { createSelect, type Recorded, type RequestLog } from '../../workbench/request-log.ts';
import { type ProxyExchange, sideOf } from './exchange.ts';
import type { ProxySummary } from './summary.ts';

/** Everything that the admin API of a proxy shows. */
interface ProxyControlContext {
  requestLog: RequestLog<ProxyExchange>;
  summary(): ProxySummary;
  /** The base URL for clients. */
  baseUrl(): string;
}

const handlers: Readonly<Record<string, ControlHandler<ProxyControlContext>>> = {
  getVersion: (_, { baseUrl, summary }) =>
    done({ version: packageVersion(), baseUrl: baseUrl(), upstream: summary().upstream }),

  getHealth: (_, { summary }) => done({ status: 'healthy', upstream: summary().upstream }),

  getSummary: (_, { summary }) => done(summary()),

  listRequests: ({ query }, { requestLog }) => {
    const found = requestLog.list(selectOf(query), query.limit as number | undefined);
    const requests = found.reverse().map(toEntry);
    return done({ requests, total: requests.length, dropped: requestLog.dropped, kept: requestLog.limits });
  },

  clearRequests: ({ query }, { requestLog }) => {
    requestLog.clear(Object.keys(query).length === 0 ? undefined : selectOf(query));
    return gone;
  },

  getRequest: ({ path }, { requestLog }) => answerExchange(requestLog, path.requestNumber, toEntry),

  watchRequests: ({ query }, { requestLog }) => streamExchanges(requestLog, selectOf(query), toEntry),
};

// Numbers count from 0 since the start.
function toEntry({ number, entry }: Recorded<ProxyExchange>): ProxyExchange & { id: number } {
  return { id: number, ...entry };
}

function selectOf(query: ControlInput['query']): (exchange: ProxyExchange) => boolean {
  const select = createSelect(query);
  return (exchange) => select(factsOf(exchange));
}

function factsOf({ status, time, operation, violations }: ProxyExchange) {
  return { status, timeMs: Date.parse(time), operationId: operation, sides: violations.map(sideOf) };
}

/** The admin API of a proxy. */
export const proxyControl = new ControlDefinition<ProxyControlContext>({
  loadDocument: () => loadOwnYaml('src/node/proxy/admin-api.yaml') as ContractDocument,
  handlers,
  profile: { 'errorStatus.invalidInput': 400 },
});
