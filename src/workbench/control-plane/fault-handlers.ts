import { located, type Refusal, refuse } from '../../domain/refusal.ts';
import { refuseInput } from '../../engine/problem.ts';
import { type Fault, FaultError, type FaultPatch } from '../faults/fault.ts';
import { type ControlAnswer, type ControlContext, type ControlHandler, done, forScope, gone } from './control.ts';

const unknownFault = 'There is no such fault. GET faults lists all.';

/** Faults: list, add, change, remove. */
export const faultHandlers = {
  listFaults: (_, { faults }) => done(faults.list()),

  addFault: ({ body }, context) => {
    const fault = body as Fault;
    const unknown = refuseUnknownOrganization(fault.organizationId, context);
    return unknown ?? refusing(() => done(context.faults.add(fault), 201));
  },

  clearFaults: forScope((tenant, _, { faults }) => {
    faults.clear(tenant?.organization.id);
    return gone;
  }),

  getFault: ({ path }, { faults }) => {
    const fault = faults.find(path.faultId ?? '');
    return fault === undefined ? refuse('notFound', unknownFault) : done(fault);
  },

  changeFault: ({ path, body }, context) => {
    const patch = body as FaultPatch;
    const unknown = refuseUnknownOrganization(patch.organizationId, context);
    return unknown ?? refusing(() => done(context.faults.replace(path.faultId ?? '', patch)));
  },

  deleteFault: ({ path }, { faults }) => (faults.remove(path.faultId ?? '') ? gone : refuse('notFound', unknownFault)),
} satisfies Record<string, ControlHandler>;

function refuseUnknownOrganization(id: string | null | undefined, { engine }: ControlContext): Refusal | undefined {
  if (id === undefined || id === null || engine.store.tenant(id) !== undefined) return undefined;
  return refuse('invalidInput', 'body.organizationId is not the id of an organization; GET organizations lists all.');
}

/** Turns the errors of the faults into refusals of the control plane. */
function refusing(act: () => ControlAnswer): ControlAnswer | Refusal {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    if (error.code === 'FAULT_INVALID') return refuseInput(located(['body'], error.violations));
    return refuse(error.code === 'FAULT_UNKNOWN' ? 'notFound' : 'conflict', error.message);
  }
}
