import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Effect, Fault, FaultMoment, ListedFault, Timing } from '../../workbench/faults/fault.ts';
import { type EffectName, effectKinds, effectName } from './effects.ts';

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

/** The fault of a draft. What is not a number is sent as typed: the mock says what is wrong with it. */
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
  const { fromMs = '', toMs } = settings;
  if (effect === 'latency' && fromMs === toMs) return { delayMs: numberOr(fromMs) };
  const given = effectKinds[effect].settings.filter(({ name }) => (settings[name] ?? '').trim() !== '');
  return Object.fromEntries(
    given.map(({ name, isNumber }) => [name, isNumber ? numberOr(settings[name] ?? '') : settings[name]]),
  );
}

function numberOr(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

function toTiming({ timing, count }: Draft): Timing {
  const number = numberOr(count);
  if (timing === 'share')
    return { share: typeof number === 'number' ? Number((number / 100).toPrecision(12)) : number } as Timing;
  return { [timing]: number } as unknown as Timing;
}
