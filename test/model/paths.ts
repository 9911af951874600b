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
export function spell(
  path: string,
  { 'pathForm.spelling': pathSpelling, 'pathForm.letters': pathLetters }: Profile,
): string {
  const letters = pathLetters === 'normalized' ? path.normalize('NFC') : path;
  return pathSpelling === 'verbatim' ? letters : normalize(letters);
}

/** The same text for paths that are one path. */
export function fold(path: string, { 'pathForm.letters': pathLetters }: Profile): string {
  return pathLetters === 'caseInsensitive' ? path.toLowerCase() : path;
}

/** The directory that the path of a tree names, without a closing slash: nothing for the root. */
export function directoryNamed(path: string, profile: Profile): string {
  return spell(path, profile).replace(/\/$/, '');
}

export function isBelow(path: string, directory: string, profile: Profile): boolean {
  return fold(path, profile).startsWith(`${fold(directory, profile)}/`);
}

/** The directory that holds a path: nothing for the root. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Whether a directory is there. The root always is. */
export function presenceOfDirectory(
  directory: string,
  drive: DriveState,
  { organization, profile }: { organization: OrganizationState; profile: Profile },
): Presence {
  if (directory === '') return 'yes';
  return presenceOfAny(
    drive.files.filter(({ path }) => isBelow(path, directory, profile)),
    organization,
  );
}

/** Whether at least one of the files is there. */
export function presenceOfAny(files: readonly FileState[], organization: OrganizationState): Presence {
  const presences = files.map((file) => presenceOf(file, organization));
  if (presences.includes('yes')) return 'yes';
  return presences.includes('maybe') ? 'maybe' : 'no';
}
