import type { CheckResult } from './report.ts';
import { settingOf } from './signals.ts';

/** A result while the run goes on. `see`: the checks that judge what this check rests on. */
export interface JudgedCheck extends CheckResult {
  see?: readonly string[];
}

type ById = ReadonlyMap<string, JudgedCheck>;

/**
 * The results, each with the failure from which it follows (`because`). Called once all checks have run: most prerequisites
 * are judged last. A check that passed is never named as a reason.
 */
export function nameCauses(judged: readonly JudgedCheck[]): CheckResult[] {
  const byId = new Map(judged.map((check) => [check.id, check]));
  return judged.map((check) => {
    const { see, ...result } = check;
    if (isFinding(check)) return { ...result, ...becauseNotServed(check, byId) };
    return see === undefined ? result : { ...result, ...whyUnverified(check, byId) };
  });
}

function isFinding({ outcome }: CheckResult): boolean {
  return outcome === 'failed' || outcome === 'warned';
}

/** If a whole operation is not served, its other checks fail in the same way. */
function becauseNotServed(check: JudgedCheck, byId: ById): Pick<CheckResult, 'because'> {
  const served = byId.get(`${check.operation}.is-served`);
  if (served === undefined || served === check || served.outcome !== 'failed') return {};
  const end = endOf(check);
  return end !== undefined && end === endOf(served) ? { because: served.id } : {};
}

function endOf({ evidence }: CheckResult): number | string | undefined {
  const { response, failure } = evidence?.exchanges.at(-1) ?? {};
  return response?.status ?? failure?.kind;
}

const prerequisite = settingOf('PREREQUISITE');

function whyUnverified(check: JudgedCheck, byId: ById): Partial<CheckResult> {
  const chain = [...prerequisitesOf(check, byId)];
  const failed = chain.find(isFinding);
  if (failed !== undefined) {
    return { ...pointTo(check, failed.id, failed.outcome), setting: prerequisite, because: failed.id };
  }
  if (check.setting !== prerequisite || chain.length === 0) return {};
  const open = chain.find(({ outcome, setting }) => outcome === 'unverified' && setting !== prerequisite);
  if (open?.setting !== undefined) return { ...pointTo(check, open.id, 'is unverified'), setting: open.setting };
  const left = chain.find(({ outcome }) => outcome === 'skipped');
  if (left !== undefined) return pointTo(check, left.id, 'did not run');
  return { setting: settingOf('STEADY') };
}

function pointTo({ reason }: CheckResult, id: string, how: string): Pick<CheckResult, 'reason'> {
  return { reason: `${reason} See ${id}, which ${how}.`.trimStart() };
}

/** The checks on which this one rests, and those on which they rest. */
function* prerequisitesOf(check: JudgedCheck, byId: ById, seen = new Set([check.id])): Iterable<JudgedCheck> {
  for (const id of check.see ?? []) {
    const one = byId.get(id);
    if (one === undefined || seen.has(id)) continue;
    seen.add(id);
    yield one;
    yield* prerequisitesOf(one, byId, seen);
  }
}
