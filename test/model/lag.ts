import type { FileState, Moment, OrganizationState } from './picture.ts';

/** Whether something is there for the call that is being judged; `maybe` where the register is not exact about it. */
export type Presence = 'yes' | 'no' | 'maybe';

/**
 * Whether what happened at `moment` has taken effect. It does after three more calls of the organization: never for the
 * first two calls that follow, always once three have succeeded. In between, whether refused calls count, and whether
 * the third call sees it, is not said.
 */
export function hasTakenEffect(moment: Moment, organization: OrganizationState): Presence {
  if (organization.successes - moment.successes >= 3) return 'yes';
  return organization.calls - moment.calls <= 1 ? 'no' : 'maybe';
}

/** Whether a file is still there. */
export function presenceOf(file: FileState, organization: OrganizationState): Presence {
  if (file.isUnsure) return 'maybe';
  if (file.deletedAt === undefined) return 'yes';
  return { yes: 'no', no: 'yes', maybe: 'maybe' }[hasTakenEffect(file.deletedAt, organization)] as Presence;
}

/** The moment when the call that is being judged is over, and has succeeded. */
export function afterThisCall({ calls, successes }: Moment): Moment {
  return { calls: calls + 1, successes: successes + 1 };
}
