import { differingChoices } from '../../../openapi/contract/profile.ts';
import type { Violation } from '../../../openapi/contract/schemas.ts';
import { isRefusal, located, type Refusal, refuse } from '../../domain/refusal.ts';
import type { Sandbox } from '../../domain/store.ts';
import { refuseInput } from '../../engine/input.ts';
import { isClockTime } from '../../engine/mock-clock.ts';
import type { Impact } from '../draw-profile.ts';
import type { Latency } from '../faults/effects.ts';
import { type Fault, isLatencyId, latencyId } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import { parseFault } from '../faults/parse-fault.ts';
import { changeProfile, drawnProfileFor, type ProfileChange, profileOf, profileViolations } from '../settings.ts';
import { type ControlContext, type ControlHandler, type ControlInput, done, forScope } from './control.ts';
import { inScope, withOrganizationId } from './fault-handlers.ts';

/** The settings: show and change, and draw a profile. */
export const settingsHandlers = {
  getSettings: forScope((sandbox, _, context) => done(settingsOf(context, sandbox))),

  /** Applies all changes, or none if any is invalid. */
  changeSettings: forScope((sandbox, input, context) => {
    const change = namedIn(input, context, sandbox);
    if (isRefusal(change)) return change;
    const idOfLatency = latencyIdOf(sandbox, context);
    const violations = [
      ...(sandbox === undefined ? [] : sharedViolations(change)),
      ...located(['body'], profileViolations(change.profile, sandbox, context)),
      ...faultViolations(change, idOfLatency),
    ];
    if (violations.length > 0) return refuseInput(violations);
    const refused = refuseTakenId(change, context.faults, sandbox) ?? setClock(change, context);
    if (refused !== undefined) return refused;
    if (change.profile !== undefined) changeProfile(context.engine, sandbox, change.profile);
    setFaults(context.faults, change, idOfLatency, sandbox?.organization.id);
    return done(settingsOf(context, sandbox && context.engine.store.sandbox(sandbox.organization.id)));
  }),

  drawProfile: forScope((sandbox, { query }, context) => {
    const { vary = 'hidden', randomSeed = context.engine.runtime.randomSeed } = query as Partial<Draw>;
    const profile = drawnProfileFor(sandbox, context, vary, randomSeed);
    return done({ vary, randomSeed, profile, changes: differingChoices(profileOf(context.engine, sandbox), profile) });
  }),
} satisfies Record<string, ControlHandler>;

interface Draw {
  vary: Impact;
  randomSeed: number;
}

function settingsOf(context: ControlContext, sandbox: Sandbox | undefined) {
  const { engine, requestLog, faults, vary } = context;
  const { clock, randomSeed } = engine.runtime;
  return {
    profile: profileOf(engine, sandbox),
    ...(sandbox && { hasOwnProfile: sandbox.ownProfile !== undefined }),
    randomSeed,
    vary: vary ?? null,
    clock: { isStanding: engine.clock.fixedAtMs !== undefined, now: new Date(clock.nowMs()).toISOString() },
    latency: latencyOf(faults, latencyIdOf(sandbox, context)) ?? latencyOf(faults, latencyId) ?? null,
    faults: faults.list(sandbox?.organization.id).filter(({ id }) => !isLatencyId(id)),
    sandboxes: { ...engine.sandboxes.rules, count: engine.store.openedCount },
    requestLog: requestLog?.limits ?? { entries: 0, bodyBytes: 0 },
  };
}

/** The change, with names of organizations replaced by their ids. */
function namedIn(input: ControlInput, context: ControlContext, sandbox: Sandbox | undefined): SettingsChange | Refusal {
  const change = input.body as SettingsChange;
  const faults = (change.faults ?? []).map((fault, index) => {
    const place = `body.faults.${index}`;
    const named = withOrganizationId(fault, input, context, place);
    return isRefusal(named) ? named : inScope(named, sandbox, place);
  });
  const [refusal] = faults.filter((fault) => isRefusal(fault));
  if (refusal !== undefined) return refusal;
  return change.faults === undefined
    ? change
    : { ...change, faults: faults.filter((fault): fault is Fault => !isRefusal(fault)) };
}

interface SettingsChange {
  profile?: ProfileChange;
  clock?: string | null;
  advanceMs?: number;
  latency?: Latency | null;
  faults?: Fault[];
}

// All organizations share these.
function sharedViolations(change: SettingsChange): Violation[] {
  const shared = ['clock', 'advanceMs'].filter((name) => name in change);
  const message = 'is the same for all organizations; remove ?organization= to change it';
  return shared.map((name) => ({ location: ['body', name], code: 'scope', message }));
}

// Faults of other organizations cannot be replaced.
function refuseTakenId(
  { faults = [] }: SettingsChange,
  all: Faults,
  sandbox: Sandbox | undefined,
): Refusal | undefined {
  if (sandbox === undefined) return undefined;
  const isOthers = (fault?: Fault) => fault !== undefined && fault.organizationId !== sandbox.organization.id;
  const taken = faults.find(({ id }) => id !== undefined && isOthers(all.find(id)));
  return taken && refuse('conflict', `Fault ${taken.id} already exists. Choose a different id.`);
}

function setClock(change: SettingsChange, { engine }: ControlContext): Refusal | undefined {
  const { clock, advanceMs = 0 } = change;
  const base = clock === undefined ? engine.clock.fixedAtMs : clock === null ? undefined : Date.parse(clock);
  const standsAtMs = base === undefined ? undefined : base + advanceMs;
  const advanced = change.advanceMs === undefined ? 'body.clock' : 'body.advanceMs';
  if (change.advanceMs !== undefined && standsAtMs === undefined)
    return refuse('conflict', 'The clock is running. Also send `clock` to freeze it at a time.');
  if (standsAtMs !== undefined && !isClockTime(standsAtMs)) {
    const range = 'the years 1 to 9998, which timestamps in responses can show';
    return refuse('invalidInput', `${advanced} moves the clock out of ${range}.`);
  }
  if (change.clock !== undefined || change.advanceMs !== undefined) engine.clock.set(standsAtMs);
  return undefined;
}

function faultViolations({ latency, faults = [] }: SettingsChange, idOfLatency: string): Violation[] {
  const violationsIn = (fault: Fault, location: string[]) => {
    const parsed = parseFault(fault);
    return Array.isArray(parsed) ? located(location, parsed) : [];
  };
  const inLatency = latency ? violationsIn({ effect: { latency } }, ['body']) : [];
  const ids = faults.map(({ id }) => id).filter((id) => id !== undefined);
  const twice = new Set(ids).size < ids.length || (latency && ids.includes(idOfLatency));
  return [
    ...faults.flatMap((fault, index) => violationsIn(fault, ['body', 'faults', String(index)])),
    ...inLatency.map((violation) => ({
      ...violation,
      location: violation.location.filter((name) => name !== 'effect'),
    })),
    ...(twice ? [{ location: ['body', 'faults'], code: 'unique', message: isTwice }] : []),
  ];
}

const isTwice = 'contains an id twice; each entry needs a unique id';

// The latency of the settings is a fault like any other, with its own id.
function latencyIdOf(sandbox: Sandbox | undefined, { digest }: ControlContext): string {
  return sandbox === undefined ? latencyId : `${latencyId}:${digest(sandbox.organization.id).slice(0, 12)}`;
}

function latencyOf(faults: Faults, id: string): Latency | undefined {
  const effect = faults.find(id)?.effect;
  return effect !== undefined && 'latency' in effect ? effect.latency : undefined;
}

function setFaults(faults: Faults, change: SettingsChange, id: string, organizationId: string | undefined): void {
  if (change.faults !== undefined) faults.clear(organizationId);
  if (change.latency !== undefined) faults.remove(id);
  if (change.latency)
    faults.add({ id, effect: { latency: change.latency }, ...(organizationId && { organizationId }) });
  if (change.faults !== undefined) faults.addAll(change.faults);
}
