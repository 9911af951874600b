import type { Effect, EffectName, EffectSettings, FaultMoment } from '../../app/faults/effects.ts';
import type { Fault, ListedFault } from '../../app/faults/fault.ts';
import { number } from '../shared/words.ts';

interface EffectKind<Settings> {
  label: string;
  /** What a client sees, in words. */
  about: string;
  /** Its settings as fields of the form: the label of each, by name. All but `contentType` are numbers. */
  settings: Readonly<Record<string, string>>;
  /** What the form begins with. */
  preset: Readonly<Record<string, number | string>>;
  /** When it applies; the first is the default. */
  moments: readonly FaultMoment[];
  /** Whether the change is made all the same if the fault applies before it. */
  letsChange?: boolean;
  /** What a fault with these settings does: `Returns 503`. */
  words(settings: Settings): string;
}

const early = ['before', 'after'] as const;
const late = ['after', 'before'] as const;

const inMs = (ms: number) => `${number(ms)} ms`;

/**
 * All effects of faults, in the order of the form. A test compares them with `src/app/faults/effects.ts`. To add
 * one: a row here, and perhaps one of `presets`.
 */
export const effectKinds: { readonly [Name in EffectName]: EffectKind<EffectSettings[Name]> } = {
  latency: {
    label: 'Delay',
    about: 'Delays the response. With two different times, each delay is a random one in between.',
    settings: { fromMs: 'From, in ms', toMs: 'To, in ms' },
    ...{ preset: { fromMs: 2000, toMs: 2000 }, moments: early, letsChange: true },
    words: (latency) => {
      const [fromMs, toMs] = 'delayMs' in latency ? [latency.delayMs, latency.delayMs] : [latency.fromMs, latency.toMs];
      return `Delays by ${fromMs === toMs ? '' : `${number(fromMs)} to `}${inMs(toMs)}`;
    },
  },
  status: {
    label: 'Error status',
    about: "Returns the mock's own error response.",
    settings: { code: 'Status, 400 to 599', retryAfterSeconds: 'Retry-After, in seconds' },
    ...{ preset: { code: 500 }, moments: early },
    words: ({ code, retryAfterSeconds }) =>
      `Returns ${code}${retryAfterSeconds === undefined ? '' : `, Retry-After ${retryAfterSeconds} s`}`,
  },
  connectionReset: {
    label: 'Reset connection',
    about: 'Resets the connection without a response. Browsers may retry the request.',
    ...{ settings: {}, preset: {}, moments: late },
    words: () => 'Resets the connection',
  },
  emptyAnswer: {
    label: 'Closed connection',
    about: 'Closes the connection without a response. Browsers may retry the request.',
    ...{ settings: {}, preset: {}, moments: late },
    words: () => 'Closes the connection without a response',
  },
  truncatedBody: {
    label: 'Broken JSON',
    about: 'Cuts the body off halfway.',
    ...{ settings: {}, preset: {}, moments: ['after'] },
    words: () => 'Cuts the body off halfway',
  },
  slowDribble: {
    label: 'Slow body',
    about: 'Sends the headers immediately and the body piece by piece.',
    ...{ settings: { overMs: 'Over, in ms' }, preset: { overMs: 3000 }, moments: ['after'] },
    words: ({ overMs }) => `Sends the body over ${inMs(overMs)}`,
  },
  wrongMediaType: {
    label: 'Wrong media type',
    about: 'Sends the right body with the wrong Content-Type.',
    ...{ settings: { contentType: 'Content-Type' }, preset: { contentType: 'text/html' }, moments: ['after'] },
    words: ({ contentType = 'text/html' }) => `Declares ${contentType}`,
  },
};

export const effectNames = Object.keys(effectKinds) as EffectName[];

/** The name of the effect of a fault. */
export function effectName(effect: Effect): EffectName {
  return Object.keys(effect)[0] as EffectName;
}

/** The words of a timing, the field of its number, and what it begins with. */
export const timings: Readonly<Record<string, { words: string; unit: string; preset?: number }>> = {
  always: { words: 'Every call', unit: '' },
  next: { words: 'The next calls', unit: 'How many', preset: 1 },
  every: { words: 'Every n-th call', unit: 'n', preset: 2 },
  share: { words: 'Some calls, at random', unit: 'Share, from 0 to 1', preset: 0.2 },
};

/** A fault as the form edits it, without what the mock counts. A fixed delay becomes one between two equal times. */
export function toForm<T extends { effect: Effect }>(fault: T): T {
  const { effect } = fault;
  if (!('latency' in effect) || !('delayMs' in effect.latency)) return fault;
  const { delayMs } = effect.latency;
  return { ...fault, effect: { latency: { fromMs: delayMs, toMs: delayMs } } };
}

/** What is typed in the field of a number. What is not a number stays text: the mock says what is wrong with it. */
export function numberOr(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

/** What the mock says of a fault, with the labels of fields in place of their paths in the body. */
export function withLabels(message: string): string {
  return message.replaceAll(
    /body\.(?:effect\.(\w+)|when)\.(\w+)/g,
    (path, effect: EffectName | undefined, name: string) => {
      const label = effect === undefined ? timings[name]?.unit : effectKinds[effect]?.settings[name];
      return label === undefined ? path : `"${label}"`;
    },
  );
}

export function effectWords({ effect }: { effect: Effect }): string {
  const [name, settings] = Object.entries(effect)[0] as [EffectName, never];
  return effectKinds[name].words(settings);
}

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
  if ('next' in when) return `the next ${when.next === 1 ? 'call' : `${number(when.next)} calls`} ${to}`;
  if ('every' in when) return `every ${when.every === 1 ? '' : `${ordinal(when.every)} `}call ${to}`;
  return `${Number((when.share * 100).toPrecision(12))} % of the calls ${to}, at random`;
}

function ordinal(count: number): string {
  const rules = new Intl.PluralRules('en', { type: 'ordinal' });
  const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };
  return `${number(count)}${endings[rules.select(count)] ?? 'th'}`;
}

const status = (code: number, retryAfterSeconds?: number) => ({
  status: { code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
});

/** Frequent faults to start from: the buttons above the form. */
export const presets: readonly { label: string; fault: Fault }[] = [
  { label: 'Slow response', fault: { effect: { latency: { fromMs: 2000, toMs: 2000 } } } },
  { label: 'Server error', fault: { effect: status(500) } },
  { label: 'Unavailable for a while', fault: { effect: status(503, 2), when: { next: 2 } } },
  { label: 'Key rejected', fault: { effect: status(401) } },
  { label: 'Too many requests', fault: { effect: status(429, 1), when: { every: 3 } } },
  { label: 'No connection', fault: { effect: { connectionReset: {} }, moment: 'before' } },
  { label: 'Response lost after the change', fault: { effect: { connectionReset: {} }, when: { next: 1 } } },
  { label: 'Broken JSON', fault: { effect: { truncatedBody: {} } } },
  { label: 'Slow body', fault: { effect: { slowDribble: { overMs: 3000 } } } },
  { label: 'JSON declared as HTML', fault: { effect: { wrongMediaType: { contentType: 'text/html' } } } },
  { label: 'Occasional errors', fault: { effect: status(500), when: { share: 0.2 } } },
];
