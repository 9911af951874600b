// Steps are drawn without knowing what is there, and become requests when their turn comes.
import fc from 'fast-check';
import type { Settings } from '../config/settings.ts';
import type { Whose } from '../probing/creations.ts';
import type { AuthHeaderName } from '../target/credentials.ts';

/** What a step does, by the part of the API that it walks through. The parts are walked at the same time. */
export const kinds = {
  lists: ['createDrive', 'createMcpServer', 'list', 'tools', 'refusedInLists'],
  files: ['move', 'place', 'deleteTree', 'read', 'refusedInFiles'],
} as const;

export type Part = keyof typeof kinds;
export type Kind = (typeof kinds)[Part][number];

/** One action. The numbers choose from what is there, and from the values that may be sent. */
export interface Step {
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
  ...{ move: 6, place: 2, deleteTree: 3, read: 2, refusedInFiles: 3 },
};

const reading: readonly Kind[] = ['list', 'tools', 'read'];

/** The steps of a walk, for each part. The same random seed gives the same steps. */
export function drawSteps(settings: Pick<Settings, 'walk' | 'randomSeed' | 'allowWrites'>): Record<Part, Step[]> {
  const { walk, randomSeed, allowWrites } = settings;
  // Each sends a request at least, and a part ends when its requests are used up.
  const count = Math.floor(walk / 2);
  const draw = (part: Part, seed: number) => {
    const usable = kinds[part].filter((kind) => allowWrites || reading.includes(kind));
    return fc.sample(stepOf(usable), { numRuns: count, seed });
  };
  return { lists: draw('lists', randomSeed), files: draw('files', randomSeed + 1) };
}

function stepOf(usable: readonly Kind[]): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constantFrom(...usable.flatMap((kind) => Array.from({ length: weights[kind] }, () => kind))),
    by: fc.constantFrom<Whose>('own', 'own', 'own', 'other'),
    header: fc.constantFrom<AuthHeaderName>('header', 'bearer'),
    one: fc.nat({ max: 9_999 }),
    two: fc.nat({ max: 9_999 }),
    isBeside: fc.constantFrom(false, false, false, true),
  });
}
