import { nearest } from './nearest.ts';
import { type Choice, describeChoices, isLegalChoice, type OpenPoint } from './open-points.ts';
import type { Profile } from './profile.gen.ts';

export type { Profile } from './profile.gen.ts';
/** The name of an open point. */
export type OpenPointId = keyof Profile;

/** What is wrong with one entry of a profile, and what would be right. */
export interface ProfileViolation {
  openPoint: string;
  message: string;
}

/** The profile in which every open point has its default. */
export function defaultProfile(openPoints: readonly OpenPoint[]): Profile {
  return Object.fromEntries(openPoints.map((point) => [point.id, point.default])) as unknown as Profile;
}

/** The choices laid over the defaults. Call {@link validateChoices} first. */
export function toProfile(openPoints: readonly OpenPoint[], choices: Partial<Profile>): Profile {
  return { ...defaultProfile(openPoints), ...choices };
}

/** Every entry of `value` that is not a legal choice of an open point that exists. */
export function validateChoices(openPoints: readonly OpenPoint[], value: unknown): ProfileViolation[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ openPoint: '', message: 'a profile is an object from open points to choices' }];
  }
  return Object.entries(value).flatMap(([id, choice]) => validateChoice(openPoints, id, choice));
}

/** What is wrong with the choice of one open point; empty when nothing is. */
export function validateChoice(openPoints: readonly OpenPoint[], id: string, choice: unknown): ProfileViolation[] {
  const point = openPoints.find((candidate) => candidate.id === id);
  if (point === undefined) return [{ openPoint: id, message: unknownOpenPoint(openPoints, id) }];
  if (isLegalChoice(point, choice)) return [];
  const message = `${JSON.stringify(choice)} is not a choice of ${id}; legal: ${describeChoices(point)}`;
  return [{ openPoint: id, message }];
}

function unknownOpenPoint(openPoints: readonly OpenPoint[], id: string): string {
  const suggestion = nearest(
    id,
    openPoints.map((point) => point.id),
  );
  const hint = suggestion === undefined ? 'see open-points.yaml for all of them' : `did you mean ${suggestion}?`;
  return `there is no open point "${id}"; ${hint}`;
}

/** A choice written as text, as on a command line: the number where the open point knows it as one. */
export function parseChoice(openPoints: readonly OpenPoint[], id: string, text: string): Choice {
  const point = openPoints.find((candidate) => candidate.id === id);
  const listed = point?.choices.find((choice) => String(choice.value) === text);
  if (listed !== undefined) return listed.value;
  return point?.range?.type === 'integer' && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
