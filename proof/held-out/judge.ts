import type { JobResult } from '../power/jobs.ts';
import { type CatalogueName, catalogues, type Entry } from './catalogue.ts';

/** How a run over one server of a catalogue ended. */
export interface Judged {
  name: string;
  kind: Entry['kind'];
  exitCode: number;
  failed: string[];
  /** Checks that warned, except those that warn on the base too. */
  warned: string[];
  suiteError?: string;
}

/** The results of one catalogue, in its order. `results` are those of {@link heldOutJobs}. */
export function judgedOf(catalogue: CatalogueName, results: readonly JobResult[]): Judged[] {
  const named = new Map(results.map((result) => [result.job.id, result]));
  const base = named.get(`${catalogue}/base`);
  return catalogues[catalogue].entries.map(({ name, kind }) => {
    const result = named.get(`${catalogue}/${name}`);
    const { exitCode = 2, suiteError } = result ?? {};
    return {
      ...{ name, kind, exitCode, ...findingsOf(result, base) },
      ...(suiteError === undefined ? {} : { suiteError }),
    };
  });
}

/** The checks that failed, and those that warned otherwise than on the base. */
export function findingsOf(
  result: JobResult | undefined,
  base: JobResult | undefined,
): Pick<Judged, 'failed' | 'warned'> {
  const onBase = new Set(endedAs('warned', base));
  return {
    failed: endedAs('failed', result),
    warned: endedAs('warned', result).filter((id) => !onBase.has(id)),
  };
}

function endedAs(outcome: string, result: JobResult | undefined): string[] {
  return Object.entries(result?.outcomes ?? {}).flatMap(([id, ended]) => (ended === outcome ? [id] : []));
}

/**
 * Whether the suite judged this server rightly: a broken fact fails, a broken inference warns, a legal server does not fail.
 * Where other clients never rest, some checks of a legal server stay inconclusive; the run must come to its end all the same.
 */
export function isRight({ kind, failed, warned, exitCode, suiteError }: Judged): boolean {
  if (kind === 'must') return failed.length > 0;
  if (kind === 'should') return failed.length + warned.length > 0;
  return exitCode === 0 || (exitCode === 3 && failed.length === 0 && suiteError === undefined);
}

/** Figures of a catalogue: `[right, all]` of each kind, and the names of those that were judged wrongly. */
export function figuresOf(judged: readonly Judged[]) {
  const ofKind = (kind: Entry['kind']) => {
    const some = judged.filter((one) => one.kind === kind);
    return { count: some.length, right: some.filter(isRight).length };
  };
  return {
    must: ofKind('must'),
    should: ofKind('should'),
    legal: ofKind('legal'),
    wrong: judged.filter((one) => !isRight(one)).map(({ name }) => name),
  };
}
