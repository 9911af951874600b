import { loadRequirements } from '../../../openapi/contract/load.ts';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import type { Break, Engine, FaultClass, FaultPlace, Mutant, WireFault } from '../mutant.ts';
import { on } from './wire-faults.ts';

/** One mutant: its fault in one sentence, the patch that makes it, and the profile that it uses. */
type Row<Patch> = readonly [fault: string, patch: Patch, profile?: Partial<Profile>];

/**
 * Mutants by `check: id`. When the check serves several requirements, the key names the broken one as well, as in
 * `requirement > check: id`, unless it has the name of the check.
 */
export type Rows<Patch> = Record<string, Row<Patch>>;

/** Mutants whose fault sits in the mock itself. With `requirement`, no key has to name it. */
export function table(faultClass: FaultClass, place: FaultPlace, rows: Rows<Break>, requirement?: string): Mutant[] {
  return toMutants(faultClass, place, rows, (patch) => ({ break: patch }), requirement);
}

/** Mutants whose fault sits in front of a sound mock, on the operation of their check. */
export function wireTable(faultClass: FaultClass, rows: Rows<(engine: Engine) => WireFault>): Mutant[] {
  return toMutants(faultClass, 'wire', rows, (patch, check) => ({
    wire: (engine) => on(check.split('.')[0] as OperationId, patch(engine)),
  }));
}

function toMutants<Patch>(
  faultClass: FaultClass,
  place: FaultPlace,
  rows: Rows<Patch>,
  toFault: (patch: Patch, check: string) => Pick<Mutant, 'break' | 'wire'>,
  ofAll?: string,
): Mutant[] {
  return Object.entries(rows).map(([key, [fault, patch, profile]]) => {
    const [named = '', id = ''] = key.split(': ');
    const [check = '', requirement = ofAll ?? requirementOf(check)] = named.split(' > ').reverse();
    return {
      ...{ id, class: faultClass, place, requirement, check, fault, ...toFault(patch, check) },
      ...(profile === undefined ? {} : { profile }),
    };
  });
}

const requirements = loadRequirements();

function requirementOf(check: string): string {
  const served = requirements.filter(({ checks = [] }) => checks.includes(check));
  const found = served.length === 1 ? served[0] : served.find(({ id }) => id === check);
  if (found === undefined) throw new Error(`${check} does not serve exactly one requirement`);
  return found.id;
}
