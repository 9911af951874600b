import type { Mutant } from '../mutant.ts';
import { wireBodies } from './wire-bodies.ts';
import { wireBodyTypes } from './wire-body-types.ts';
import { wireConnections } from './wire-connections.ts';
import { wireCountedIds } from './wire-counted-ids.ts';
import { wireFields } from './wire-fields.ts';
import { wireInputs } from './wire-inputs.ts';
import { wireMediaTypes } from './wire-media-types.ts';
import { wireOperations } from './wire-operations.ts';
import { wireRefusals } from './wire-refusals.ts';
import { wireServerErrors } from './wire-server-errors.ts';
import { wireStatus } from './wire-status.ts';

/** Mutants whose fault sits on the wire: a sound mock, and a server with one fault in front of it. */
export const wire: readonly Mutant[] = [
  ...wireOperations,
  ...wireInputs,
  ...wireConnections,
  ...wireStatus,
  ...wireServerErrors,
  ...wireBodies,
  ...wireBodyTypes,
  ...wireMediaTypes,
  ...wireRefusals,
  ...wireFields,
  ...wireCountedIds,
];
