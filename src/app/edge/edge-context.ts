/*
 * What HTTP, `fetch` and MSW have in common: what surrounds an engine, and its handle (here), and one call until it is
 * in the request log (`answer-call.ts`). `test/facts/` requires the same values from all edges,
 * `test/mock/same-edges.test.ts` compares them byte for byte.
 */

import { guarded } from '../../../lib/guarded.ts';
import { withDefaults } from '../../../lib/options.ts';
import { packageVersion } from '../../../lib/package-version.ts';
import { placeOf } from '../../../lib/place.ts';
import { basePathOf } from '../../../openapi/contract/operations.ts';
import type { Choices, Profile } from '../../../openapi/contract/profile.ts';
import type { Violation } from '../../../openapi/contract/schemas.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { validateSnapshot } from '../../domain/relations.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { Sandbox } from '../../domain/store.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SandboxOptions } from '../../engine/sandboxes.ts';
import { mockOptions } from '../../options/mock-options.ts';
import { AdminApi } from '../admin-api/admin-api.ts';
import { Changes } from '../admin-api/changes.ts';
import { type ControlContext, onlyNamed } from '../admin-api/control.ts';
import type { Access } from '../admin-api/guard.ts';
import { mockControl } from '../admin-api/handlers.ts';
import type { Impact } from '../draw-profile.ts';
import type { LatencyOption } from '../faults/fault.ts';
import { Faults } from '../faults/faults.ts';
import { startingFaults } from '../faults/parse-fault.ts';
import { createPreferring } from '../forced/forced-answers.ts';
import type { Exchange } from '../request-log.ts';
import { createMockRequestLog } from '../request-log.ts';
import { requireOptions } from '../require-options.ts';
import { changeProfile, type EngineOptions, jsonCopy, profileOf, profileViolations } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { createRequestIds, type EdgeContext } from './answer-call.ts';
import { createFindRoute } from './request.ts';

// For all bodies together.
const requestLogBodyBytes = 8_388_608;

/** The options that every mock has, wherever it runs. */
export interface EdgeOptions extends EngineOptions {
  /** Choices that override `profile`. */
  set?: Choices;
  /** Picks choices at random, from the random seed; those in `profile` and `set` take precedence. */
  vary?: Impact;
  /** A whole number. Ids depend on it alone (and, where they show time, on the clock). Default 1; drawn under `vary`. */
  randomSeed?: number;
  /** Delays every response: milliseconds, or a random time in a range. Default: no delay. */
  latency?: LatencyOption;
  /** The maximum number of exchanges in the request log; 0: no request log. */
  requestLogLimit?: number;
  /** Whether responses name in `X-Open-Points` the open points that shaped them. Default true. */
  openPointsHeader?: boolean;
  /** Called with each exchange when it is over. */
  onExchange?: (exchange: Exchange) => unknown;
  /** Called with unexpected errors. Default: written to the console, in Node to standard error. */
  onUnexpected?: (error: unknown) => unknown;
}

export function createEdgeContext(
  engine: Engine,
  options: EdgeOptions,
  { prepare, save, onUnexpected, digest }: Pick<EdgeContext, 'prepare' | 'save' | 'onUnexpected' | 'digest'>,
): EdgeContext {
  const { openPointsHeader = true } = options;
  const onExchange = options.onExchange && guarded(options.onExchange, onUnexpected);
  const { requestLogLimit: entries } = withDefaults(mockOptions, options);
  const basePath = basePathOf(engine.contract);
  const idOf = (named: string) => engine.store.named(named).map(({ organization }) => organization.id);
  const changes = new Changes();
  changes.listen(() => {
    const error = save?.();
    if (error !== undefined) throw error;
  });
  return {
    ...{ engine, prepare, save, onExchange, onUnexpected, digest, hasOpenPoints: openPointsHeader },
    changes,
    basePath,
    findRoute: createFindRoute(engine.operations, basePath),
    requestLog: entries === 0 ? undefined : createMockRequestLog({ entries, bodyBytes: requestLogBodyBytes }),
    faults: new Faults(engine.runtime.randomSeed, startingFaults(options.latency), idOf, (id) => changes.tell(id)),
    requestIds: createRequestIds(engine.runtime.randomSeed, digest, () => engine.store.openedCount),
    answerPreferring: createPreferring(engine),
  };
}

export function createAdminApi(
  { engine, requestLog, faults, prepare, digest, changes }: EdgeContext,
  vary: Impact | undefined,
  access: Access,
): AdminApi<ControlContext> {
  const context = {
    ...{ engine, requestLog, faults, version: packageVersion(), vary, digest, changes },
    hasLiveMcp: prepare !== undefined,
    hasToken: access.token !== undefined,
  };
  return new AdminApi(mockControl, context, access);
}

/** The handle for controlling a mock from code, wherever it runs. */
export interface MockHandle {
  /** The first API key of the seed. */
  readonly key: string;
  /** The API keys of the seed, in its order. */
  readonly keys: readonly string[];
  /** The choices that the mock uses for the open points, for all organizations without their own profile. */
  readonly profile: Readonly<Profile>;
  /** The engine behind it, for embedding the mock. */
  readonly engine: Engine;
  /** Opens a sandbox: an organization with a fresh copy of the seed and its own key. */
  openSandbox(sandbox?: SandboxOptions): { key: string; organizationId: string };
  /** The choices that an organization uses, by its id or name. */
  profileOf(organization: string): Readonly<Profile>;
  /**
   * Changes choices for all, or gives one organization (by its id or name) its own profile until a reset; null removes
   * it. The state is preserved: choices about stored things, such as the format of ids, apply to new ones.
   */
  setProfile(choices: Choices | null, where?: { organization?: string }): void;
  /** The injected faults; none at the start. */
  readonly faults: Faults;
  /** Restores the initial state, without faults and profiles of individual organizations. */
  reset(): void;
  /** The whole state as data. */
  snapshot(): Snapshot;
  /** Restores a state from {@link MockHandle.snapshot}. */
  restore(snapshot: Snapshot): void;
}

export function toHandle(context: EdgeContext): MockHandle {
  const { engine, faults, changes } = context;
  return {
    // Only a state whose keys were all revoked has none. No request can have an empty key.
    key: engine.store.keys[0] ?? '',
    keys: Object.freeze(engine.store.keys),
    get profile() {
      return engine.runtime.profile;
    },
    engine,
    faults,
    profileOf: (organization) => profileOf(engine, organizationOf(engine, organization)),
    setProfile: (choices, where) => setProfile(context, choices, where),
    openSandbox: (sandbox) => openSandbox(context, sandbox),
    reset: (nothing?: object) => {
      requireOptions({}, nothing ?? {}, {});
      // In this order: a call that a fault delays still belongs to the state before the reset.
      faults.reset();
      engine.reset();
      changes.tell('reset');
    },
    // A copy, so that the caller can change it without changing the state.
    snapshot: () => structuredClone(engine.snapshot()),
    restore: (snapshot) => {
      restoreWhole(engine, snapshot);
      faults.held.letGo(() => true);
      faults.forgetGone();
      changes.tell('putSnapshot');
    },
  };
}

// By the rules of the admin API: an invalid snapshot changes nothing.
function restoreWhole(engine: Engine, snapshot: Snapshot): void {
  const refuse = (why: string, cause?: unknown) =>
    new StartError('OPTION_INVALID', `This is not a snapshot. Pass what snapshot() returned.${why}`, { cause });
  try {
    const copy = jsonCopy(snapshot, refuse);
    const inShape = violationsAs('Snapshot', copy);
    const violations = inShape.length > 0 ? inShape : validateSnapshot(copy);
    if (violations.length > 0) throw refuse(`\n${textOf(violations.slice(0, mostShown))}`);
    engine.restore(copy);
  } catch (error) {
    throw error instanceof StartError ? error : refuse('', error);
  }
}

const mostShown = 20;

/** What breaks the rules that the admin API has for a value of this kind. */
function violationsAs(name: 'Snapshot' | 'NewSandbox', value: unknown): Violation[] {
  return mockControl().schemas.at(`#/components/schemas/${name}`)(value);
}

function openSandbox(context: EdgeContext, sandbox: SandboxOptions = {}): { key: string; organizationId: string } {
  requireOptions({}, sandbox, { name: ['string'], key: ['string'], copyOf: ['string', 'null'] });
  const violations = violationsAs('NewSandbox', sandbox);
  if (violations.length > 0) throw new StartError('OPTION_INVALID', textOf(violations));
  const opened = context.engine.sandboxes.open(sandbox);
  if (isRefusal(opened)) throw new StartError('OPTION_INVALID', opened.detail);
  context.changes.tell('openSandbox');
  return { key: opened.key, organizationId: opened.sandbox.organization.id };
}

function setProfile(context: EdgeContext, choices: Choices | null, where: { organization?: string } = {}): void {
  const { engine, prepare, changes } = context;
  requireOptions({}, where, { organization: ['string'] });
  const { organization } = where;
  if (choices === undefined || (choices === null && organization === undefined))
    throw new StartError('PROFILE_INVALID', 'Pass choices. Null is for one organization only: add { organization }.');
  const sandbox = organization === undefined ? undefined : organizationOf(engine, organization);
  const violations = profileViolations(choices, sandbox, { engine, hasLiveMcp: prepare !== undefined });
  if (violations.length > 0) throw new StartError('PROFILE_INVALID', textOf(violations));
  changeProfile(engine, sandbox, choices);
  changes.tell('changeSettings');
}

function organizationOf({ store }: Engine, named: string): Sandbox {
  const sandbox = onlyNamed(store, named, 'Pass the id or the name of an existing one.', 'Pass an id.');
  if (isRefusal(sandbox)) throw new StartError('OPTION_INVALID', sandbox.detail);
  return sandbox;
}

function textOf(violations: readonly Violation[]): string {
  return violations.map(({ location, message }) => `${placeOf(location)} ${message}`).join('\n');
}
