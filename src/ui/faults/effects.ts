import type { Effect, EffectName, EffectSettings, FaultMoment } from '../../workbench/faults/effects.ts';

/** A setting of an effect, as a field of the form. Numbers are whole, within bounds. */
export interface Setting {
  name: string;
  label: string;
  isRequired?: boolean;
  /** Absent for text. */
  bounds?: readonly [min: number, max: number];
  /** The initial value in the form. */
  preset: string;
}

interface EffectKind<Settings> {
  label: string;
  /** What a client sees, in words. */
  about: string;
  settings: readonly Setting[];
  /** When it applies; the first is the default. */
  moments: readonly FaultMoment[];
  /** What a fault with these settings does: `Returns 503`. */
  words(settings: Settings): string;
}

const longestMs = 600_000;
const delay = (name: string, label: string, preset: string, isRequired = true): Setting => ({
  ...{ name, label, preset, isRequired },
  bounds: [0, longestMs],
});

const inMs = (ms: number) => `${ms.toLocaleString('en')} ms`;

/**
 * All effects of faults, in the order of the form. A test compares them with `src/workbench/faults/effects.ts`. To add
 * one: a row here, and perhaps a button in `presets.ts`.
 */
export const effectKinds: { readonly [Name in EffectName]: EffectKind<EffectSettings[Name]> } = {
  latency: {
    label: 'Delay',
    about: 'Delays the response. With two different times, each delay is a random one in between.',
    settings: [delay('fromMs', 'From, in ms', '2000'), delay('toMs', 'To, in ms', '2000')],
    moments: ['before', 'after'],
    words: (latency) =>
      'delayMs' in latency
        ? `Delays by ${inMs(latency.delayMs)}`
        : `Delays by ${latency.fromMs.toLocaleString('en')} to ${inMs(latency.toMs)}`,
  },
  status: {
    label: 'Error status',
    about: "Returns the mock's own error response.",
    settings: [
      { name: 'code', label: 'Status, 400 to 599', isRequired: true, bounds: [400, 599], preset: '500' },
      { name: 'retryAfterSeconds', label: 'Retry-After, in seconds', bounds: [0, 86_400], preset: '' },
    ],
    moments: ['before', 'after'],
    words: ({ code, retryAfterSeconds }) =>
      `Returns ${code}${retryAfterSeconds === undefined ? '' : `, Retry-After ${retryAfterSeconds} s`}`,
  },
  connectionReset: {
    label: 'Reset connection',
    about: 'Resets the connection without a response. Browsers may retry the request.',
    settings: [],
    moments: ['after', 'before'],
    words: () => 'Resets the connection',
  },
  emptyAnswer: {
    label: 'Closed connection',
    about: 'Closes the connection without a response. Browsers may retry the request.',
    settings: [],
    moments: ['after', 'before'],
    words: () => 'Closes the connection without a response',
  },
  truncatedBody: {
    label: 'Broken JSON',
    about: 'Cuts the body off halfway.',
    settings: [],
    moments: ['after'],
    words: () => 'Cuts the body off halfway',
  },
  slowDribble: {
    label: 'Slow body',
    about: 'Sends the headers immediately and the body piece by piece.',
    settings: [delay('overMs', 'Over, in ms', '3000')],
    moments: ['after'],
    words: ({ overMs }) => `Sends the body over ${inMs(overMs)}`,
  },
  wrongMediaType: {
    label: 'Wrong media type',
    about: 'Sends the right body with the wrong Content-Type.',
    settings: [{ name: 'contentType', label: 'Content-Type', preset: 'text/html' }],
    moments: ['after'],
    words: ({ contentType = 'text/html' }) => `Declares ${contentType}`,
  },
};

export const effectNames = Object.keys(effectKinds) as EffectName[];

/** The name of the effect of a fault. */
export function effectName(effect: Effect): EffectName {
  return Object.keys(effect)[0] as EffectName;
}

/** What a fault does, in words. */
export function effectWords({ effect }: { effect: Effect }): string {
  const [name, settings] = Object.entries(effect)[0] as [EffectName, never];
  return effectKinds[name].words(settings);
}
