import { nearest } from '../openapi/contract/nearest.ts';
import { SuiteError } from './suite-error.ts';

/** Which checks to run: patterns with `*` over their ids. */
export interface Selection {
  only: readonly string[];
  skip: readonly string[];
}

/** The ids that a selection leaves, or a {@link SuiteError} when a pattern means none, or none is left. */
export function selectIds(ids: readonly string[], { only, skip }: Selection): Set<string> {
  for (const pattern of [...only, ...skip]) requireMeaning(ids, pattern);
  const chosen = only.length === 0 ? ids : ids.filter((id) => only.some((pattern) => isMeant(pattern, id)));
  const left = chosen.filter((id) => !skip.some((pattern) => isMeant(pattern, id)));
  if (left.length > 0) return new Set(left);
  throw new SuiteError('NOTHING_SELECTED', 'No check is left to run. --list shows all of them.');
}

/** Throws unless a pattern means at least one id. */
export function requireMeaning(ids: readonly string[], pattern: string): void {
  if (ids.some((id) => isMeant(pattern, id))) return;
  const meant = nearest(pattern, ids);
  const hint = meant === undefined ? '--list shows all of them.' : `Did you mean ${meant}?`;
  throw new SuiteError('UNKNOWN_CHECK', `There is no check "${pattern}". ${hint}`);
}

/** Whether a pattern means an id. `*` stands for any characters. */
export function isMeant(pattern: string, id: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(id);
}
