import type { Mutant } from '../mutant.ts';
import { recordsOfCreations } from './records-creations.ts';
import { recordsOfFiles } from './records-files.ts';
import { recordsInLists } from './records-lists.ts';

/** Mutants whose store holds records that are none: values of another type, or that no field may have. */
export const records: readonly Mutant[] = [...recordsInLists, ...recordsOfFiles, ...recordsOfCreations].map(
  (fault) => ({ class: 'shape', place: 'store', ...fault }),
);
