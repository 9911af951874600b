// Which fields the choices of `optionalFields` and `paginationFields` leave out.
import type { Profile } from '../contract/profile.ts';

/** The fields that only some agents or files have. */
const usuallyOptional = ['description', 'summary', 'metadata'];

/** The listed choices of the open point `optionalFields` with the fields that each leaves out. */
const listed: Readonly<Record<string, readonly string[]>> = {
  present: [],
  absent: usuallyOptional,
  sparse: ['size', 'contentType', ...usuallyOptional],
};

/** The fields of agents and files that a choice of `optionalFields` leaves out. */
export function leftOutFields(choice: string): ReadonlySet<string> {
  return new Set(listed[choice] ?? choice.split(' ').slice(1));
}

/** The choice of `optionalFields` that leaves out exactly these fields. */
export function choiceLeavingOut(fields: readonly string[]): string {
  const wanted = fields.toSorted();
  const [choice] = Object.entries(listed).find(([, names]) => names.toSorted().join() === wanted.join()) ?? [];
  return choice ?? ['without', ...wanted].join(' ');
}

/** The fields of the pagination object that each choice of `paginationFields` leaves out. */
export const leftOutOfPagination = {
  all: [],
  withoutTotal: ['total'],
  none: ['limit', 'offset', 'total'],
} as const satisfies Record<Profile['paginationFields'], readonly string[]>;
