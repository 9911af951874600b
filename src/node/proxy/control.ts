import type { ContractDocument } from '../../../openapi/contract/document.ts';
import { loadOwnYaml } from '../../../openapi/contract/own-files.ts';
import { packageVersion } from '../../../openapi/contract/package-version.ts';
import { type ControlHandler, type ControlInput, done, gone } from '../../workbench/control-plane/control.ts';
import type { ControlDefinition } from '../../workbench/control-plane/control-plane.ts';
import { answerExchange, streamExchanges } from '../../workbench/control-plane/journal-answers.ts';
import { createSelect } from '../../workbench/journal/filter.ts';
import type { Journal, Recorded } from '../../workbench/journal/journal.ts';
import { type ProxyExchange, sideOf } from './exchange.ts';
import type { ProxySummary } from './summary.ts';

/** Everything that the control plane of a proxy shows. */
interface ProxyControlContext {
  journal: Journal<ProxyExchange>;
  summary(): ProxySummary;
  /** For clients. */
  baseUrl(): string;
}

const handlers: Readonly<Record<string, ControlHandler<ProxyControlContext>>> = {
  getVersion: (_, { baseUrl, summary }) =>
    done({ version: packageVersion(), baseUrl: baseUrl(), upstream: summary().upstream }),

  getHealth: (_, { summary }) => done({ status: 'healthy', upstream: summary().upstream }),

  getSummary: (_, { summary }) => done(summary()),

  listRequests: ({ query }, { journal }) => {
    const found = journal.list(selectOf(query), query.limit as number | undefined);
    const requests = found.reverse().map(toEntry);
    return done({ requests, total: requests.length, dropped: journal.dropped, kept: journal.limits });
  },

  clearRequests: ({ query }, { journal }) => {
    journal.clear(Object.keys(query).length === 0 ? undefined : selectOf(query));
    return gone;
  },

  getRequest: ({ path }, { journal }) => answerExchange(journal, path.requestNumber, toEntry),

  watchRequests: ({ query }, { journal }) => streamExchanges(journal, selectOf(query), toEntry),
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

/** The control plane of a proxy. */
export const proxyControl: ControlDefinition<ProxyControlContext> = {
  loadDocument: () => loadOwnYaml('src/node/proxy/control-plane.yaml') as ContractDocument,
  handlers,
  profile: { invalidInputStatus: 400 },
};
