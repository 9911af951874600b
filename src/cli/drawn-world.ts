import { styleText } from 'node:util';
import type { Choice } from '../../openapi/contract/open-points.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import type { Loudness } from '../engine/draw-profile.ts';
import { optionWords } from './command-line.ts';
import { fill } from './help.ts';
import { mockOptions } from './mock-options.ts';

/** The world that `--vary` drew, and how to have it again. */
export interface DrawnWorld {
  vary: Loudness;
  randomSeed: number;
  /** The choices that differ from those of the base. */
  choices: Record<string, Choice>;
  replay: string;
}

/** What was drawn over `base`, in a mock that was started with `args`. */
export function drawnWorldOf(
  args: readonly string[],
  drawn: { vary: Loudness; randomSeed: number; profile: Readonly<Profile> },
  base: Profile,
): DrawnWorld {
  const { vary, randomSeed, profile } = drawn;
  const secrets = mockOptions.filter(({ secret }) => secret !== undefined).map(({ name }) => name);
  const words = optionWords(mockOptions, args, ['vary', 'random-seed', ...secrets]);
  const line = ['agent-platform mock', `--vary=${vary}`, `--random-seed ${randomSeed}`, ...words];
  return { vary, randomSeed, choices: differing(base, profile), replay: line.join(' ') };
}

/** The choices of a profile that are not those of another. */
export function differing(base: Readonly<Profile>, profile: Readonly<Profile>): Record<string, Choice> {
  const entries = Object.entries(profile) as [keyof Profile, Choice][];
  return Object.fromEntries(entries.filter(([id, choice]) => base[id] !== choice));
}

const width = 96;

/** What a person sees of it. */
export function describeDrawnWorld({ vary, randomSeed, choices, replay }: DrawnWorld): string {
  const names = Object.entries(choices).map(([id, choice]) => `${id}=${choice}`);
  const listed = names.map((name, index) => (index < names.length - 1 ? `${name},` : name));
  const drawn = `A world drawn from random seed ${randomSeed} (${vary}).`;
  const count = names.length === 1 ? '1 choice differs' : `${names.length || 'No'} choices differ`;
  return [
    `  ${styleText('bold', drawn)} ${count} from those of the base${names.length === 0 ? '.' : ':'}`,
    ...fill(listed, width).map((line) => `    ${line}`),
    `  Again:  ${replay}`,
    '',
    '',
  ].join('\n');
}
