// The parts of both reports that the page shows. A test assigns the types of the tools that write them to these.

import type { ReportWords } from '../../../lib/report-words.ts';

type Choices = Readonly<Record<string, string | number>>;
type Headers = Readonly<Record<string, string>>;

export interface Exchange {
  request: { method: string; url: string; headers: Headers; body?: string };
  response?: { status: number; headers: Headers; body: string };
  failure?: { kind: string; message: string };
  durationMs: number;
  operation?: string;
  requestId?: string;
}

export interface Check {
  id: string;
  operation: string;
  requirements: readonly string[];
  level: 'must' | 'should';
  outcome: string;
  reason: string;
  durationMs: number;
  required?: readonly { text: string; sections: readonly string[]; pointers: readonly string[] }[];
  evidence?: {
    expected: string;
    actual: string;
    exchanges: readonly Exchange[];
    curl?: string;
    smallest?: string;
    sentBy?: readonly string[];
  };
  setting?: string;
  obstacle?: string;
  because?: string;
  expectedFailure?: string;
  noLongerExpected?: string;
}

/** What `conformance --json` writes. */
export interface ConformanceReport {
  verdict: 'conformant' | 'non-conformant' | 'inconclusive';
  checks: readonly Check[];
  run: {
    tool: string;
    contractVersion: string;
    baseUrl: string;
    startedAt: string;
    durationMs: number;
    requests: number;
    targetName?: string;
    suiteError?: string;
  };
  /** Other versions, and whoever writes the report without the suite's printer, have none. */
  words?: ReportWords;
}

export interface Dependency {
  openPoints: readonly {
    openPoint: string;
    reliesOn: string | number;
    redWith: string | number;
    open: string;
    legal: string;
    question: string;
  }[];
  redRuns: number;
  ending: string;
  output: string;
  again: string;
  mock: string;
}

interface Runs {
  runs: number;
  red: number;
}

/** What `vary --json` writes. */
export interface VaryReport {
  tool: string;
  startedAt: string;
  durationMs: number;
  command: readonly string[];
  runs: number;
  settings: { impact: string; randomSeed: number };
  base: Runs & { choices: Choices; outcome: string; requests: number; output: string };
  dependencies: readonly Dependency[];
  openPoints: readonly {
    id: string;
    outcome: string;
    greenWith: readonly (string | number)[];
    notVariedBecause?: string;
  }[];
  coverage: Readonly<Record<'choices' | 'pairs', { tried: number; all: number }>>;
  variants: readonly (Runs & { name: string; choices: Choices; remaining: Choices; outcome: string; again?: string })[];
  flakiness?: Runs & { ending: string; output: string; variants: readonly (Runs & { purpose: string })[] };
  endedBy: string;
}
