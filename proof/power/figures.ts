import { isDeepStrictEqual } from 'node:util';
import { loadRequirements } from '../../openapi/contract/load.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { JobResult } from './jobs.ts';
import { legalProfiles } from './legal-servers.ts';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutants/index.ts';
import { oddLegalServers } from './odd-legal-servers.ts';

/** What one round of runs proves. */
export type Figures = ReturnType<typeof toFigures>;

/** The figures of one round. */
export function toFigures(results: readonly JobResult[], checks: readonly { id: string }[]) {
  const ofKind = (...kinds: string[]) => results.filter(({ job }) => kinds.includes(job.kind));
  const degenerate = ofKind('degenerate');
  return {
    mutants: mutantFigures(
      ofKind('mutant').filter(({ job }) => job.mode === 'write'),
      checks,
    ),
    legal: legalFigures(ofKind('legal', 'odd', 'second')),
    degenerate: {
      count: degenerate.length,
      endedWellFor: degenerate.filter(({ exitCode }) => exitCode === 0).map(({ job }) => job.id),
    },
    readOnly: readOnlyFigures(results.filter(({ job }) => job.mode === 'read')),
    /** Errors of the suite itself, by job. */
    suiteErrors: results.flatMap(({ job, suiteError }) =>
      suiteError === undefined ? [] : [`${nameOf(job)}: ${suiteError}`],
    ),
  };
}

/** Whether nothing is left to be desired. */
export function isPerfect({ mutants: faults, legal, degenerate, readOnly, suiteErrors }: Figures): boolean {
  const wishes = [
    ...[faults.survivors, faults.unbroken, faults.idle, legal.alarms, legal.receiptErrors],
    ...[degenerate.endedWellFor, readOnly.changed, suiteErrors],
  ];
  return wishes.every((list) => list.length === 0);
}

function isFlagged(outcome: string | undefined): boolean {
  return outcome === 'failed' || outcome === 'warned';
}

/** Whether a result shows a mutant killed by the check that it names. */
export function isKilled({ job, outcomes }: JobResult): boolean {
  return isFlagged(outcomes[mutantOf(job.id).check]);
}

function mutantOf(id: string): Mutant {
  const mutant = mutants.find((candidate) => candidate.id === id);
  if (mutant === undefined) throw new Error(`there is no mutant ${id}`);
  return mutant;
}

function judgedRequirements() {
  return loadRequirements().filter(({ checks = [] }) => checks.length > 0);
}

function mutantFigures(results: readonly JobResult[], checks: readonly { id: string }[]) {
  const all = results.map((result) => ({ mutant: mutantOf(result.job.id), isKilled: isKilled(result) }));
  const figuresOf = (some: typeof all) => ({ count: some.length, killed: some.filter((one) => one.isKilled).length });
  const byRequirement = judgedRequirements().map(({ id, level }) => {
    const breaking = all.filter(({ mutant }) => mutant.requirement === id);
    return { requirement: id, level, ...figuresOf(breaking) };
  });
  const levels = new Map(byRequirement.map(({ requirement, level }) => [requirement, level]));
  const ofLevel = (level: string) => figuresOf(all.filter(({ mutant }) => levels.get(mutant.requirement) === level));
  const busy = new Set(
    results.flatMap(({ outcomes }) => Object.keys(outcomes).filter((id) => isFlagged(outcomes[id]))),
  );
  return {
    ...figuresOf(all),
    must: ofLevel('must'),
    should: ofLevel('should'),
    byPlace: [...Map.groupBy(all, ({ mutant }) => mutant.place)].map(([place, some]) => ({
      place,
      count: some.length,
    })),
    byClass: [...Map.groupBy(all, ({ mutant }) => mutant.class)].map(([name, some]) => ({
      ...{ class: name, ...figuresOf(some) },
    })),
    /** Each judged requirement, with the mutants that break it. */
    byRequirement,
    /** Requirements that no mutant breaks. */
    unbroken: byRequirement.filter(({ count }) => count === 0).map(({ requirement }) => requirement),
    survivors: all.flatMap((one) => (one.isKilled ? [] : [one.mutant])),
    /** Checks that found no mutant. */
    idle: checks.map(({ id }) => id).filter((id) => !busy.has(id)),
  };
}

function legalFigures(results: readonly JobResult[]) {
  const ended = (outcome: string) =>
    results.flatMap(({ job, outcomes }) =>
      Object.keys(outcomes).flatMap((check) => (outcomes[check] === outcome ? [{ job, check }] : [])),
    );
  return {
    count: new Set(results.map(({ job }) => `${job.kind} ${job.id}`)).size,
    alarms: ended('failed'),
    warned: ended('warned').filter(({ job, check }) => !mayWarn(job, check)),
    receiptErrors: results.flatMap(({ job, receiptErrors = [] }) =>
      receiptErrors.map((error) => `${nameOf(job)}: ${error}`),
    ),
  };
}

// The odd variant of the second server leaves fields out; that they are there is a should.
const ofSecond: Record<string, string[]> = { odd: ['getDriveFile.fields-present', 'updateDriveFile.fields-present'] };

// Legal choices that the text advises against: the suite warns by the checks of the requirement that they do not keep.
const discouraged: readonly { choices: Partial<Profile>; check: string }[] = [
  ...loadOpenPoints().flatMap(({ id, choices }) =>
    choices.flatMap(({ value, warned }) => checksOf(warned).map((check) => ({ choices: { [id]: value }, check }))),
  ),
  { choices: { optionalFields: 'without hasChanges modifiedAt' }, check: '*.fields-present' },
];

function checksOf(requirement: string | undefined): readonly string[] {
  return loadRequirements().find(({ id }) => id === requirement)?.checks ?? [];
}

const profiles = new Map(legalProfiles().map(({ id, profile }) => [id, profile]));

function discouragedIn(profile: Partial<Profile>): string[] {
  const isChosen = ({ choices }: (typeof discouraged)[number]) =>
    isDeepStrictEqual({ ...profile, ...choices }, profile);
  return discouraged.filter(isChosen).map(({ check }) => check);
}

// What the text asks for as a should, and a server says to do otherwise.
function mayWarn({ kind, id }: JobResult['job'], check: string): boolean {
  const patterns: readonly string[] = [
    ...(kind === 'legal' ? discouragedIn(profiles.get(id) ?? {}) : []),
    ...((kind === 'odd' && oddLegalServers.find((odd) => odd.id === id)?.mayWarn) || []),
    ...((kind === 'second' && ofSecond[id]) || []),
  ];
  return patterns.some((pattern) =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(check),
  );
}

function readOnlyFigures(results: readonly JobResult[]) {
  const sound = results.find(({ job }) => job.kind === 'legal' && job.id === 'defaults');
  const isJudged = (id: string) => sound !== undefined && sound.outcomes[id] === undefined;
  const requirements = judgedRequirements();
  const ofMutants = results.filter(({ job }) => job.kind === 'mutant');
  return {
    /** Requirements of which a reading run over the sound mock judges at least one check. */
    judged: requirements.filter(({ checks = [] }) => checks.some(isJudged)).length,
    requirements: requirements.length,
    mutants: ofMutants.length,
    mutantsKilled: ofMutants.filter(isKilled).length,
    changed: results.filter(({ isUnchanged }) => isUnchanged === false).map(({ job }) => nameOf(job)),
  };
}

/** A run as the figures names it. */
export function nameOf({ kind, id, mode }: JobResult['job']): string {
  return `${kind} ${id} (${mode})`;
}

/** How a round ended otherwise than another: kills of mutants, and every outcome on the legal servers. */
export function differences(first: readonly JobResult[], again: readonly JobResult[]): string[] {
  return first.flatMap((result, index) => {
    const other = again[index];
    const found = other === undefined ? ['was not run again'] : differencesOf(result, other);
    return found.map((difference) => `${nameOf(result.job)}: ${difference}`);
  });
}

function differencesOf(result: JobResult, other: JobResult): string[] {
  const { kind } = result.job;
  if (kind === 'degenerate') return other.exitCode === 0 ? ['ended with exit code 0'] : [];
  if (kind === 'mutant') {
    return isKilled(result) === isKilled(other) ? [] : [`killed: ${isKilled(result)}, then ${isKilled(other)}`];
  }
  const ids = new Set([...Object.keys(result.outcomes), ...Object.keys(other.outcomes)]);
  return [...ids].flatMap((id) => {
    const [was = 'passed', is = 'passed'] = [result.outcomes[id], other.outcomes[id]];
    // What is busy now and then lets a check be judged now and then.
    const isSame = kind === 'odd' ? is !== 'failed' : was === is;
    return isSame ? [] : [`${id} ${was}, then ${is}`];
  });
}
