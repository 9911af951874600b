import type { Finding, Kinds, Tone } from './findings.tsx';
import type { Check, Outcome } from './formats.ts';

/** The outcomes in the order in which a person wants to read them. */
export const outcomeKinds = [
  { kind: 'failed', words: 'failed', tone: 'bad' },
  { kind: 'warned', words: 'warned', tone: 'warn' },
  { kind: 'inconclusive', words: 'inconclusive', tone: 'warn' },
  { kind: 'not-enabled', words: 'not enabled', tone: 'none' },
  { kind: 'passed', words: 'passed', tone: 'good' },
  { kind: 'skipped', words: 'skipped', tone: 'none' },
] as const satisfies Kinds;

export function toneOf(outcome: Outcome): Tone {
  return outcomeKinds.find(({ kind }) => kind === outcome)?.tone ?? 'none';
}

/** An outcome in words; other texts unchanged. */
export function inWords(outcome: string): string {
  return outcomeKinds.find(({ kind }) => kind === outcome)?.words ?? outcome;
}

/** The checks in list order: those that explain most other results first, then by name. */
export function toFindings(checks: readonly Check[]): Finding[] {
  const explained = Map.groupBy(checks, ({ because }) => because);
  const rankOf = ({ id, because }: Check) => (because === undefined ? -(explained.get(id)?.length ?? 0) : 1);
  return checks
    .map((check) => ({ check, rank: rankOf(check) }))
    .sort((one, other) => one.rank - other.rank || (one.check.id < other.check.id ? -1 : 1))
    .map(({ check }) => toFinding(check));
}

function toFinding({
  id,
  outcome,
  reason,
  because,
  evidence,
  requirements,
  required = [],
  expectedFailure,
}: Check): Finding {
  const found = evidence?.actual || reason;
  const text = [
    expectedFailure === undefined ? '' : 'as expected',
    because === undefined ? found : `because of ${because}`,
  ];
  const sentences = required.map((one) => one.text);
  return {
    ...{ id, kind: outcome, isLinked: true, text: text.filter((one) => one !== '').join('; ') },
    more: [reason, evidence?.expected, evidence?.actual, ...requirements, ...sentences].join(' '),
  };
}
