import { loadRequirements } from '../../../openapi/contract/load.ts';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import type { FaultClass, FaultPlace, Mutant, WireFault } from '../mutant.ts';
import type { Break } from './rewrite.ts';
import { on } from './wire-faults.ts';

/** One mutant: its fault in one sentence, the patch that makes it, and the profile that it plays. */
type Row<Patch> = readonly [fault: string, patch: Patch, profile?: Partial<Profile>];

/**
 * Mutants by the check that must find them, then by id. The key names the requirement as well, as in
 * `requirement > check`, when the check serves several.
 */
export type Rows<Patch> = Record<string, Record<string, Row<Patch>>>;

/** Mutants whose fault sits in the mock itself. */
export function table(faultClass: FaultClass, place: FaultPlace, rows: Rows<Break>): Mutant[] {
  return toMutants(faultClass, place, rows, (patch) => ({ break: patch }));
}

/** Mutants whose fault sits in front of a sound mock, on the operation of their check. */
export function wireTable(faultClass: FaultClass, rows: Rows<() => WireFault>): Mutant[] {
  return toMutants(faultClass, 'wire', rows, (patch, check) => ({
    wire: () => on(check.split('.')[0] as OperationId, patch()),
  }));
}

function toMutants<Patch>(
  faultClass: FaultClass,
  place: FaultPlace,
  rows: Rows<Patch>,
  toFault: (patch: Patch, check: string) => Pick<Mutant, 'break' | 'wire'>,
): Mutant[] {
  return Object.entries(rows).flatMap(([key, mutants]) => {
    const named = key.split(' > ');
    const check = named.at(-1) ?? key;
    const requirement = named.length > 1 ? (named[0] ?? '') : requirementOf(check);
    return Object.entries(mutants).map(([id, [fault, patch, profile]]) => ({
      ...{ id, class: faultClass, place, requirement, check, fault, ...toFault(patch, check) },
      ...(profile === undefined ? {} : { profile }),
    }));
  });
}

const requirements = loadRequirements();

function requirementOf(check: string): string {
  const [only, ...others] = requirements.filter(({ checks = [] }) => checks.includes(check));
  if (only === undefined || others.length > 0) throw new Error(`${check} does not serve exactly one requirement`);
  return only.id;
}
