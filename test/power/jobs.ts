import type { Outcome, Verdict } from '../../conformance/report.ts';
import { degenerateServers } from './degenerate-servers.ts';
import type { Mode } from './fixtures.ts';
import { legalProfiles } from './legal-servers.ts';
import { mutants } from './mutants/index.ts';
import { oddLegalServers } from './odd-legal-servers.ts';

/** One run of the suite over one server of the proof. */
export type Job = (
  | { kind: 'mutant'; id: string }
  | { kind: 'legal'; id: string }
  | { kind: 'second'; id: 'odd' | 'plain' }
  | { kind: 'odd'; id: string }
  | { kind: 'degenerate'; id: string }
) & {
  mode: Mode;
  /** Shuffles the checks, and the server answers a little late. */
  shuffleSeed?: number;
};

/** What came of one run. */
export interface JobResult {
  job: Job;
  verdict: Verdict | 'not judged';
  exitCode: number;
  /** How each check ended that did not pass. */
  outcomes: Record<string, Exclude<Outcome, 'passed'>>;
  passed: number;
  requests: number;
  durationMs: number;
  /** Whether the state of the server was the same afterwards; absent where it cannot be seen. */
  isUnchanged?: boolean;
  /** How the receipt differs from what is there; empty when it does not, absent where it cannot be seen. */
  receiptErrors?: string[];
  /** An error of the suite itself. */
  suiteError?: string;
}

/** The runs of one round. `part` takes every n-th mutant only. */
export function jobsOf(modes: readonly Mode[], options: { shuffleSeed?: number; part?: number } = {}): Job[] {
  const { shuffleSeed, part = 1 } = options;
  const common = shuffleSeed === undefined ? {} : { shuffleSeed };
  const degenerate = degenerateServers.map(({ id }): Job => ({ kind: 'degenerate', id, mode: 'write', ...common }));
  const others = modes.flatMap((mode): Job[] => [
    ...mutants.filter((_, index) => index % part === 0).map(({ id }): Job => ({ kind: 'mutant', id, mode, ...common })),
    ...legalProfiles().map(({ id }): Job => ({ kind: 'legal', id, mode, ...common })),
    ...oddLegalServers.map(({ id }): Job => ({ kind: 'odd', id, mode, ...common })),
    ...(['odd', 'plain'] as const).map((id): Job => ({ kind: 'second', id, mode, ...common })),
  ]);
  return [...degenerate, ...others];
}
