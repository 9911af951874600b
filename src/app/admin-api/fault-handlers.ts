import { isRefusal, located, type Refusal, refuse } from '../../domain/refusal.ts';
import type { Sandbox } from '../../domain/store.ts';
import { refuseInput } from '../../engine/input.ts';
import { type Fault, FaultError, type FaultPatch } from '../faults/fault.ts';
import {
  type ControlAnswer,
  type ControlContext,
  type ControlHandler,
  type ControlInput,
  done,
  findSandbox,
  forScope,
  gone,
} from './control.ts';

const unknownFault = 'No such fault. List them with GET /__admin/faults.';

export const faultHandlers = {
  listFaults: forScope((sandbox, _, { faults }) => done(faults.list(sandbox?.organization.id))),

  addFault: forScope((sandbox, input, context) => {
    const named = withOrganizationId(input.body as Fault, input, context);
    const fault = isRefusal(named) ? named : inScope(named, sandbox);
    return isRefusal(fault) ? fault : refusing(() => done(context.faults.add(fault), 201));
  }),

  clearFaults: forScope((sandbox, _, { faults }) => {
    faults.clear(sandbox?.organization.id);
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

/** The fault with the id of its organization, for which the request may give its name or `self`. */
export function withOrganizationId<T extends Pick<FaultPatch, 'organizationId'>>(
  fault: T,
  input: ControlInput,
  context: ControlContext,
  place = 'body',
): T | Refusal {
  const { organizationId: named } = fault;
  if (typeof named !== 'string') return fault;
  const sandbox = findSandbox(named, input, context);
  if (!isRefusal(sandbox)) return { ...fault, organizationId: sandbox.organization.id };
  if (sandbox.refused !== 'notFound') return sandbox;
  const detail = `${place}.organizationId names no organization; list them with GET /__admin/organizations.`;
  return refuse('invalidInput', detail);
}

/** The fault for the organization of the scope, if there is one. */
export function inScope(fault: Fault, sandbox: Sandbox | undefined, place = 'body'): Fault | Refusal {
  if (sandbox === undefined) return fault;
  const { id } = sandbox.organization;
  if ((fault.organizationId ?? id) === id) return { ...fault, organizationId: id };
  const detail = `${place}.organizationId and ?organization= name two organizations. Send one of them.`;
  return refuse('invalidInput', detail);
}

/** Turns the errors of the faults into error responses of the admin API. */
function refusing(act: () => ControlAnswer): ControlAnswer | Refusal {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    if (error.code === 'FAULT_INVALID') return refuseInput(located(['body'], error.violations));
    return refuse(error.code === 'FAULT_UNKNOWN' ? 'notFound' : 'conflict', error.message);
  }
}
