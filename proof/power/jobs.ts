import type { Outcome } from '../../conformance/report/report.ts';
import { type CatalogueName, catalogues } from '../held-out/catalogue.ts';
import { degenerateServers } from './degenerate-servers.ts';
import type { Mode } from './fixtures.ts';
import { legalProfiles } from './legal-servers.ts';
import { mutants } from './mutants/index.ts';
import { oddLegalServers } from './odd-legal-servers.ts';

/** One run of the suite over one server of the proof. */
export interface Job {
  kind: 'mutant' | 'legal' | 'second' | 'odd' | 'degenerate' | 'heldOut';
  id: string;
  mode: Mode;
  /** Shuffles the checks, and the server answers a little late. */
  shuffleSeed?: number | undefined;
}

/** What came of one run. */
export interface JobResult {
  job: Job;
  exitCode: number;
  /** How each check ended that did not pass. */
  outcomes: Record<string, Exclude<Outcome, 'passed'>>;
  requests: number;
  /** Whether the state of the server was the same afterwards; absent where it cannot be seen. */
  isUnchanged?: boolean;
  /** How the receipt differs from what is there; empty when it does not, absent where it cannot be seen. */
  receiptErrors?: string[];
  /** An error in the suite itself. */
  suiteError?: string;
}

/** The runs of one round. */
export function jobsOf(shuffleSeed?: number): Job[] {
  const toJobs = (kind: Job['kind'], servers: readonly { id: string }[], mode: Mode) =>
    servers.map(({ id }): Job => ({ kind, id, mode, shuffleSeed }));
  const inMode = (mode: Mode) => [
    ...toJobs('mutant', mutants, mode),
    ...toJobs('legal', legalProfiles(), mode),
    ...toJobs('odd', oddLegalServers, mode),
    ...toJobs('second', [{ id: 'odd' }, { id: 'plain' }], mode),
  ];
  return [...toJobs('degenerate', degenerateServers, 'write'), ...inMode('write'), ...inMode('read')];
}

/** A run over each server of a catalogue, and over its base. */
export function heldOutJobs(catalogue: CatalogueName): Job[] {
  const names = ['base', ...catalogues[catalogue].entries.map(({ name }) => name)];
  return names.map((name): Job => ({ kind: 'heldOut', id: `${catalogue}/${name}`, mode: 'write' }));
}
