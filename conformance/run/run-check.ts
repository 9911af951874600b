import type { Redact } from '../../lib/secrets.ts';
import { longestQuote, own, type Sentence, say } from '../../lib/sentence.ts';
import { cut } from '../../lib/text.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { adviceIfMeant, isMatch } from '../checks/check.ts';
import type { RegisteredCheck } from '../checks/index.ts';
import { excerptOf } from '../report/excerpt.ts';
import type { CheckResult, CrashNote, Evidence, ServerError } from '../report/report.ts';
import { currentClock } from '../target/clock.ts';
import { toCurl } from '../target/credentials.ts';
import { type Crash, currentCheck, type Exchange, type Reply, repeatedCrashOf } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { firstUnmet, lackOf } from './needs.ts';
import { inParallel } from './once.ts';
import { Inconclusive, NotRequested, reasonOf, Violated, wordsOf } from './signals.ts';

/** Runs one check. The signal that it throws becomes its outcome; an error in the suite itself is rethrown. */
export async function runCheck(session: Session, check: RegisteredCheck): Promise<JudgedCheck> {
  const startedMs = currentClock().nowMs();
  const ended = await currentCheck.run(check.id, () =>
    check.run(session).then(
      (remark) => {
        session.patience.conclude(check.id, false);
        return { outcome: 'passed' as const, reason: remark?.shown(session.redact) ?? '' };
      },
      (error: unknown) => {
        session.patience.conclude(check.id, isTheTargets(error));
        return toOutcome(session, check, error);
      },
    ),
  );
  return {
    ...about(check),
    ...withCrash(session, check, ended),
    durationMs: Math.round(currentClock().nowMs() - startedMs),
  };
}

// Whether only the target can be to blame.
function isTheTargets(error: unknown): boolean {
  return error instanceof Violated || (error instanceof Inconclusive && error.code === 'PREREQUISITE');
}

type Ended = Partial<CheckResult> & Pick<CheckResult, 'outcome' | 'reason'>;

// A request that crashes the target fails its check, whatever the check looks at.
function withCrash(session: Session, check: RegisteredCheck, ended: Ended): Ended {
  const { crashes } = session.target;
  const repeated = repeatedCrashOf(crashes, check.id);
  if (repeated !== undefined) return { outcome: 'failed', ...violation(session, check, toViolation(repeated)) };
  const remarks = crashes.filter((crash) => crash.check === check.id).map((crash) => remarkOn(crash));
  const reasons = [ended.reason, ...remarks.map((remark) => remark.shown(session.redact))];
  return { ...ended, reason: reasons.filter((reason) => reason !== '').join(' ') };
}

/** The result of a check that did not run, because the run ended before: inconclusive only if the settings enable it. */
export function cutOff(session: Session, check: RegisteredCheck, obstacle: string, why: string): CheckResult {
  const lack = lackOf(check.needs, session.settings);
  const ended: Ended =
    lack === undefined ? { outcome: 'inconclusive', reason: why, obstacle } : toOutcome(session, check, lack);
  return { ...about(check), ...ended, durationMs: 0 };
}

/** The result of a check that was not run. */
export function skipped(check: RegisteredCheck, reason: string): CheckResult {
  return { ...about(check), outcome: 'skipped', reason, durationMs: 0 };
}

/** A result that something else has shown than the check itself. */
export function shownOtherwise(
  session: Session,
  check: RegisteredCheck,
  { durationMs }: CheckResult,
  signal: Violated | Inconclusive,
): JudgedCheck {
  return { ...about(check), ...toOutcome(session, check, signal), durationMs };
}

function about({ id, operation, level, requirements }: RegisteredCheck) {
  const ids = requirements.map((requirement) => requirement.id);
  return { id, requirement: ids[0] ?? '', requirements: ids, level, operation };
}

function toOutcome(session: Session, check: RegisteredCheck, error: unknown): Ended {
  const { redact } = session;
  if (error instanceof Inconclusive) {
    const { outcome, words } = reasonOf(error, session.settings, firstUnmet(check.needs, session.settings));
    // What came in its way does not matter: even without it, the check could not have judged.
    const lack = outcome === 'inconclusive' ? lackOf(check.needs, session.settings) : undefined;
    if (lack !== undefined) return toOutcome(session, check, lack);
    const why = outcome === 'not-enabled' ? { setting: words } : { obstacle: words };
    return {
      outcome,
      reason: inReport(error.reason, redact),
      ...why,
      ...seeOf(error),
    };
  }
  if (error instanceof NotRequested) return { outcome: 'skipped', reason: inReport(error.reason, redact) };
  if (!(error instanceof Violated)) throw error;
  const isAllowed = check.level === 'should' || isDeclared(session, check);
  const outcome = isAllowed ? 'warned' : 'failed';
  return { outcome, ...violation(session, check, error), ...seeOf(error) };
}

function seeOf({ see }: Inconclusive | Violated): Pick<JudgedCheck, 'see'> {
  return see.length === 0 ? {} : { see };
}

/** Whether the config declares the dangerous choice that the check judges. */
function isDeclared({ settings }: Session, { declaredBy }: RegisteredCheck): boolean {
  return declaredBy === 'foreignResources' && settings.foreignResources === 'shared';
}

/** The result of a passed check after the responses that came later in the run. */
function judgeAtEnd(session: Session, check: RegisteredCheck, result: JudgedCheck): JudgedCheck {
  try {
    check.atEnd?.(session);
    return result;
  } catch (error) {
    return { ...result, ...toOutcome(session, check, error) };
  }
}

function violation(session: Session, check: RegisteredCheck, error: Violated) {
  const { redact } = session;
  const reason = inReport(say`Expected ${error.expected}; got ${error.actual}.`, redact);
  const isOpen = check.declaredBy !== undefined && !isDeclared(session, check);
  return {
    reason: isOpen ? `${reason} ${adviceIfMeant}` : reason,
    evidence: toEvidence(session, error),
    required: check.requirements.map(({ requirement, sources, pointer }) => ({
      text: requirement,
      sections: sectionsOf(sources),
      pointers: pointersOf(session, check.operation, pointer),
    })),
  };
}

const longestSentence = 20_000;

// An id may have megabytes and a list a million owners, and many checks may quote them.
function inReport(sentence: Sentence, redact: Redact): string {
  const text = sentence.quotingAtMost(longestQuote).shown(redact);
  return text.length <= longestSentence ? text : `${text.slice(0, longestSentence)}…`;
}

function toEvidence(session: Session, { expected, actual, replies, smallest }: Violated): Evidence {
  const { redact } = session;
  const words = { expected: inReport(expected, redact), actual: inReport(actual, redact) };
  const exchanges = replies.map((reply) => withExcerpt(reply, `${words.expected} ${words.actual}`, redact));
  return {
    ...words,
    exchanges,
    ...(exchanges.length === 0 ? {} : { curl: [...new Set(exchanges.map(toCurl))].join('\n') }),
    ...(smallest === undefined ? {} : { smallest: redact(smallest) }),
    ...sendersOf(session, replies),
  };
}

function withExcerpt({ exchange, json }: Reply, finding: string, redact: Redact): Exchange {
  const excerpt = excerptOf(json, finding);
  if (exchange.response === undefined || excerpt === undefined) return exchange;
  return { ...exchange, response: { ...exchange.response, excerpt: cut(redact(excerpt), longestExcerpt) } };
}

const longestExcerpt = 1_000;

// What is sent before the first check, every run sends. A run of a few checks does not observe.
function sendersOf({ checksEndedAtMs }: Session, replies: readonly Reply[]): Pick<Evidence, 'sentBy'> {
  const isUnknown = replies.some(({ sentBy, sentAtMs }) => sentBy === undefined && sentAtMs >= checksEndedAtMs);
  return isUnknown ? {} : { sentBy: [...new Set(replies.flatMap(({ sentBy }) => sentBy ?? []))].sort() };
}

/** The sections of the specification on which a requirement is based. */
export function sectionsOf(sources: readonly string[]): string[] {
  return [...new Set(sources.map((source) => source.slice(0, source.indexOf('/'))))];
}

// For a requirement of many operations, only the pointers into this operation are useful.
function pointersOf({ operations }: Session, id: OperationId, pointers: readonly string[]): string[] {
  const { path = '', method = '' } = operations.get(id) ?? {};
  const own = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const relevant = pointers.filter((pointer) => !pointer.startsWith('#/paths/') || pointer.startsWith(own));
  return relevant.length > 0 ? relevant : [...pointers];
}

/** The failure of the check that sent the request. */
function toViolation({ reply }: Crash): Violated {
  const actual = say`the target crashed, and crashed again when the request was repeated: ${lineOf(reply)}`;
  return new Violated(say`a response, and a target that goes on`, actual, [reply]);
}

/** The remark on a check whose request met a crash that did not repeat. */
function remarkOn({ reply }: Crash): Sentence {
  return say`The target crashed during ${lineOf(reply)}. It did not crash when the request was repeated.`;
}

/** A crash as reports show it. */
export function toNote({ reply, check, isRepeated }: Crash): CrashNote {
  return { request: String(lineOf(reply)), ...(check === undefined ? {} : { check }), isRepeated };
}

/** Method and URL. The URL is redacted already. */
function lineOf({ exchange }: Reply): Sentence {
  return own(`${exchange.request.method} ${exchange.request.url}`);
}

/** All responses of a run with a status of 500 and above, including those of gateways and those that no check judges. */
export function serverErrorsOf({ target, operations }: Session): ServerError[] {
  const groups = Map.groupBy(target.serverErrors, ({ request, status }) => `${request.operation} ${status}`);
  return Array.from(groups.values(), (alike) => {
    const [first] = alike as [Reply];
    const { method, operation } = first.request;
    const path = operations.get(operation)?.path ?? '';
    return { method, path, status: first.status, count: alike.length, curl: toCurl(first.exchange) };
  });
}

/**
 * The results after late responses: observing and tidying up also send requests. Passed checks of responses judge all
 * responses once more, and all are searched for what a valid request must not cause.
 */
export function withLateAnswers(
  session: Session,
  checks: readonly RegisteredCheck[],
  results: readonly JudgedCheck[],
): Promise<JudgedCheck[]> {
  const byId = new Map(checks.map((check) => [check.id, check]));
  return inParallel(results, async (result) => {
    const check = byId.get(result.id);
    if (check === undefined || result.outcome !== 'passed') return result;
    return check.isAboutAnswers ? judgeAgain(session, check, result) : judgeAtEnd(session, check, result);
  });
}

async function judgeAgain(session: Session, check: RegisteredCheck, result: JudgedCheck): Promise<JudgedCheck> {
  const again = await runCheck(session, check);
  return again.outcome === 'failed' || again.outcome === 'warned' ? again : result;
}

/*
 * Why a check is not judged: the code of its `Inconclusive` (`signals.ts`) names the possible causes; this file names
 * the check that failed.
 */

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
