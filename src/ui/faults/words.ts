import type { Fault, ListedFault } from '../../app/faults/fault.ts';
import { effectKinds, effectName } from './effects.ts';

/** When a fault applies, if its effect does not determine that. `reads`: the operations that change nothing. */
export function momentWords({ effect, moment, operations: only }: ListedFault, reads: readonly string[]): string {
  const { moments, letsChange = false } = effectKinds[effectName(effect)];
  if (moments.length === 1 || only?.every((id) => reads.includes(id))) return '';
  const mayRead = only === undefined || only.some((id) => reads.includes(id));
  if (letsChange) return `${moment} ${mayRead ? 'any' : 'the'} change`;
  if (moment === 'before') return mayRead ? 'and no change is made' : 'and the change is not made';
  return `after ${mayRead ? 'any' : 'the'} change was made`;
}

/** To which calls a fault applies: `every 3rd call to listDrives`. */
export function callsWords({ when, operations }: Pick<Fault, 'when' | 'operations'>): string {
  const to = operations === undefined ? 'to any operation' : `to ${operations.join(', ')}`;
  if (when === undefined) return `every call ${to}`;
  if ('next' in when) return `the next ${when.next === 1 ? 'call' : `${when.next.toLocaleString('en')} calls`} ${to}`;
  if ('every' in when) return `every ${when.every === 1 ? '' : `${ordinal(when.every)} `}call ${to}`;
  return `${Number((when.share * 100).toPrecision(12))} % of the calls ${to}, at random`;
}

function ordinal(count: number): string {
  const rules = new Intl.PluralRules('en', { type: 'ordinal' });
  const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };
  return `${count.toLocaleString('en')}${endings[rules.select(count)] ?? 'th'}`;
}
