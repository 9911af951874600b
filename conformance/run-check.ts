import type { OperationId } from '../openapi/contract/operations.ts';
import type { Redact } from '../openapi/reading/secrets.ts';
import { say } from '../openapi/reading/sentence.ts';
import type { RegisteredCheck } from './checks/index.ts';
import type { CheckResult, Evidence } from './report.ts';
import type { Session } from './session.ts';
import { NotRequested, Unverified, Violated } from './signals.ts';
import { toCurl } from './target/curl.ts';

/** Runs one check. The signal that it throws becomes its outcome; an error of the suite itself is rethrown. */
export async function runCheck(session: Session, check: RegisteredCheck): Promise<CheckResult> {
  const startedMs = performance.now();
  const ended = await check.run(session).then(
    (remark) => ({ outcome: 'passed' as const, reason: remark?.shown(session.redact) ?? '' }),
    (error: unknown) => toOutcome(session, check, error),
  );
  return { ...about(check), ...ended, durationMs: Math.round(performance.now() - startedMs) };
}

/** The result of a check that was not run. */
export function skipped(check: RegisteredCheck, reason: string): CheckResult {
  return { ...about(check), outcome: 'skipped', reason, durationMs: 0 };
}

function about({ id, operation, level, requirements }: RegisteredCheck) {
  const ids = requirements.map((requirement) => requirement.id);
  return { id, requirement: ids[0] ?? '', requirements: ids, level, operation };
}

function toOutcome(
  session: Session,
  check: RegisteredCheck,
  error: unknown,
): Partial<CheckResult> & Pick<CheckResult, 'outcome' | 'reason'> {
  const { redact } = session;
  if (error instanceof Unverified) {
    return { outcome: 'unverified', reason: error.reason.shown(redact), setting: error.setting };
  }
  if (error instanceof NotRequested) return { outcome: 'skipped', reason: error.reason.shown(redact) };
  if (!(error instanceof Violated)) throw error;
  return {
    outcome: check.level === 'must' ? 'failed' : 'warned',
    reason: say`Expected ${error.expected}; got ${error.actual}.`.shown(redact),
    evidence: toEvidence(error, redact),
    required: check.requirements.map(({ requirement, sources, pointer }) => ({
      text: requirement,
      sections: sectionsOf(sources),
      pointers: pointersOf(session, check.operation, pointer),
    })),
  };
}

function toEvidence({ expected, actual, replies, smallest }: Violated, redact: Redact): Evidence {
  const last = replies.at(-1);
  return {
    expected: expected.shown(redact),
    actual: actual.shown(redact),
    exchanges: replies.map(({ exchange }) => exchange),
    ...(last === undefined ? {} : { curl: toCurl(last.exchange) }),
    ...(smallest === undefined ? {} : { smallest: redact(smallest) }),
  };
}

/** The sections of the specification on which a requirement rests. */
export function sectionsOf(sources: readonly string[]): string[] {
  return [...new Set(sources.map((source) => source.slice(0, source.indexOf('/'))))];
}

// For a requirement of many operations, only the pointers into this operation help.
function pointersOf({ operations }: Session, id: OperationId, pointers: readonly string[]): string[] {
  const { path = '', method = '' } = operations.get(id) ?? {};
  const own = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const relevant = pointers.filter((pointer) => !pointer.startsWith('#/paths/') || pointer.startsWith(own));
  return relevant.length > 0 ? relevant : [...pointers];
}
