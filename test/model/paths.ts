import type { Profile } from '../../src/index.ts';
import { type Presence, presenceOf } from './lag.ts';
import type { DriveState, FileState, OrganizationState } from './picture.ts';

// What the register says of the spelling of paths, and of directories: they are there as long as a file is in them.

/** The segments of a path that name something. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

/** A path without empty segments, `.` segments and a closing slash. */
export function normalize(path: string): string {
  return `/${segmentsOf(path).join('/')}`;
}

/** The path that a file gets when it is moved to `path`. */
export function spell(path: string, { pathSpelling }: Profile): string {
  return pathSpelling === 'verbatim' ? path : normalize(path);
}

/** The directory that the path of a tree names, without a closing slash: nothing for the root. */
export function directoryNamed(path: string, profile: Profile): string {
  return spell(path, profile).replace(/\/$/, '');
}

export function isBelow(path: string, directory: string): boolean {
  return path.startsWith(`${directory}/`);
}

/** The directory that holds a path: nothing for the root. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Whether a directory is there. The root always is. */
export function presenceOfDirectory(directory: string, drive: DriveState, organization: OrganizationState): Presence {
  if (directory === '') return 'yes';
  return presenceOfAny(
    drive.files.filter(({ path }) => isBelow(path, directory)),
    organization,
  );
}

/** Whether at least one of the files is there. */
export function presenceOfAny(files: readonly FileState[], organization: OrganizationState): Presence {
  const presences = files.map((file) => presenceOf(file, organization));
  if (presences.includes('yes')) return 'yes';
  return presences.includes('maybe') ? 'maybe' : 'no';
}
