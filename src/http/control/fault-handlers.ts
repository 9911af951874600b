import { type Refusal, refuse } from '../../domain/refusal.ts';
import { refuseInput } from '../../engine/problem.ts';
import type { Fault, FaultPatch } from '../faults/fault.ts';
import { FaultError } from '../faults/fault-error.ts';
import {
  type ControlAnswer,
  type ControlContext,
  type ControlHandler,
  done,
  gone,
  organizationInQuery,
} from './control.ts';

export const listFaults: ControlHandler = (_, { faults }) => done(faults.list());

export const addFault: ControlHandler = ({ body }, context) => {
  const fault = body as Fault;
  const unknown = refuseUnknownOrganization(fault.organizationId, context);
  return unknown ?? refusing(() => done(context.faults.add(fault), 201));
};

export const clearFaults: ControlHandler = (input, context) => {
  const resident = organizationInQuery(input, context);
  if (resident !== undefined && 'refused' in resident) return resident;
  context.faults.clear(resident?.organization.id);
  return gone;
};

export const getFault: ControlHandler = ({ path }, { faults }) => {
  const fault = faults.find(path.faultId ?? '');
  return fault === undefined ? refuse('notFound', unknownFault) : done(fault);
};

export const changeFault: ControlHandler = ({ path, body }, context) => {
  const patch = body as FaultPatch;
  const unknown = refuseUnknownOrganization(patch.organizationId, context);
  return unknown ?? refusing(() => done(context.faults.replace(path.faultId ?? '', patch)));
};

export const deleteFault: ControlHandler = ({ path }, { faults }) =>
  faults.remove(path.faultId ?? '') ? gone : refuse('notFound', unknownFault);

const unknownFault = 'There is no such fault. GET faults lists all.';

function refuseUnknownOrganization(id: string | null | undefined, { engine }: ControlContext): Refusal | undefined {
  if (id === undefined || id === null || engine.store.resident(id) !== undefined) return undefined;
  return refuse('invalidInput', 'body.organizationId is not the id of an organization; GET organizations lists all.');
}

/** What the faults themselves refuse, as a refusal of the control plane. */
export function refusing(act: () => ControlAnswer): ControlAnswer | Refusal {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    if (error.code === 'FAULT_INVALID') {
      return refuseInput(error.violations.map((one) => ({ ...one, location: ['body', ...one.location] })));
    }
    return refuse(error.code === 'FAULT_UNKNOWN' ? 'notFound' : 'conflict', error.message);
  }
}
