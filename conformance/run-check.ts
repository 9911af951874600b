import type { Redact } from '../lib/secrets.ts';
import { longestQuote, type Sentence, say } from '../lib/sentence.ts';
import type { OperationId } from '../openapi/contract/operations.ts';
import type { JudgedCheck } from './causes.ts';
import { adviceIfMeant } from './check.ts';
import type { RegisteredCheck } from './checks/index.ts';
import { firstUnmet } from './plan/needs.ts';
import type { CheckResult, Evidence } from './report.ts';
import type { Session } from './session.ts';
import { Inconclusive, NotRequested, reasonOf, Violated } from './signals.ts';
import { currentClock } from './target/clock.ts';
import { currentCheck, remarkOn, repeatedCrashOf, toViolation } from './target/crashes.ts';
import { toCurl } from './target/curl.ts';
import type { Reply } from './target/reply.ts';

/** Runs one check. The signal that it throws becomes its outcome; an error of the suite itself is rethrown. */
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

/** The result of a check that was enabled and not run, because the run ended before. */
export function cutOff(check: RegisteredCheck, obstacle: string, why: string): CheckResult {
  return { ...about(check), outcome: 'inconclusive', reason: why, obstacle, durationMs: 0 };
}

/** The result of a check that was not run. */
export function skipped(check: RegisteredCheck, reason: string): CheckResult {
  return { ...about(check), outcome: 'skipped', reason, durationMs: 0 };
}

function about({ id, operation, level, requirements }: RegisteredCheck) {
  const ids = requirements.map((requirement) => requirement.id);
  return { id, requirement: ids[0] ?? '', requirements: ids, level, operation };
}

function toOutcome(session: Session, check: RegisteredCheck, error: unknown): Ended {
  const { redact } = session;
  if (error instanceof Inconclusive) {
    const { outcome, words } = reasonOf(error, session.settings, firstUnmet(check.needs, session.settings));
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
export function judgeAtEnd(session: Session, check: RegisteredCheck, result: JudgedCheck): JudgedCheck {
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
  const exchanges = replies.map(({ exchange }) => exchange);
  return {
    expected: inReport(expected, redact),
    actual: inReport(actual, redact),
    exchanges,
    ...(exchanges.length === 0 ? {} : { curl: [...new Set(exchanges.map(toCurl))].join('\n') }),
    ...(smallest === undefined ? {} : { smallest: redact(smallest) }),
    ...sendersOf(session, replies),
  };
}

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
