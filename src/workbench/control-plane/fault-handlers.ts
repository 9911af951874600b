import { isRefusal, located, type Refusal, refuse } from '../../domain/refusal.ts';
import type { Tenant } from '../../domain/store.ts';
import { refuseInput } from '../../engine/problem.ts';
import { type Fault, FaultError, type FaultPatch } from '../faults/fault.ts';
import {
  type ControlAnswer,
  type ControlContext,
  type ControlHandler,
  type ControlInput,
  done,
  findTenant,
  forScope,
  gone,
} from './control.ts';

const unknownFault = 'There is no such fault. GET faults lists all.';

/** Faults: list, add, change, remove. */
export const faultHandlers = {
  listFaults: forScope((tenant, _, { faults }) => done(faults.list(tenant?.organization.id))),

  addFault: forScope((tenant, input, context) => {
    const named = withOrganizationId(input.body as Fault, input, context);
    const fault = isRefusal(named) ? named : inScope(named, tenant);
    return isRefusal(fault) ? fault : refusing(() => done(context.faults.add(fault), 201));
  }),

  clearFaults: forScope((tenant, _, { faults }) => {
    faults.clear(tenant?.organization.id);
    return gone;
  }),

  getFault: ({ path }, { faults }) => {
    const fault = faults.find(path.faultId ?? '');
    return fault === undefined ? refuse('notFound', unknownFault) : done(fault);
  },

  changeFault: (input, context) => {
    const patch = withOrganizationId(input.body as FaultPatch, input, context);
    if (isRefusal(patch)) return patch;
    return refusing(() => done(context.faults.replace(input.path.faultId ?? '', patch)));
  },

  deleteFault: ({ path }, { faults }) => (faults.remove(path.faultId ?? '') ? gone : refuse('notFound', unknownFault)),
} satisfies Record<string, ControlHandler>;

/** The fault with the id of its organization, which the request may also call by its name, or `self`. */
export function withOrganizationId<T extends Pick<FaultPatch, 'organizationId'>>(
  fault: T,
  input: ControlInput,
  context: ControlContext,
  place = 'body',
): T | Refusal {
  const { organizationId: named } = fault;
  if (typeof named !== 'string') return fault;
  const tenant = findTenant(named, input, context);
  if (!isRefusal(tenant)) return { ...fault, organizationId: tenant.organization.id };
  if (tenant.refused !== 'notFound') return tenant;
  return refuse('invalidInput', `${place}.organizationId names no organization; GET organizations lists all.`);
}

/** The fault for the organization of the scope, where there is one. */
export function inScope(fault: Fault, tenant: Tenant | undefined, place = 'body'): Fault | Refusal {
  if (tenant === undefined) return fault;
  const { id } = tenant.organization;
  if ((fault.organizationId ?? id) === id) return { ...fault, organizationId: id };
  const detail = `${place}.organizationId and ?organization= name two organizations. Send one of them.`;
  return refuse('invalidInput', detail);
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
