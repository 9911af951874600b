import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Effect, EffectName, FaultMoment } from '../../workbench/faults/effects.ts';
import type { Fault, ListedFault, Timing } from '../../workbench/faults/fault.ts';
import { effectKinds, effectName, type Setting } from './effects.ts';

/** To which calls a fault applies. `share` is in percent, as people write it. */
export type TimingName = 'always' | 'next' | 'every' | 'share';

/** A fault in the form, with all values as typed. */
export interface Draft {
  effect: EffectName;
  settings: Readonly<Record<string, string>>;
  moment: FaultMoment;
  /** Empty for all. */
  operations: readonly OperationId[];
  timing: TimingName;
  count: string;
  /** Empty for all. */
  organizationId: string;
  isEnabled: boolean;
}

/** A draft of a fault with this effect, for the chosen sandbox. */
export function newDraft(effect: EffectName, organizationId: string, change: Partial<Draft> = {}): Draft {
  const { settings, moments } = effectKinds[effect];
  return {
    effect,
    settings: Object.fromEntries(settings.map(({ name, preset }) => [name, preset])),
    moment: moments[0] as FaultMoment,
    operations: [],
    timing: 'always',
    count: '1',
    organizationId,
    isEnabled: true,
    ...change,
  };
}

/** A fault as a draft, for changing it. */
export function toDraft({ effect, moment, operations = [], when, organizationId = '', isEnabled }: ListedFault): Draft {
  const name = effectName(effect);
  return {
    effect: name,
    settings: settingsOf(effect),
    moment,
    operations,
    organizationId,
    isEnabled,
    ...countOf(when),
  };
}

function settingsOf(effect: Effect): Record<string, string> {
  const given = Object.values(effect)[0] as Record<string, unknown>;
  const all = 'delayMs' in given ? { fromMs: given.delayMs, toMs: given.delayMs } : given;
  return Object.fromEntries(
    effectKinds[effectName(effect)].settings.map(({ name }) => [name, String((all as typeof given)[name] ?? '')]),
  );
}

function countOf(when: Timing | undefined): Pick<Draft, 'timing' | 'count'> {
  if (when === undefined) return { timing: 'always', count: '1' };
  if ('share' in when) return { timing: 'share', count: String(Number((when.share * 100).toPrecision(12))) };
  return 'next' in when ? { timing: 'next', count: String(when.next) } : { timing: 'every', count: String(when.every) };
}

/** The errors in a draft, by field: the name of a setting, or `count`. Empty if it can be sent. */
export function errorsOf(draft: Draft): Readonly<Record<string, string>> {
  const { settings } = effectKinds[draft.effect];
  const errors = settings.map((setting) => [setting.name, settingError(setting, draft.settings[setting.name] ?? '')]);
  const range = draft.effect === 'latency' ? [['toMs', rangeError(draft.settings)]] : [];
  const all = [...range, ...errors, ['count', countError(draft)]];
  return Object.fromEntries(all.filter(([, error]) => error !== undefined));
}

function settingError({ bounds, isRequired }: Setting, text: string): string | undefined {
  if (text.trim() === '') return isRequired ? 'is missing' : undefined;
  return bounds && wholeError(text, ...bounds);
}

function wholeError(text: string, min: number, max: number): string | undefined {
  const isWithin = /^\d{1,15}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
  return isWithin ? undefined : `must be a whole number from ${min} to ${max}`;
}

function rangeError({ fromMs = '', toMs = '' }: Draft['settings']): string | undefined {
  return Number(toMs) < Number(fromMs) ? `must be ${fromMs} or more` : undefined;
}

const mostCalls = 1_000_000_000;

function countError({ timing, count }: Draft): string | undefined {
  if (timing === 'always') return undefined;
  if (timing !== 'share') return wholeError(count, 1, mostCalls);
  const isShare = /^\d+(?:\.\d+)?$/.test(count.trim()) && Number(count) <= 100;
  return isShare ? undefined : 'must be a number from 0 to 100';
}

/** The fault of a draft without errors. */
export function toFault(draft: Draft): Fault {
  const { moments } = effectKinds[draft.effect];
  return {
    ...(draft.organizationId !== '' && { organizationId: draft.organizationId }),
    ...(draft.operations.length > 0 && { operations: draft.operations }),
    ...(!draft.isEnabled && { isEnabled: false }),
    effect: { [draft.effect]: toSettings(draft) } as unknown as Effect,
    ...(draft.moment !== moments[0] && { moment: draft.moment }),
    ...(draft.timing !== 'always' && { when: toTiming(draft) }),
  };
}

function toSettings({ effect, settings }: Draft): Record<string, unknown> {
  const { fromMs, toMs } = settings;
  if (effect === 'latency' && Number(fromMs) === Number(toMs)) return { delayMs: Number(fromMs) };
  const given = effectKinds[effect].settings.filter(({ name }) => (settings[name] ?? '').trim() !== '');
  return Object.fromEntries(given.map(({ name, bounds }) => [name, bounds ? Number(settings[name]) : settings[name]]));
}

function toTiming({ timing, count }: Draft): Timing {
  const number = Number(count);
  if (timing === 'share') return { share: Number((number / 100).toPrecision(12)) };
  return timing === 'next' ? { next: number } : { every: number };
}
