import type { Profile } from '../../src/index.ts';
import { bodyFault, isLegalPath } from './body-rules.ts';
import type { Call } from './call.ts';
import type { Outcome } from './outcome.ts';

/** Why the input of a call is refused; undefined when it is not. */
export function inputFault(call: Call, profile: Profile): Outcome | undefined {
  const body = bodyFault(call, profile);
  if (body !== undefined && !body.startsWith('invalid')) return body;
  if (!isQueryValid(call, profile) || !areIdsValid(call, profile)) return 'invalid-input';
  if (profile['unknownInput.queryParameters'] === 'refused' && hasUnknownParameter(call, profile))
    return 'unknown-parameter';
  return body ?? (isTreeRuly(call, profile) ? undefined : 'invalid-path');
}

/** Whether the ids in the path have a form that the profile takes. */
export function areIdsValid({ operationId, params }: Call, { malformedIds }: Profile): boolean {
  if (malformedIds === 'likeUnknown' || operationId === 'listMcpServerTools') return true;
  return Object.values(params).every((id) => /^[A-Za-z0-9_-]+$/.test(id));
}

function isQueryValid(call: Call, profile: Profile): boolean {
  if (call.operationId === 'listDrives') return ['limit', 'offset'].every((name) => isPagingValid(call, name, profile));
  return call.operationId !== 'deleteDriveTree' || isTreeValid(call, profile);
}

/** The query parameters that an operation has. */
export function parametersOf({ operationId }: Call, { treePathParameter }: Profile): string[] {
  if (operationId === 'listDrives') return ['limit', 'offset'];
  return operationId === 'deleteDriveTree' ? [treePathParameter] : [];
}

function hasUnknownParameter(call: Call, profile: Profile): boolean {
  return call.query.some(([name]) => !parametersOf(call, profile).includes(name));
}

/** The values with which a query parameter came. */
export function valuesOf(call: Call, name: string): string[] {
  return call.query.flatMap(([candidate, value]) => (candidate === name ? [value] : []));
}

function isTreeValid(call: Call, profile: Profile): boolean {
  const [path, second] = valuesOf(call, profile.treePathParameter);
  if (path === undefined) return profile['treePath.notSent'] === 'emptyJob';
  return second === undefined;
}

function isTreeRuly(call: Call, profile: Profile): boolean {
  const [path] = call.operationId === 'deleteDriveTree' ? valuesOf(call, profile.treePathParameter) : [];
  return path === undefined || isLegalPath(path, profile);
}

function isPagingValid(call: Call, name: string, profile: Profile): boolean {
  const {
    'oddPaging.outOfRange': outOfRangePaging,
    'oddPaging.malformed': malformedPaging,
    'oddPaging.repeated': repeatedPaging,
  } = profile;
  const text = pagingText(call, name, profile);
  if (text === undefined) return true;
  if (valuesOf(call, name).length > 1 && repeatedPaging === 'refused') return false;
  if (!/^-?\d+$/.test(text)) return malformedPaging === 'ignored';
  return outOfRangePaging !== 'refused' || clamp(name, Number(text)) === Number(text);
}

/** The value of limit or offset that counts, as it was sent. */
function pagingText(call: Call, name: string, { 'oddPaging.repeated': repeatedPaging }: Profile): string | undefined {
  return valuesOf(call, name).at(repeatedPaging === 'last' ? -1 : 0);
}

function clamp(name: string, value: number): number {
  return name === 'limit' ? Math.min(Math.max(value, 1), 100) : Math.max(value, 0);
}

/** The limit or offset that counts; `all` where the default is every drive that is left. */
export function pagingOf(call: Call, name: 'limit' | 'offset', profile: Profile): number | 'all' {
  const text = pagingText(call, name, profile);
  const usual = name === 'limit' ? profile['pagingDefaults.limit'] : profile['pagingDefaults.offset'];
  if (text === undefined) return usual;
  const nearest = clamp(name, Number(text));
  const isKept = profile['oddPaging.outOfRange'] !== 'ignored' || nearest === Number(text);
  if (isKept && /^-?\d+$/.test(text)) return nearest;
  return usual === 'all' ? 100 : usual;
}
