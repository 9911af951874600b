import { isMixed, isSeenGreen, type Tally } from './ledger.ts';

/** How many failing runs in a row prove something. */
export interface Confidence {
  /** For each step of the search. A wrong step only costs time: its result fails the confirmation. */
  perStep: number;
  /** To confirm a cause, in runs with this cause alone. */
  toConfirm: number;
  /** Whether earlier failing runs count too. */
  areEarlierRunsCounted: boolean;
}

// The accepted risks: one wrong step in twenty; one wrong cause in a million, or with flaky tests in ten million.
const stepRisk = 0.05;
const steadyRisk = 1e-6;
const flakyRisk = 1e-7;
const mostRuns = 40;
/** Up to this percentage of random failures, the risk of a wrong cause holds as long as no flaky run was seen. */
const mostFlaky = 35;

/**
 * One passing run proves that nothing makes the tests fail every time. Failing runs prove little: a test that fails at
 * random in a share `q` of its runs fails `n` times in a row with probability `q ** n`. While no flaky run was seen,
 * each passing run makes a high `q` less likely, `repeat` can lower the number, and one run is enough for a step.
 * Otherwise `q` is estimated, on the high side.
 */
export function confidenceFrom(tallies: readonly Tally[], repeat: number | undefined): Confidence {
  const seen = tallies.filter(isSeenGreen);
  if (!tallies.some(isMixed)) {
    return { perStep: 1, toConfirm: repeat ?? timesWhenSteady(sumOf(seen).runs), areEarlierRunsCounted: true };
  }
  // Adds two failed and two passed runs: a few runs that all passed do not prove steady tests.
  const { runs, red } = sumOf(seen);
  const share = (red + 2) / (runs + 4);
  const toConfirm = Math.max(repeat ?? 0, timesUntil(share, flakyRisk));
  return { perStep: timesUntil(share, stepRisk), toConfirm, areEarlierRunsCounted: false };
}

/** The fewest failing runs that, after this many passing ones, are unlikely for any share of random failures. */
function timesWhenSteady(greenRuns: number): number {
  const shares = Array.from({ length: mostFlaky }, (_, index) => (index + 1) / 100);
  const needed = shares.map((share) => Math.log(steadyRisk / (1 - share) ** greenRuns) / Math.log(share));
  return Math.max(1, Math.ceil(Math.max(...needed)));
}

/** All runs with several profiles. */
export function sumOf(tallies: readonly Tally[]): { runs: number; red: number } {
  return tallies.reduce((sum, { runs, red }) => ({ runs: sum.runs + runs, red: sum.red + red }), { runs: 0, red: 0 });
}

function timesUntil(share: number, risk: number): number {
  return Math.min(mostRuns, Math.ceil(Math.log(risk) / Math.log(share)));
}
