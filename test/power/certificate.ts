import { loadRequirements } from '../../openapi/contract/load.ts';
import type { JobResult } from './jobs.ts';
import type { FaultClass, FaultPlace, Mutant } from './mutant.ts';
import { mutants } from './mutants/index.ts';
import { mayWarn } from './odd/run-odd.ts';
import { oddLegalServers } from './odd-legal-servers.ts';

/** What one round of runs proves. */
export interface Certificate {
  mutants: MutantFigures;
  legal: LegalFigures;
  degenerate: { count: number; endedWellFor: string[] };
  readOnly: ReadOnlyFigures;
  /** Errors of the suite itself, by job. */
  suiteErrors: string[];
}

interface MutantFigures {
  count: number;
  byPlace: Record<FaultPlace, number>;
  byClass: { class: FaultClass; count: number; killed: number }[];
  /** Killed by the check that is named. */
  killed: number;
  survivors: Mutant[];
  /** Each judged requirement, with the mutants that break it. */
  byRequirement: { requirement: string; level: string; count: number; killed: number }[];
  /** Those that no mutant breaks. */
  unbroken: string[];
  /** Checks that found no mutant. */
  idle: string[];
  must: { count: number; killed: number };
  should: { count: number; flagged: number };
}

interface LegalFigures {
  count: number;
  alarms: { server: string; mode: string; check: string }[];
  warned: { server: string; mode: string; check: string }[];
  receiptErrors: string[];
}

interface ReadOnlyFigures {
  /** Requirements of which a reading run over the sound mock judges at least one check. */
  judged: number;
  requirements: number;
  mutants: number;
  mutantsKilled: number;
  changed: string[];
}

/** The certificate of one round. */
export function certify(results: readonly JobResult[], checks: readonly { id: string }[]): Certificate {
  const ofMutants = results.filter(({ job }) => job.kind === 'mutant');
  const ofLegal = results.filter(({ job }) => ['legal', 'odd', 'second'].includes(job.kind));
  const ofDegenerate = results.filter(({ job }) => job.kind === 'degenerate');
  return {
    mutants: mutantFigures(
      ofMutants.filter(({ job }) => job.mode === 'write'),
      checks,
    ),
    legal: legalFigures(ofLegal),
    degenerate: {
      count: ofDegenerate.length,
      endedWellFor: ofDegenerate.filter(({ exitCode }) => exitCode === 0).map(({ job }) => job.id),
    },
    readOnly: readOnlyFigures(results.filter(({ job }) => job.mode === 'read')),
    suiteErrors: results.flatMap(({ job, suiteError }) =>
      suiteError === undefined ? [] : [`${nameOf(job)}: ${suiteError}`],
    ),
  };
}

/** Whether nothing is left to be desired. */
export function isPerfect({ mutants: faults, legal, degenerate, readOnly, suiteErrors }: Certificate): boolean {
  const wishes = [
    faults.survivors,
    faults.unbroken,
    faults.idle,
    legal.alarms,
    legal.receiptErrors,
    degenerate.endedWellFor,
    readOnly.changed,
    suiteErrors,
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

function mutantFigures(results: readonly JobResult[], checks: readonly { id: string }[]): MutantFigures {
  const all = results.map((result) => ({ mutant: mutantOf(result.job.id), isKilled: isKilled(result) }));
  const judged = loadRequirements().filter(({ checks: ids = [] }) => ids.length > 0);
  const levels = new Map(judged.map(({ id, level }) => [id, level]));
  const ofLevel = (level: string) => all.filter(({ mutant }) => levels.get(mutant.requirement) === level);
  const broken = new Set(all.map(({ mutant }) => mutant.requirement));
  const busy = new Set(
    results.flatMap(({ outcomes }) =>
      Object.entries(outcomes).flatMap(([id, outcome]) => (isFlagged(outcome) ? [id] : [])),
    ),
  );
  const killedOf = (some: typeof all) => some.filter((one) => one.isKilled).length;
  return {
    count: all.length,
    byPlace: countBy(all.map(({ mutant }) => mutant.place)),
    byClass: [...Map.groupBy(all, ({ mutant }) => mutant.class)].map(([name, some]) => ({
      class: name,
      count: some.length,
      killed: killedOf(some),
    })),
    killed: killedOf(all),
    survivors: all.flatMap((one) => (one.isKilled ? [] : [one.mutant])),
    byRequirement: judged.map(({ id, level }) => {
      const breaking = all.filter(({ mutant }) => mutant.requirement === id);
      return { requirement: id, level, count: breaking.length, killed: killedOf(breaking) };
    }),
    unbroken: judged.filter(({ id }) => !broken.has(id)).map(({ id }) => id),
    idle: checks.map(({ id }) => id).filter((id) => !busy.has(id)),
    must: { count: ofLevel('must').length, killed: killedOf(ofLevel('must')) },
    should: { count: ofLevel('should').length, flagged: killedOf(ofLevel('should')) },
  };
}

function countBy<T extends string>(values: readonly T[]): Record<T, number> {
  return Object.fromEntries(
    [...Map.groupBy(values, (value) => value)].map(([value, some]) => [value, some.length]),
  ) as Record<T, number>;
}

function legalFigures(results: readonly JobResult[]): LegalFigures {
  const ended = (outcome: string) =>
    results.flatMap(({ job, outcomes }) =>
      Object.entries(outcomes).flatMap(([check, came]) =>
        came === outcome ? [{ server: `${job.kind} ${job.id}`, mode: job.mode, check }] : [],
      ),
    );
  return {
    count: new Set(results.map(({ job }) => `${job.kind} ${job.id}`)).size,
    alarms: ended('failed'),
    warned: ended('warned').filter(({ server, check }) => !isExpectedWarning(server, check)),
    receiptErrors: results.flatMap(({ job, receiptErrors = [] }) =>
      receiptErrors.map((error) => `${nameOf(job)}: ${error}`),
    ),
  };
}

// What the text asks for as a should, and a server says to do otherwise.
function isExpectedWarning(server: string, check: string): boolean {
  const odd = oddLegalServers.find(({ id }) => `odd ${id}` === server);
  return odd !== undefined && mayWarn(odd, check);
}

function readOnlyFigures(results: readonly JobResult[]): ReadOnlyFigures {
  const sound = results.find(({ job }) => job.kind === 'legal' && job.id === 'defaults');
  const judged = loadRequirements().filter(({ checks: ids = [] }) => ids.length > 0);
  const isJudged = (id: string) => sound !== undefined && sound.outcomes[id] === undefined;
  return {
    judged: judged.filter(({ checks: ids = [] }) => ids.some(isJudged)).length,
    requirements: judged.length,
    mutants: results.filter(({ job }) => job.kind === 'mutant').length,
    mutantsKilled: results.filter((result) => result.job.kind === 'mutant' && isKilled(result)).length,
    changed: results.filter(({ isUnchanged }) => isUnchanged === false).map(({ job }) => nameOf(job)),
  };
}

function nameOf({ kind, id, mode }: JobResult['job']): string {
  return `${kind} ${id} (${mode})`;
}
