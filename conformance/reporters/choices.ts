import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { Choice } from '../../openapi/points/open-point.ts';
import type { Report } from '../report.ts';

/** The choice of a target at one open point, in words. */
export interface ObservedChoice {
  openPoint: string;
  /** What exactly is unspecified. */
  open: string;
  choice: Choice;
  /** What the choice means. */
  means: string;
  /** Whether a client may notice. */
  isVisible: boolean;
  /** An example, if the choice is not one of the listed ones. */
  sample?: string;
}

/** The observed choices, in the order of the register. */
export function observedChoices({ observed, samples }: Report): ObservedChoice[] {
  const points = new Map(loadOpenPoints().map((point) => [point.id, point]));
  const rank = (id: string) => [...points.keys()].indexOf(id);
  const choices = Object.entries(observed).map(([openPoint, choice]) => {
    const point = points.get(openPoint);
    const listed = point?.choices.find(({ value }) => value === choice);
    const sample = Object.hasOwn(samples, openPoint) ? samples[openPoint] : undefined;
    return {
      openPoint,
      open: point?.open ?? 'This version of the contract has no such open point.',
      choice,
      means:
        listed?.means ?? (choice === 'other' ? 'none of the listed choices' : 'a legal value besides the listed ones'),
      isVisible: point?.impact !== 'hidden',
      ...(sample === undefined ? {} : { sample }),
    };
  });
  return choices.sort((a, b) => rank(a.openPoint) - rank(b.openPoint));
}

/** The open points that the run did not observe. */
export function unobserved(report: Report): string[] {
  return loadOpenPoints()
    .map(({ id }) => id)
    .filter((id) => !Object.hasOwn(report.observed, id));
}
