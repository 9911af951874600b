import type { Fault, ListedFault } from '../../workbench/faults/fault.ts';
import { effectKinds, effectName } from './effects.ts';

const inMs = (ms: number) => `${ms.toLocaleString('en')} ms`;

/** What a fault does, in words: `Returns 503`. */
export function effectWords({ effect }: Pick<Fault, 'effect'>): string {
  if ('latency' in effect) {
    const { latency } = effect;
    const [fromMs, toMs] = 'delayMs' in latency ? [latency.delayMs, latency.delayMs] : [latency.fromMs, latency.toMs];
    return `Delays by ${fromMs === toMs ? '' : `${fromMs.toLocaleString('en')} to `}${inMs(toMs)}`;
  }
  if ('status' in effect) {
    const { code, retryAfterSeconds } = effect.status;
    return `Returns ${code}${retryAfterSeconds === undefined ? '' : `, Retry-After ${retryAfterSeconds} s`}`;
  }
  if ('slowDribble' in effect) return `Sends the body over ${inMs(effect.slowDribble.overMs)}`;
  if ('wrongMediaType' in effect) return `Declares ${effect.wrongMediaType.contentType ?? 'text/html'}`;
  if ('truncatedBody' in effect) return 'Cuts the body off halfway';
  return 'connectionReset' in effect ? 'Resets the connection' : 'Closes the connection without a response';
}

/** When a fault applies, if its effect does not determine that. */
export function momentWords({ effect, moment }: ListedFault): string {
  if (effectKinds[effectName(effect)].moments.length === 1) return '';
  return moment === 'before' ? 'before anything changes' : 'after the change was made';
}

/** To which calls a fault applies: `every 3rd call of listDrives`. */
export function callsWords({ when, operations }: Pick<Fault, 'when' | 'operations'>): string {
  const of = operations === undefined ? 'of any operation' : `of ${operations.join(', ')}`;
  if (when === undefined) return `every call ${of}`;
  if ('next' in when) return `the next ${when.next === 1 ? 'call' : `${when.next.toLocaleString('en')} calls`} ${of}`;
  if ('every' in when) return `every ${when.every === 1 ? '' : `${ordinal(when.every)} `}call ${of}`;
  return `${Number((when.share * 100).toPrecision(12))} % of the calls ${of}, at random`;
}

function ordinal(count: number): string {
  const rules = new Intl.PluralRules('en', { type: 'ordinal' });
  const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };
  return `${count.toLocaleString('en')}${endings[rules.select(count)] ?? 'th'}`;
}
