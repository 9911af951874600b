import { loadDocument } from '../openapi/contract/load.ts';
import { type OperationId, operationsOf } from '../openapi/contract/operations.ts';
import type { RegisteredCheck } from './checks/index.ts';
import type { CheckResult, Evidence } from './report.ts';
import type { Session } from './session.ts';
import { NotAsked, Unverified, Violated } from './signals.ts';
import { toCurl } from './target/curl.ts';

/** Runs one check. What it throws becomes its outcome; an error of the suite itself is thrown on. */
export async function judge(session: Session, check: RegisteredCheck): Promise<CheckResult> {
  const startedMs = performance.now();
  const ended = await check.run(session).then(
    (remark) => ({ outcome: 'passed' as const, reason: typeof remark === 'string' ? remark : '' }),
    (error: unknown) => toOutcome(check, error),
  );
  return { ...about(check), ...ended, durationMs: Math.round(performance.now() - startedMs) };
}

/** A check that was not run. */
export function skipped(check: RegisteredCheck, reason: string): CheckResult {
  return { ...about(check), outcome: 'skipped', reason, durationMs: 0 };
}

function about({ id, operation, level, requirements }: RegisteredCheck) {
  const ids = requirements.map((requirement) => requirement.id);
  return { id, requirement: ids[0] ?? '', requirements: ids, level, operation };
}

function toOutcome(
  check: RegisteredCheck,
  error: unknown,
): Partial<CheckResult> & Pick<CheckResult, 'outcome' | 'reason'> {
  if (error instanceof Unverified) return { outcome: 'unverified', reason: error.message, setting: error.setting };
  if (error instanceof NotAsked) return { outcome: 'skipped', reason: error.message };
  if (!(error instanceof Violated)) throw error;
  const outcome = check.level === 'must' ? 'failed' : 'warned';
  const reason = `Expected ${error.expected}; got ${error.actual}.`;
  return { outcome, reason, evidence: toEvidence(error), required: requiredBy(check) };
}

function toEvidence({ expected, actual, replies, smallest }: Violated): Evidence {
  const last = replies.at(-1);
  return {
    expected,
    actual,
    exchanges: replies.map(({ exchange }) => exchange),
    ...(last === undefined ? {} : { curl: toCurl(last.exchange) }),
    ...(smallest === undefined ? {} : { smallest }),
  };
}

function requiredBy({ requirements, operation }: RegisteredCheck): NonNullable<CheckResult['required']> {
  return requirements.map(({ requirement, sources, pointer }) => ({
    text: requirement,
    sections: [...new Set(sources.map((source) => source.slice(0, source.indexOf('/'))))],
    pointers: pointersOf(operation, [pointer].flat()),
  }));
}

// Where a requirement speaks of many operations, those of the others would only distract.
function pointersOf(operation: OperationId, pointers: readonly string[]): string[] {
  const own = ownPointer(operation);
  const near = pointers.filter((pointer) => !pointer.startsWith('#/paths/') || pointer.startsWith(own));
  return near.length > 0 ? near : [...pointers];
}

function ownPointer(operation: OperationId): string {
  const { path = '', method = '' } =
    operationsOf(loadDocument()).find(({ operationId }) => operationId === operation) ?? {};
  return `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
}
