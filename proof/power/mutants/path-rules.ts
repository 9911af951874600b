import { nameOf } from '../../../src/domain/file-tree.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Answer, Call } from '../../../src/engine/call.ts';
import type { Break } from '../mutant.ts';
import {
  changeCalls,
  idIn,
  isSuccess,
  onCallersOf,
  refusal,
  type Sound,
  sentField,
  sentParameter,
  withBody,
  withQuery,
} from './patch.ts';

/** The path rule as it is stated: a leading slash, no `..` segment. Line breaks are refused, as the mock does. */
export function isLegal(path: string): boolean {
  return path.startsWith('/') && !hasDotDot(path) && !/[\n\r\u2028\u2029]/.test(path);
}

/** Whether one of the segments is `..`. */
export function hasDotDot(path: string): boolean {
  return path.split('/').includes('..');
}

/** Whether the first two dots are no `..` segment, which is all that a careless server looks at. */
export function hasHarmlessFirstDots(path: string): boolean {
  const place = path.indexOf('..');
  const around = path.slice(Math.max(0, place - 1), place + 3);
  return path.startsWith('/') && place >= 0 && !/^\/\.\.(\/|$)/.test(around);
}

/** The segments behind the leading slash. */
export function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}

/** The path as a file system would resolve it. */
export function resolved(path: string): string {
  const kept: string[] = [];
  for (const segment of segmentsOf(path)) {
    if (segment === '..') kept.pop();
    else kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

/** The path without its `..` segments. */
export function stripped(path: string): string {
  return `/${segmentsOf(path)
    .filter((segment) => segment !== '..')
    .join('/')}`;
}

/** Judges new paths by another rule. What that lets through is kept to the letter. */
export function judgeMoves(isAccepted: (path: string, call: Call, caller: Organization) => boolean): Break {
  return onCallersOf('updateDriveFile', (call, sound, caller, engine) => {
    const path = sentField(call, 'path');
    if (typeof path !== 'string' || isAccepted(path, call, caller) === isLegal(path)) return sound.answer(call);
    return isLegal(path) ? refusal(engine, 'invalidInput') : moveAnyway(call, sound, caller, path);
  });
}

/** Moves a file to a path that the engine refuses. */
function moveAnyway(call: Call, sound: Sound, caller: Organization, path: string): Answer {
  const [driveId, fileId] = [idIn(call, 'driveId'), idIn(call, 'fileId')];
  const probe = sound.answer(withBody(call, { path: `/${fileId}` }));
  if (!isSuccess(probe)) return probe;
  putAt(caller, driveId, fileId, path);
  return sound.answer({ ...call, operationId: 'getDriveFile' });
}

/** Puts a file to a path, whatever that looks like. */
export function putAt(organization: Organization, driveId: string, fileId: string, path: string): void {
  const tree = organization.ownFilesOf(driveId);
  const file = tree.find(fileId);
  if (file !== undefined) tree.put({ ...file, path, name: nameOf(path) });
}

/** Hands other paths on than were sent. */
export function rewriteMoves(rewrite: (path: string) => string): Break {
  return changeCalls('updateDriveFile', (call) => {
    const path = sentField(call, 'path');
    return typeof path === 'string' ? withBody(call, { path: rewrite(path) }) : call;
  });
}

// Nothing is there, so that nothing is deleted: `treePath.missing: emptyJob` makes a success of it.
const nowhere = '/there is no such directory';

/** Judges the paths of trees by another rule. Where that lets one through, the job is empty. */
export function judgeDeletions(isAccepted: (path: string, call: Call) => boolean): Break {
  return onCallersOf('deleteDriveTree', (call, sound, _, engine) => {
    const path = sentParameter(call, 'path');
    if (path === undefined || isAccepted(path, call) === isLegal(path)) return sound.answer(call);
    return isLegal(path) ? refusal(engine, 'invalidInput') : sound.answer(withQuery(call, { path: nowhere }));
  });
}

/** Hands other paths of trees on than were sent. */
export function rewriteDeletions(rewrite: (path: string) => string): Break {
  return changeCalls('deleteDriveTree', (call) => {
    const path = sentParameter(call, 'path');
    return path === undefined ? call : withQuery(call, { path: rewrite(path) });
  });
}
