import { loadOpenPoints } from '../../openapi/contract/load.ts';
import type { Choice, OpenPoint } from '../../openapi/contract/open-points.ts';
import type { Report } from '../report.ts';

/** The choice of a target at one open point, in words. */
export interface ObservedChoice {
  openPoint: string;
  /** What exactly is open. */
  open: string;
  choice: Choice;
  /** What the choice means. */
  means: string;
  /** Whether a client may notice. */
  isLoud: boolean;
  /** An example, if the choice is not one of the listed ones. */
  sample?: string;
}

/** The observed choices, in the order of the register. */
export function observedChoices(report: Report): ObservedChoice[] {
  const points = new Map(loadOpenPoints().map((point) => [point.id, point]));
  const rank = (id: string) => [...points.keys()].indexOf(id);
  return Object.entries(report.observed)
    .map(([id, choice]) => toObserved(id, choice, points.get(id), sampleOf(report, id)))
    .sort((a, b) => rank(a.openPoint) - rank(b.openPoint));
}

function toObserved(
  id: string,
  choice: Choice,
  point: OpenPoint | undefined,
  sample: string | undefined,
): ObservedChoice {
  const open = point?.open ?? 'This version of the contract has no such open point.';
  const observed = {
    openPoint: id,
    open,
    choice,
    means: meaningOf(point, choice),
    isLoud: point?.loudness !== 'quiet',
  };
  return sample === undefined ? observed : { ...observed, sample };
}

function sampleOf(report: Report, id: string): string | undefined {
  return Object.hasOwn(report.samples, id) ? report.samples[id] : undefined;
}

function meaningOf(point: OpenPoint | undefined, choice: Choice): string {
  const listed = point?.choices.find(({ value }) => value === choice);
  if (listed !== undefined) return listed.means;
  return choice === 'other' ? 'none of the listed choices' : 'a legal value besides the listed ones';
}

/** The open points that the run did not observe. */
export function unobserved(report: Report): string[] {
  return loadOpenPoints()
    .map(({ id }) => id)
    .filter((id) => !Object.hasOwn(report.observed, id));
}
