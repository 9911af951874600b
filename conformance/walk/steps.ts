// Steps are drawn without knowing what is there, and become requests when their turn comes.
import fc from 'fast-check';
import type { Whose } from '../probing/creations.ts';
import type { Settings } from '../run/settings.ts';
import type { AuthHeaderName } from '../target/credentials.ts';
import { mostRequests } from './limits.ts';

/** What a step does, by the part of the API that it walks through. The parts are walked at the same time, with files of their own. */
export const kinds = {
  lists: ['createDrive', 'createMcpServer', 'list', 'tools', 'refusedInLists'],
  moves: ['move', 'read', 'refusedInFiles'],
  trees: ['place', 'deleteTree', 'move', 'refusedInFiles'],
} as const;

export type Part = keyof typeof kinds;
export type Kind = (typeof kinds)[Part][number];

/** One action. The numbers choose from what is there, and from the values that may be sent. */
export interface Step {
  part: Part;
  kind: Kind;
  by: Whose;
  header: AuthHeaderName;
  one: number;
  two: number;
  /** Whether it is sent at the same time as the step before. */
  isBeside: boolean;
}

/** How often each kind comes. */
const weights: Record<Kind, number> = {
  ...{ createDrive: 3, createMcpServer: 3, list: 5, tools: 2, refusedInLists: 3 },
  ...{ move: 5, place: 3, deleteTree: 4, read: 1, refusedInFiles: 2 },
};

const reading: readonly Kind[] = ['list', 'tools', 'read'];

/** The steps of each part. */
export type Steps = Readonly<Record<Part, readonly Step[]>>;

export const parts: readonly Part[] = ['lists', 'moves', 'trees'];

/** The steps of a walk. The same random seed gives the same steps. */
export function drawSteps(settings: Pick<Settings, 'walk' | 'randomSeed' | 'allowWrites'>): Steps {
  const { randomSeed, allowWrites } = settings;
  // Each sends a request at least, and a walk ends when its requests are used up.
  const numRuns = Math.floor(mostRequests(settings) / parts.length);
  const draw = (part: Part) => {
    const usable = kinds[part].filter((kind) => allowWrites || reading.includes(kind));
    return usable.length === 0 ? [] : fc.sample(stepOf(part, usable), { numRuns, seed: randomSeed });
  };
  return { lists: draw('lists'), moves: draw('moves'), trees: draw('trees') };
}

function stepOf(part: Part, usable: readonly Kind[]): fc.Arbitrary<Step> {
  return fc.record({
    part: fc.constant(part),
    kind: fc.constantFrom(...usable.flatMap((kind) => Array.from({ length: weights[kind] }, () => kind))),
    by: fc.constantFrom<Whose>('own', 'own', 'own', 'other'),
    header: fc.constantFrom<AuthHeaderName>('header', 'bearer'),
    one: fc.nat({ max: 9_999 }),
    two: fc.nat({ max: 9_999 }),
    isBeside: fc.constantFrom(false, false, false, true),
  });
}
