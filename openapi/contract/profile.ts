import { didYouMean } from '../../lib/nearest.ts';
import { type Choice, type ChoiceRules, describeChoices, isLegalChoice, type OpenPoint } from '../points/open-point.ts';
import type { Profile } from './profile.gen.ts';

export type { Profile } from './profile.gen.ts';
export type OpenPointId = keyof Profile;

/** An illegal entry of a profile; the message lists the legal choices. */
interface ProfileViolation {
  openPoint: string;
  message: string;
}

export function defaultProfile(openPoints: readonly OpenPoint[]): Profile {
  return Object.fromEntries(openPoints.map((point) => [point.id, point.default])) as unknown as Profile;
}

/** The defaults, overridden by the choices. Call {@link validateChoices} first. */
export function toProfile(openPoints: readonly OpenPoint[], choices: Partial<Profile>): Profile {
  return { ...defaultProfile(openPoints), ...choices };
}

/** The cases of the same point, of which one may have the choice of another. */
type Sibling<Id> = Id extends `${infer Point}.${string}`
  ? { [Other in OpenPointId]: Other extends `${Point}.${infer Case}` ? Case : never }[OpenPointId]
  : never;

/** A choice that does not refer to another case. */
export type Chosen<Id extends OpenPointId> = Exclude<Profile[Id], Sibling<Id>>;

/** The open points that decide an open point: itself and, if its choice names another case of it, that one too. */
export function decidingPoints(profile: Readonly<Profile>, id: OpenPointId): OpenPointId[] {
  const [point, isCase] = id.split('.', 2);
  const other = `${point}.${profile[id]}` as OpenPointId;
  return isCase !== undefined && Object.hasOwn(profile, other) ? [id, ...decidingPoints(profile, other)] : [id];
}

/** The choice at an open point. If it names another case, the choice there. */
export function chosen<Id extends OpenPointId>(profile: Readonly<Profile>, id: Id): Chosen<Id> {
  return profile[decidingPoints(profile, id).at(-1) as OpenPointId] as Chosen<Id>;
}

/** The profile with the resolved choice of each open point, so that none refers to another one. */
export function withoutReferences(profile: Readonly<Profile>): Profile {
  const ids = Object.keys(profile) as OpenPointId[];
  return Object.fromEntries(ids.map((id) => [id, chosen(profile, id)])) as unknown as Profile;
}

/**
 * Choices with one entry for each case: `errorStatus: 400` is the choice of all its cases, and
 * `errorStatus: { default: 400, notFound: 404 }` names some of them. What is not an object is returned as it is.
 */
export function byCase(openPoints: readonly Pick<ChoiceRules, 'id'>[], value: unknown): unknown {
  if (!isRecord(value)) return value;
  const ids = openPoints.map(({ id }) => id);
  const casesOf = (name: string) => ids.filter((id) => id.startsWith(`${name}.`));
  const entries = Object.entries(value).map(([name, choice]) => ({ name, choice, cases: casesOf(name) }));
  const whole = entries.filter(({ cases }) => cases.length > 0).flatMap(expand);
  const single = entries
    .filter(({ cases }) => cases.length === 0)
    .map(({ name, choice }) => [name, withNested(value, name, choice)] as const);
  return Object.fromEntries([...whole, ...single]);
}

/** The choice; with another for the same case from inside its point, both, which is never legal. */
function withNested(value: Record<string, unknown>, name: string, choice: unknown): unknown {
  const [point = '', key = ''] = name.split('.', 2);
  const nested = value[point];
  return isRecord(nested) && Object.hasOwn(nested, key) ? [nested[key], choice] : choice;
}

type WholePoint = { name: string; choice: unknown; cases: readonly string[] };

function expand({ name, choice, cases }: WholePoint): [string, unknown][] {
  if (!isRecord(choice)) return cases.map((id) => [id, choice]);
  const { default: common, ...own } = choice;
  const rest: [string, unknown][] = common === undefined ? [] : cases.map((id) => [id, common]);
  return [...rest, ...Object.entries(own).map(([key, one]): [string, unknown] => [`${name}.${key}`, one])];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries with an unknown open point or an illegal choice. */
export function validateChoices(openPoints: readonly ChoiceRules[], value: unknown): ProfileViolation[] {
  if (!isRecord(value)) {
    return [{ openPoint: '', message: 'a profile is an object that maps open points to choices' }];
  }
  return Object.entries(value).flatMap(([id, choice]) => validateChoice(openPoints, id, choice));
}

/** The same for one entry. */
export function validateChoice(openPoints: readonly ChoiceRules[], id: string, choice: unknown): ProfileViolation[] {
  const point = openPoints.find((candidate) => candidate.id === id);
  if (point === undefined) return [{ openPoint: id, message: unknownOpenPoint(openPoints, id) }];
  if (isLegalChoice(point, choice)) return [];
  const isTwice = Array.isArray(choice) && choice.length === 2;
  const message = isTwice
    ? `${choice.join(' and ')} are both given for ${id}; leave one of them out`
    : `${JSON.stringify(choice)} is not a choice of ${id}; legal: ${describeChoices(point)}`;
  return [{ openPoint: id, message }];
}

function unknownOpenPoint(openPoints: readonly ChoiceRules[], id: string): string {
  const known = openPoints.flatMap((point) => [point.id, point.id.split('.', 1).join()]);
  const whole = known.find((one) => one.toLowerCase().endsWith(`.${id.toLowerCase()}`));
  if (whole !== undefined) return `there is no open point "${id}" (did you mean ${whole}?)`;
  return `there is no open point "${id}"${didYouMean(id, known, 'docs/open-points.md lists them')}`;
}

/** Parses a choice from the command line. It becomes a number if the open point, or its first case, has numbers. */
export function parseChoice(openPoints: readonly OpenPoint[], id: string, text: string): Choice {
  const point = openPoints.find((candidate) => candidate.id === id || candidate.id.startsWith(`${id}.`));
  const listed = point?.choices.find((choice) => String(choice.value) === text);
  if (listed !== undefined) return listed.value;
  return point?.range?.type === 'integer' && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

export function differingChoices(base: Readonly<Profile>, profile: Readonly<Profile>): Record<string, Choice> {
  const entries = Object.entries(profile) as [OpenPointId, Choice][];
  return Object.fromEntries(entries.filter(([id, choice]) => base[id] !== choice));
}
