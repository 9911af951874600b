import { didYouMean } from '../lib/nearest.ts';
import { own, say } from '../lib/sentence.ts';
import { SuiteError } from './suite-error.ts';

/** Which checks to run: patterns with `*` over their ids. */
export interface Selection {
  only: readonly string[];
  skip: readonly string[];
}

/** The reason for skipping a check that was not selected. */
export const notSelected = 'It was not selected.';

/** The selected ids. Throws a {@link SuiteError} if a pattern matches none, or none is left. */
export function selectIds(ids: readonly string[], selection: Selection): Set<string> {
  const [only, skip] = [patternsIn(selection.only), patternsIn(selection.skip)];
  for (const pattern of [...only, ...skip]) requireMatch(ids, pattern);
  const chosen = only.length === 0 ? ids : ids.filter((id) => only.some((pattern) => isMatch(pattern, id)));
  const left = chosen.filter((id) => !skip.some((pattern) => isMatch(pattern, id)));
  if (left.length > 0) return new Set(left);
  throw new SuiteError('NOTHING_SELECTED', 'No check is left to run. --list shows all checks.');
}

// No id has a comma.
function patternsIn(list: readonly string[]): string[] {
  return list.flatMap((text) => text.split(',').map((pattern) => pattern.trim()));
}

/** Throws unless a pattern matches at least one id. */
export function requireMatch(ids: readonly string[], pattern: string): void {
  if (ids.some((id) => isMatch(pattern, id))) return;
  const isBeginning = ids.some((id) => id.startsWith(pattern));
  const hint = isBeginning ? ` (did you mean "${pattern}*"?)` : didYouMean(pattern, ids, '--list shows all checks');
  throw new SuiteError('UNKNOWN_CHECK', say`There is no check "${pattern}"${own(hint)}.`);
}

/** Whether a pattern matches an id. `*` matches any text. */
export function isMatch(pattern: string, id: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return start === id;
  if (!id.startsWith(start)) return false;
  // The earliest place of each part leaves the most room for the next.
  let at = start.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return id.length >= at + end.length && id.endsWith(end);
}
