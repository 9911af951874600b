import { isMixed, isSeenGreen, type Tally } from './ledger.ts';

/** How many failing runs in a row prove something. */
export interface Confidence {
  /** That one profile makes the tests fail, so that the search for a cause is worth it. */
  atFirst: number;
  /** In each step of the search. A wrong step only costs time, because its result is not confirmed. */
  perStep: number;
  /** That a cause is real; in separate runs. */
  toConfirm: number;
}

// The accepted risk of chance: one wrong step in twenty, one wrong cause in ten million.
const stepRisk = 0.05;
const causeRisk = 1e-7;
const mostRuns = 40;

/**
 * One passing run proves that nothing makes the tests fail every time. Failing runs prove little: a test that fails at
 * random in a share `q` of its runs fails `n` times in a row with probability `q ** n`. So `n` follows from the share
 * seen where there is no cause; the estimate errs on the high side. While no flaky run was seen, `repeat` can lower
 * it, and one run is enough for a step.
 */
export function confidenceFrom(tallies: readonly Tally[], repeat: number | undefined): Confidence {
  const share = shareOf(tallies.filter(isSeenGreen));
  const toConfirm = timesUntil(share, causeRisk);
  if (!tallies.some(isMixed)) return { atFirst: Math.min(3, repeat ?? 3), perStep: 1, toConfirm: repeat ?? toConfirm };
  const perStep = timesUntil(share, stepRisk);
  return { atFirst: perStep, perStep, toConfirm: Math.max(repeat ?? 0, toConfirm) };
}

// Adds two failed and two passed runs: a few runs that all passed do not prove steady tests.
function shareOf(tallies: readonly Tally[]): number {
  const { runs, red } = sumOf(tallies);
  return (red + 2) / (runs + 4);
}

/** All runs with several profiles. */
export function sumOf(tallies: readonly Tally[]): { runs: number; red: number } {
  return tallies.reduce((sum, { runs, red }) => ({ runs: sum.runs + runs, red: sum.red + red }), { runs: 0, red: 0 });
}

function timesUntil(share: number, risk: number): number {
  return Math.min(mostRuns, Math.ceil(Math.log(risk) / Math.log(share)));
}
