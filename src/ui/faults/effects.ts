import type { Effect, FaultMoment } from '../../workbench/faults/fault.ts';

/** The name of an effect: its only field. */
export type EffectName = Effect extends infer Each ? (Each extends unknown ? keyof Each : never) : never;

/** A setting of an effect, as a field of the form. */
export interface Setting {
  name: string;
  label: string;
  isNumber?: boolean;
  /** The initial value in the form. */
  preset: string;
}

interface EffectKind {
  label: string;
  /** What a client sees, in words. */
  about: string;
  settings: readonly Setting[];
  /** When it applies; the first is the default. */
  moments: readonly FaultMoment[];
}

const delay = (name: string, label: string, preset: string): Setting => ({ name, label, preset, isNumber: true });

/** All effects of faults, in the order of the form. A test compares them with the schema of the admin API. */
export const effectKinds: Readonly<Record<EffectName, EffectKind>> = {
  latency: {
    label: 'Delay',
    about: 'Delays the response. With two different times, each delay is a random one in between.',
    settings: [delay('fromMs', 'From, in ms', '2000'), delay('toMs', 'To, in ms', '2000')],
    moments: ['before', 'after'],
  },
  status: {
    label: 'Error status',
    about: "Returns the mock's own error response.",
    settings: [
      { name: 'code', label: 'Status, 400 to 599', isNumber: true, preset: '500' },
      { name: 'retryAfterSeconds', label: 'Retry-After, in seconds', isNumber: true, preset: '' },
    ],
    moments: ['before', 'after'],
  },
  connectionReset: {
    label: 'Reset connection',
    about: 'Resets the connection without a response. Browsers may retry the request.',
    settings: [],
    moments: ['after', 'before'],
  },
  emptyAnswer: {
    label: 'Closed connection',
    about: 'Closes the connection without a response. Browsers may retry the request.',
    settings: [],
    moments: ['after', 'before'],
  },
  truncatedBody: {
    label: 'Broken JSON',
    about: 'Cuts the body off halfway.',
    settings: [],
    moments: ['after'],
  },
  slowDribble: {
    label: 'Slow body',
    about: 'Sends the headers immediately and the body piece by piece.',
    settings: [delay('overMs', 'Over, in ms', '3000')],
    moments: ['after'],
  },
  wrongMediaType: {
    label: 'Wrong media type',
    about: 'Sends the right body with the wrong Content-Type.',
    settings: [{ name: 'contentType', label: 'Content-Type', preset: 'text/html' }],
    moments: ['after'],
  },
};

export const effectNames = Object.keys(effectKinds) as EffectName[];

/** The name of the effect of a fault. */
export function effectName(effect: Effect): EffectName {
  return Object.keys(effect)[0] as EffectName;
}
