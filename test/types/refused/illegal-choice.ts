/** An open point has its choices, and no others. */
import type { Profile } from '../../../src/index.ts';

export const profile: Partial<Profile> = {
  listOrder: 'newest', // refused: TS2322 Type '"newest"' is not assignable
};
