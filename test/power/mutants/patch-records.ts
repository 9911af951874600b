import type { OrderedList } from '../../../src/domain/ordered-list.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { DriveFile } from '../../../src/domain/resources.ts';
import { type Created, filesIn, type Listed, organizationsOf } from './patch-store.ts';
import type { Break, Fields } from './rewrite.ts';

/** Ids of digits: a store could keep them as numbers. */
export const digits = { idFormat: 'numeric' } as const;

/** Latest time that there is. */
export const endOfTimeMs = 8_640_000_000_000_000;

/** Puts into a stored record what its type does not allow. To be done before it is shown for the first time. */
export function spoil(record: object | undefined, values: Fields): void {
  Object.assign(record ?? {}, values);
}

/** Values for a new record that its type does not allow. */
export function wrong(values: Fields): Partial<Created> {
  return values as Partial<Created>;
}

/** Spoils the last record of a list, in each organization. */
export function spoilLast<T extends Listed>(
  listOf: (organization: Organization) => OrderedList<T>,
  toValues: (record: T) => Fields,
): Break {
  return (engine) => {
    for (const organization of organizationsOf(engine)) {
      const last = listOf(organization).all().at(-1);
      if (last !== undefined) spoil(last, toValues(last));
    }
  };
}

/** Spoils one file of each organization: the last one that is meant. */
export function spoilFile(
  toValues: (file: DriveFile) => Fields,
  isMeant: (file: DriveFile) => boolean = () => true,
): Break {
  return (engine) => {
    for (const organization of organizationsOf(engine)) {
      const files = organization.drives.all().flatMap(({ id }) => filesIn(organization.ownFilesOf(id)));
      const file = files.findLast(isMeant);
      if (file !== undefined) spoil(file, toValues(file));
    }
  };
}

/** Gives jobs other ids, or what is none. */
export function changeJobIds(change: (id: string) => unknown): Break {
  return (engine) => {
    for (const organization of organizationsOf(engine)) {
      const { ids } = organization;
      Object.assign(organization, {
        ids: (kind: Parameters<typeof ids>[0]) => (kind === 'job' ? change(ids(kind)) : ids(kind)),
      });
    }
  };
}
