import type { Mutant } from '../mutant.ts';
import { wireBodies } from './wire-bodies.ts';
import { wireConnections } from './wire-connections.ts';
import { wireInputs } from './wire-inputs.ts';
import { wireOperations } from './wire-operations.ts';

/** Mutants whose fault sits on the wire: a sound mock, and a server with one fault in front of it. */
export const wire: readonly Mutant[] = [...wireOperations, ...wireInputs, ...wireConnections, ...wireBodies].map(
  (fault) => ({ class: 'transport', place: 'wire', ...fault }),
);
