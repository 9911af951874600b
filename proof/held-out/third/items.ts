// All entries with their variants.

import { callerFaults } from './faults-caller.ts';
import { mixedFaults } from './faults-mixed.ts';
import { sequenceFaults } from './faults-sequence.ts';
import { timeFaults } from './faults-time.ts';
import { volumeFaults } from './faults-volume.ts';
import { legalAnswers } from './legal-answers.ts';
import { legalHabits } from './legal-habits.ts';
import type { Item } from './variant.ts';

export const items: readonly Item[] = [
  ...sequenceFaults,
  ...callerFaults,
  ...timeFaults,
  ...volumeFaults,
  ...mixedFaults,
  ...legalAnswers,
  ...legalHabits,
];
