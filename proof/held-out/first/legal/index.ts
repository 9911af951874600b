import type { Variant } from '../variant.ts';
import { answerVariants } from './answers.ts';
import { behaviourVariants } from './behaviour.ts';
import { dataVariants } from './data.ts';
import { teamVariants } from './teams.ts';

export const legalVariants: readonly Variant[] = [
  ...answerVariants,
  ...dataVariants,
  ...behaviourVariants,
  ...teamVariants,
];
