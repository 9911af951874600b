import { accessSync, constants, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { loadOpenPoints } from '../../../openapi/contract/load.ts';
import { placeOf } from '../../../openapi/contract/place.ts';
import { type Profile, toProfile } from '../../../openapi/contract/profile.ts';
import type { SavedChange, SavedHead } from '../../engine/saved-changes.ts';
import { choiceViolations } from '../../workbench/settings.ts';
import { StartError } from '../../workbench/start-error.ts';
import { anyFirstLine, Damage, firstLine, firstSum, framesOf } from './frames.ts';
import { lock, type Unlock } from './lock.ts';
import { StateFile } from './state-file.ts';

/** A state file that this process has locked. */
export interface OpenState {
  /** As it was named. */
  name: string;
  file: StateFile;
  /** What it holds; undefined where there is no file yet. */
  saved: SavedState | undefined;
  unlock: Unlock;
}

/** What a state file holds. */
export interface SavedState {
  head: SavedHead & FileFacts;
  /** In their order. */
  changes: readonly SavedChange[];
  /** How many bytes of an unfinished line were left out at its end. */
  leftOutBytes: number;
}

/** What the file says besides the state. */
export interface FileFacts {
  /** The version of the package. */
  writtenBy: string;
  /** What the options of the mock asked for. */
  askedProfile: SavedHead['profile'];
}

/** Locks and reads a state file. Throws a {@link StartError} that says what is wrong with it, where, and what to do. */
export async function openState(name: string): Promise<OpenState> {
  const path = usablePath(name);
  const unlock = await lock(path);
  if (unlock === undefined) {
    const remedy = 'Stop that one, or choose another file.';
    throw new StartError('STATE_IN_USE', `Another mock keeps its state in ${name}. ${remedy}`);
  }
  try {
    const file = new StateFile(path);
    return { name, file, saved: exists(path) ? readSaved(name, file) : undefined, unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Closes a state file, for others to open. */
export function closeState({ file, unlock }: Pick<OpenState, 'file' | 'unlock'>): void {
  try {
    file.close();
  } finally {
    unlock();
  }
}

/** The real path of the file, if it can be read and replaced. */
function usablePath(name: string): string {
  const stats = found(name);
  if (stats !== undefined && !stats.isFile()) {
    const what = stats.isDirectory() ? 'a folder' : 'no regular file';
    throw new StartError('FILE_UNREADABLE', `${name} is ${what}. --state needs the name of a file.`);
  }
  const path = stats === undefined ? newPath(name) : realpathSync(name);
  if (stats !== undefined) requireAccess(name, path, 'FILE_UNREADABLE', 'cannot be read and written');
  requireAccess(name, dirname(path), 'FILE_UNWRITABLE', 'cannot be written: its folder takes no new files');
  return path;
}

function found(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch (error) {
    throw new StartError('FILE_UNREADABLE', `${name} cannot be read (${codeOf(error)}). Choose another file.`);
  }
}

function newPath(name: string): string {
  const folder = dirname(resolve(name));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new StartError('FILE_UNWRITABLE', `${name} cannot be written: there is no folder ${folder}. Create it.`);
  }
  return join(realpathSync(folder), basename(name));
}

function requireAccess(name: string, path: string, code: 'FILE_UNREADABLE' | 'FILE_UNWRITABLE', why: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    const remedy = 'Allow it, or choose another file.';
    throw new StartError(code, `${name} ${why} (${codeOf(error)}). ${remedy}`, { cause: error });
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function readSaved(name: string, file: StateFile): SavedState {
  try {
    const bytes = file.read();
    requireFormat(name, bytes);
    return goOnBehind(name, file, bytes);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (error instanceof Damage) throw damaged(name, error);
    const remedy = 'Allow it, or choose another file.';
    throw new StartError('FILE_UNREADABLE', `${name} cannot be read (${codeOf(error)}). ${remedy}`, { cause: error });
  }
}

function requireFormat(name: string, bytes: Buffer): void {
  const start = bytes.toString('latin1', 0, 64);
  if (start.startsWith(firstLine)) return;
  const [, format] = anyFirstLine.exec(start) ?? [];
  const [, own] = anyFirstLine.exec(firstLine) ?? [];
  throw new StartError(
    'STATE_INVALID',
    format === undefined
      ? `${name} is no state file of this mock${bytes.length === 0 ? ': it is empty' : ''}. Choose another file; one that does not exist is made.`
      : `${name} has the format ${format} of another version; this one reads ${own}. Start that version, or choose another file.`,
  );
}

function damaged(name: string, { at }: Damage): StartError {
  const isHead = at === firstLine.length;
  const keepStart = isHead
    ? []
    : [`Or keep only what was written before that line: cut the file off there (truncate -s ${at} <file>).`];
  return new StartError(
    'STATE_INVALID',
    [
      `${name} is damaged: the line that begins at byte ${at} is not what was written there. Nothing was changed.`,
      'Put a copy of the file back.',
      ...keepStart,
      'Or move the file away; then the mock begins with its seed.',
    ].join('\n'),
  );
}

function goOnBehind(name: string, file: StateFile, bytes: Buffer): SavedState {
  let head: SavedState['head'] | undefined;
  const changes: SavedChange[] = [];
  let intact = { length: firstLine.length, sum: firstSum, madeLength: 0 };
  for (const { value, end, sum } of framesOf(bytes)) {
    if (head === undefined) head = checkedHead(name, value as SavedState['head']);
    else for (const change of value as SavedChange[]) changes.push(change);
    const isMade = Array.isArray(value) && value.length === 0;
    intact = { length: end, sum, madeLength: isMade ? end : intact.madeLength };
  }
  if (head === undefined) throw new Damage(firstLine.length);
  file.goOn(intact);
  return { head, changes, leftOutBytes: bytes.length - intact.length };
}

function checkedHead(name: string, head: SavedState['head']): SavedState['head'] {
  const [violation] = [head.profile, head.askedProfile].flatMap(choiceViolations);
  if (violation === undefined)
    return { ...head, profile: completed(head.profile), askedProfile: completed(head.askedProfile) };
  const about = `${placeOf(violation.location)} ${violation.message}`;
  throw new StartError(
    'STATE_INVALID',
    `${name} was written by version ${head.writtenBy}, whose profile this one cannot play: ${about}. Start that version, or choose another file.`,
  );
}

// An earlier version may not have known all open points.
function completed(choices: Partial<Profile>): Profile {
  return toProfile(loadOpenPoints(), choices);
}

/** `EACCES` */
export function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
