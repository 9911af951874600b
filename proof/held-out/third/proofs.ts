// All proofs, by the name of their entry.

import { callerProofs } from './proofs-caller.ts';
import { mixedProofs } from './proofs-mixed.ts';
import type { Proof } from './proofs-sequence.ts';
import { sequenceProofs } from './proofs-sequence.ts';
import { timeProofs } from './proofs-time.ts';
import { volumeProofs } from './proofs-volume.ts';

export const proofs: Record<string, Proof> = {
  ...sequenceProofs,
  ...callerProofs,
  ...timeProofs,
  ...volumeProofs,
  ...mixedProofs,
};
