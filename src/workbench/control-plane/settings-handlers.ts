import { loadOpenPoints } from '../../../openapi/contract/load.ts';
import { type Profile, validateChoices } from '../../../openapi/contract/profile.ts';
import type { Violation } from '../../../openapi/contract/schemas.ts';
import { located, refuse } from '../../domain/refusal.ts';
import { refuseInput } from '../../engine/problem.ts';
import type { Fault, Latency } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import { parseFault } from '../faults/parse-fault.ts';
import { type ControlContext, type ControlHandler, done } from './control.ts';

/** The settings: show and change. */
export const settingsHandlers = {
  getSettings: (_, context) => done(settingsOf(context)),

  /** Changes everything that was sent; or nothing, when any of it is invalid. */
  changeSettings: ({ body }, context) => {
    const { engine } = context;
    const change = body as SettingsChange;
    const violations = [...profileViolations(change), ...liveViolations(change, context), ...faultViolations(change)];
    if (violations.length > 0) return refuseInput(violations);
    const standsAtMs = clockAfter(change, engine.clock.fixedAtMs);
    if (change.advanceMs !== undefined && standsAtMs === undefined)
      return refuse('conflict', 'The clock is running. Also send `clock` to stop it at a time.');
    if (standsAtMs !== undefined && standsAtMs > latestMs)
      return refuse('invalidInput', 'body.advanceMs moves the clock beyond the year 9998, which no response can show.');
    engine.clock.set(standsAtMs);
    if (change.profile !== undefined) engine.play({ ...engine.runtime.profile, ...change.profile });
    setFaults(context.faults, change);
    return done(settingsOf(context));
  },
} satisfies Record<string, ControlHandler>;

function settingsOf({ engine, journal, faults, vary }: ControlContext) {
  const { profile, clock, randomSeed } = engine.runtime;
  return {
    profile,
    randomSeed,
    vary: vary ?? null,
    clock: { isStanding: engine.clock.fixedAtMs !== undefined, now: new Date(clock.nowMs()).toISOString() },
    latency: latencyOf(faults),
    faults: faults.list(),
    worlds: { ...engine.tenants.rules, count: engine.store.openedCount },
    journal: journal?.limits ?? { entries: 0, bodyBytes: 0 },
  };
}

interface SettingsChange {
  profile?: Partial<Profile>;
  clock?: string | null;
  advanceMs?: number;
  latency?: Latency | null;
  faults?: Fault[];
}

function profileViolations({ profile }: SettingsChange): Violation[] {
  if (profile === undefined) return [];
  return validateChoices(loadOpenPoints(), profile).map(({ openPoint, message }) => ({
    ...{ location: ['body', 'profile', openPoint], code: 'choice', message },
  }));
}

// Only whoever starts the mock may allow it to contact anything.
function liveViolations({ profile }: SettingsChange, { hasLiveMcp }: ControlContext): Violation[] {
  if (hasLiveMcp || profile?.toolsOfNewServer !== 'live') return [];
  const message = 'makes the mock contact MCP servers; start it with --live-mcp to allow that';
  return [{ location: ['body', 'profile', 'toolsOfNewServer'], code: 'permission', message }];
}

function faultViolations({ latency, faults = [] }: SettingsChange): Violation[] {
  const violationsIn = (fault: Fault, location: string[]) => {
    const parsed = parseFault(fault);
    return Array.isArray(parsed) ? located(location, parsed) : [];
  };
  const ids = faults.map(({ id }) => id).filter((id) => id !== undefined);
  const twice = new Set(ids).size < ids.length || (latency && ids.includes(latencyId));
  return [
    ...faults.flatMap((fault, index) => violationsIn(fault, ['body', 'faults', String(index)])),
    ...(latency ? violationsIn({ effect: { latency } }, ['body']) : []),
    ...(twice
      ? [{ location: ['body', 'faults'], code: 'unique', message: 'contains an id twice; give each entry its own' }]
      : []),
  ];
}

// The latency of the settings is a fault like any other, with an id of its own.
const latencyId = 'latency';

function latencyOf(faults: Faults): Latency | null {
  const effect = faults.find(latencyId)?.effect;
  return effect !== undefined && 'latency' in effect ? effect.latency : null;
}

function setFaults(faults: Faults, change: SettingsChange): void {
  if (change.faults !== undefined) faults.clear();
  if (change.latency !== undefined) faults.remove(latencyId);
  if (change.latency) faults.add({ id: latencyId, effect: { latency: change.latency } });
  for (const fault of change.faults ?? []) faults.add(fault);
}

// The maximum of TimeMs in the document.
const latestMs = Date.UTC(9998, 11, 31, 23, 59, 59, 999);

function clockAfter({ clock, advanceMs = 0 }: SettingsChange, nowMs: number | undefined): number | undefined {
  const base = clock === undefined ? nowMs : clock === null ? undefined : Date.parse(clock);
  return base === undefined ? undefined : base + advanceMs;
}
