import { isMixed, isSeenGreen, type Standing } from './ledger.ts';

/** How often the tests have to be red in one world before that is believed. */
export interface Care {
  /** Before a cause is looked for. */
  atFirst: number;
  /** In each step of the search. A step that went wrong costs time: what it leads to is not confirmed. */
  perStep: number;
  /** Before a cause is named; in runs of their own. */
  toConfirm: number;
}

// What chance may get away with: a step in twenty, a cause in ten million.
const stepRisk = 0.05;
const causeRisk = 1e-7;
const mostRuns = 40;

/**
 * One green run proves that nothing turns the tests red each time. Red runs prove little: a test that fails for no reason
 * in a share `q` of the runs is red `n` times in a row with the chance `q ** n`. So `n` follows from the share that was
 * seen where there is no cause, rather too high than too low; as long as nothing flaky was seen `repeat` can lower it, and
 * a step is one run.
 */
export function careFor(standings: readonly Standing[], repeat: number | undefined): Care {
  const share = shareOf(standings.filter(isSeenGreen));
  const toConfirm = timesUntil(share, causeRisk);
  if (!standings.some(isMixed))
    return { atFirst: Math.min(3, repeat ?? 3), perStep: 1, toConfirm: repeat ?? toConfirm };
  const perStep = timesUntil(share, stepRisk);
  return { atFirst: perStep, perStep, toConfirm: Math.max(repeat ?? 0, toConfirm) };
}

// Two runs of each colour more than there were: few runs that were all green are no proof of a steady command.
function shareOf(standings: readonly Standing[]): number {
  const { runs, red } = sumOf(standings);
  return (red + 2) / (runs + 4);
}

/** All runs of several worlds. */
export function sumOf(standings: readonly Standing[]): { runs: number; red: number } {
  return standings.reduce((sum, { runs, red }) => ({ runs: sum.runs + runs, red: sum.red + red }), { runs: 0, red: 0 });
}

function timesUntil(share: number, risk: number): number {
  return Math.min(mostRuns, Math.ceil(Math.log(risk) / Math.log(share)));
}
