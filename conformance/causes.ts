/*
 * Why a check is not judged: the code of its `Inconclusive` (`signals.ts`) names the possible causes; this file names
 * the check that failed.
 */
import type { CheckResult } from './report.ts';
import { isMatch } from './selection.ts';
import { wordsOf } from './signals.ts';

/** A result during the run. `see`: the checks that judge the prerequisites of this one, or the cause of its failure. */
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
    if (isFinding(check)) return { ...result, ...becauseOf(check, byId) };
    return see === undefined ? result : whyUnjudged(check, result, byId);
  });
}

function isFinding({ outcome }: CheckResult): boolean {
  return outcome === 'failed' || outcome === 'warned';
}

function becauseOf(check: JudgedCheck, byId: ById): Pick<CheckResult, 'because'> | undefined {
  return becauseNotServed(check, byId) ?? becauseUnknown(check, byId) ?? becauseSeen(check, byId);
}

/** A check that failed, among those that the finding itself names as a possible cause. */
function becauseSeen({ see = [] }: JudgedCheck, byId: ById): Pick<CheckResult, 'because'> | undefined {
  const because = see.find((id) => byId.get(id)?.outcome === 'failed');
  return because === undefined ? undefined : { because };
}

/** If an operation is not served at all, its other checks fail in the same way. */
function becauseNotServed(check: JudgedCheck, byId: ById): Pick<CheckResult, 'because'> | undefined {
  const served = byId.get(`${check.operation}.is-served`);
  if (served === undefined || served === check || served.outcome !== 'failed') return undefined;
  const end = endOf(check);
  return end !== undefined && end === endOf(served) ? { because: served.id } : undefined;
}

/** A response for a nonexistent resource says nothing about access to another organization's resources. */
function becauseUnknown(check: JudgedCheck, byId: ById): Pick<CheckResult, 'because'> | undefined {
  if (check.id !== 'listMcpServerTools.foreign-resource') return undefined;
  const unknown = byId.get('listMcpServerTools.unknown-server');
  const [shown, madeUp] = [check, unknown].map((one) => one?.evidence?.exchanges.at(-1)?.response);
  const isSame = shown?.body !== undefined && shown.status === madeUp?.status && shown.body === madeUp.body;
  return unknown?.outcome === 'failed' && isSame ? { because: unknown.id } : undefined;
}

function endOf({ evidence }: CheckResult): number | string | undefined {
  const { response, failure } = evidence?.exchanges.at(-1) ?? {};
  return response?.status ?? failure?.kind;
}

const prerequisite = wordsOf('PREREQUISITE');

function whyUnjudged(check: JudgedCheck, result: CheckResult, byId: ById): CheckResult {
  const chain = [...prerequisitesOf(check, byId)];
  const { setting: _, obstacle: __, ...rest } = result;
  const failed = chain.find(isFinding);
  if (failed !== undefined) {
    const cause = { outcome: 'inconclusive', obstacle: prerequisite, because: failed.id } as const;
    return { ...rest, ...cause, ...pointTo(check, failed.id, failed.outcome) };
  }
  if (check.obstacle !== prerequisite || chain.length === 0) return result;
  const open = chain.find(isUnjudgedItself);
  if (open !== undefined) return { ...rest, ...reasonIn(open), ...pointTo(check, open.id, inWords(open)) };
  const left = chain.find(({ outcome }) => outcome === 'skipped');
  if (left !== undefined) return { ...result, ...pointTo(check, left.id, 'did not run') };
  return { ...result, obstacle: wordsOf('STEADY') };
}

/** Whether a check could not be judged for a reason of its own. */
function isUnjudgedItself({ outcome, setting, obstacle }: CheckResult): boolean {
  if (outcome === 'passed' || outcome === 'failed' || outcome === 'warned') return false;
  return setting !== undefined || (obstacle !== undefined && obstacle !== prerequisite);
}

function reasonIn({ outcome, setting, obstacle }: CheckResult): Pick<CheckResult, 'outcome' | 'setting' | 'obstacle'> {
  return { outcome, ...(setting === undefined ? { obstacle: obstacle ?? prerequisite } : { setting }) };
}

function inWords({ outcome }: CheckResult): string {
  if (outcome === 'not-enabled') return 'is not enabled';
  return outcome === 'skipped' ? 'does not apply' : `is ${outcome}`;
}

function pointTo({ reason }: CheckResult, id: string, how: string): Pick<CheckResult, 'reason'> {
  return { reason: `${reason} See ${id}, which ${how}.`.trimStart() };
}

/** The prerequisites of a check, and theirs in turn. */
function* prerequisitesOf(check: JudgedCheck, byId: ById, seen = new Set([check.id])): Iterable<JudgedCheck> {
  for (const id of idsOf(check.see ?? [], byId)) {
    const one = byId.get(id);
    if (one === undefined || seen.has(id)) continue;
    seen.add(id);
    yield one;
    yield* prerequisitesOf(one, byId, seen);
  }
}

/** The ids that `see` names; a pattern names several. */
function idsOf(see: readonly string[], byId: ById): string[] {
  return see.flatMap((id) => (id.includes('*') ? [...byId.keys()].filter((known) => isMatch(id, known)) : [id]));
}
