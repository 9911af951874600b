import type { Effect, FaultMoment } from '../../workbench/faults/fault.ts';

/** The name of an effect: its only field. */
export type EffectName = Effect extends infer Each ? (Each extends unknown ? keyof Each : never) : never;

/** A setting of an effect, as a field of the form. Numbers are whole, within bounds. */
export interface Setting {
  name: string;
  label: string;
  isRequired?: boolean;
  /** Absent for text. */
  bounds?: readonly [min: number, max: number];
  /** What the form offers at first. */
  preset: string;
}

interface EffectKind {
  label: string;
  /** What a client sees, for people. */
  about: string;
  settings: readonly Setting[];
  /** When it applies; the first is the default. */
  moments: readonly FaultMoment[];
}

const longestMs = 600_000;
const delay = (name: string, label: string, preset: string, isRequired = true): Setting => ({
  ...{ name, label, preset, isRequired },
  bounds: [0, longestMs],
});

/** All effects of faults, in the order of the form. A test compares them with the schema of the control plane. */
export const effectKinds: Readonly<Record<EffectName, EffectKind>> = {
  latency: {
    label: 'Delay',
    about: 'The answer comes late. Two different times: a random one between them.',
    settings: [delay('fromMs', 'From, in ms', '2000'), delay('toMs', 'To, in ms', '2000')],
    moments: ['before', 'after'],
  },
  status: {
    label: 'Error status',
    about: 'The answer is an error, as this mock words it.',
    settings: [
      { name: 'code', label: 'Status, 400 to 599', isRequired: true, bounds: [400, 599], preset: '500' },
      { name: 'retryAfterSeconds', label: 'Retry-After, in seconds', bounds: [0, 86_400], preset: '' },
    ],
    moments: ['before', 'after'],
  },
  connectionReset: {
    label: 'Reset connection',
    about: 'The connection is reset without an answer. Browsers may send the request once more.',
    settings: [],
    moments: ['after', 'before'],
  },
  emptyAnswer: {
    label: 'Closed connection',
    about: 'The connection is closed without an answer. Browsers may send the request once more.',
    settings: [],
    moments: ['after', 'before'],
  },
  truncatedBody: {
    label: 'Broken JSON',
    about: 'The body ends in the middle.',
    settings: [],
    moments: ['after'],
  },
  slowDribble: {
    label: 'Slow body',
    about: 'The headers come at once, the body piece by piece.',
    settings: [delay('overMs', 'Over, in ms', '3000')],
    moments: ['after'],
  },
  wrongMediaType: {
    label: 'Wrong media type',
    about: 'The body is right, its Content-Type is not.',
    settings: [{ name: 'contentType', label: 'Content-Type', preset: 'text/html' }],
    moments: ['after'],
  },
};

export const effectNames = Object.keys(effectKinds) as EffectName[];

/** The name of the effect of a fault. */
export function effectName(effect: Effect): EffectName {
  return Object.keys(effect)[0] as EffectName;
}
