/*
 * What HTTP, `fetch` and MSW have in common: what surrounds an engine (here), and one call from its arrival to the request
 * log (`answer-call.ts`). `test/facts/` requires the same
 * values from all edges, `test/mock/same-edges.test.ts` compares them byte for byte.
 */

import { withDefaults } from '../../../lib/options.ts';
import { packageVersion } from '../../../lib/package-version.ts';
import { basePathOf } from '../../../openapi/contract/operations.ts';
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
import { createPreferring } from '../forced/forced-answers.ts';
import { mockOptions } from '../options.ts';
import { createMockRequestLog } from '../request-log.ts';
import { createRequestIds, type EdgeContext } from './answer-call.ts';

// For all bodies together.
const requestLogBodyBytes = 8_388_608;

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
