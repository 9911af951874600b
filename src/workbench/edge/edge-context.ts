/*
 * What HTTP, `fetch` and MSW have in common: what surrounds an engine (here), one call (`answer-call.ts`), and the end
 * of an exchange, with headers and request log (`end-exchange.ts`). `test/facts/` requires the same
 * values from all edges, `test/mock/same-edges.test.ts` compares them byte for byte.
 */

import { withDefaults } from '../../../lib/options.ts';
import { packageVersion } from '../../../lib/package-version.ts';
import { basePathOf } from '../../../openapi/contract/operations.ts';
import type { Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { AdminApi } from '../admin-api/admin-api.ts';
import { Changes } from '../admin-api/changes.ts';
import type { ControlContext } from '../admin-api/control.ts';
import type { Access } from '../admin-api/guard.ts';
import { controlHandlers, loadControlDocument } from '../admin-api/handlers.ts';
import type { Impact } from '../draw-profile.ts';
import type { Exchange } from '../exchange.ts';
import { Faults } from '../faults/faults.ts';
import { type LatencyOption, startingFaults } from '../faults/starting-faults.ts';
import { type AnswerPreferring, createPreferring } from '../forced/forced-answers.ts';
import { mockOptions } from '../options.ts';
import { createRequestIds, type Digest, type RequestIds } from '../request-ids.ts';
import { createMockRequestLog, type MockRequestLog } from '../request-log/entry.ts';

// For all bodies together.
const requestLogBodyBytes = 8_388_608;

/** Everything around an engine that all edges share, in Node and in a page. */
export interface EdgeContext {
  engine: Engine;
  basePath: string;
  /** Whether responses name the open points that shaped them. */
  hasOpenPoints: boolean;
  faults: Faults;
  /** Runs before the response to a call leaves; returns undefined if there is nothing to do. */
  prepare: ((call: Call) => Promise<void> | undefined) | undefined;
  /** Responds to a call according to its preferences. */
  answerPreferring: AnswerPreferring;
  requestLog: MockRequestLog | undefined;
  requestIds: RequestIds;
  digest: Digest;
  /** Notified of changes by the admin API or code. */
  changes: Changes;
  /** Persists changes. If it returns an error, no response may leave. */
  save: (() => Error | undefined) | undefined;
  /** Called with each exchange when its response is written. */
  onExchange: ((exchange: Exchange) => void) | undefined;
  /** Called with unexpected errors. */
  onUnexpected: (error: unknown) => void;
}

/** The options that an edge takes unchanged. */
export interface EdgeOptions {
  latency?: LatencyOption;
  requestLogLimit?: number;
  openPointsHeader?: boolean;
  onExchange?: (exchange: Exchange) => void;
}

/** Creates what surrounds an engine. */
export function createEdgeContext(
  engine: Engine,
  options: EdgeOptions,
  { prepare, save, onUnexpected, digest }: Pick<EdgeContext, 'prepare' | 'save' | 'onUnexpected' | 'digest'>,
): EdgeContext {
  const { openPointsHeader = true, onExchange } = options;
  const { requestLogLimit: entries } = withDefaults(mockOptions, options);
  const idOf = (named: string) => engine.store.named(named)?.organization.id;
  return {
    ...{ engine, prepare, save, onExchange, onUnexpected, digest, hasOpenPoints: openPointsHeader },
    changes: new Changes(),
    basePath: basePathOf(engine.contract),
    requestLog: entries === 0 ? undefined : createMockRequestLog({ entries, bodyBytes: requestLogBodyBytes }),
    faults: new Faults(engine.runtime.randomSeed, startingFaults(options.latency), idOf),
    requestIds: createRequestIds(engine.runtime.randomSeed, digest, () => engine.store.openedCount),
    answerPreferring: createPreferring(engine),
  };
}

/** The admin API of a mock. */
export function createAdminApi(
  { engine, requestLog, faults, prepare, save, digest, changes }: EdgeContext,
  vary: Impact | undefined,
  access: Access,
): AdminApi<ControlContext> {
  const definition = { loadDocument: loadControlDocument, handlers: controlHandlers };
  const context = {
    ...{ engine, requestLog, faults, version: packageVersion(), vary, digest, changes },
    hasLiveMcp: prepare !== undefined,
    hasToken: access.token !== undefined,
  };
  if (save !== undefined) changes.listen(() => throwAny(save()));
  return new AdminApi(definition, context, access);
}

/** Throws the error, if there is one. */
export function throwAny(error: Error | undefined): void {
  if (error !== undefined) throw error;
}
