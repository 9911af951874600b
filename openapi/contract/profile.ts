import { didYouMean } from '../../lib/nearest.ts';
import { shownValue } from '../../lib/sentence.ts';
import { type Choice, type ChoiceRules, describeChoices, isLegalChoice, type OpenPoint } from '../points/open-point.ts';
import type { Profile } from './profile.gen.ts';

export type { Profile } from './profile.gen.ts';
/** The name of an open point. */
export type OpenPointId = keyof Profile;

/** An illegal choice; the message lists the legal ones. */
interface ChoiceViolation {
  openPoint: string;
  message: string;
}

/** The same in a profile, and where it is written there. */
export interface ProfileViolation extends ChoiceViolation {
  location: string[];
}

/** The profile with the default of every open point. */
export function defaultProfile(openPoints: readonly OpenPoint[]): Profile {
  return Object.fromEntries(openPoints.map((point) => [point.id, point.default])) as unknown as Profile;
}

/** The defaults, overridden by the choices. Call {@link validateChoices} first. */
export function toProfile(openPoints: readonly OpenPoint[], choices: Partial<Profile>): Profile {
  return { ...defaultProfile(openPoints), ...choices };
}

/** An open point with cases: its name before the dot. */
type PointOf<Id> = Id extends `${infer Point}.${string}` ? Point : never;

/** A choice for each case of an open point, or for those that are not named. */
type CaseChoices<Point extends string> = {
  [Id in OpenPointId as Id extends `${Point}.${infer Case}` ? Case : never]?: Profile[Id] | undefined;
} & { default?: Profile[Extract<OpenPointId, `${Point}.${string}`>] | undefined };

/** Choices as they may be written: for single cases, and for a whole point at once. */
export type Choices = { [Id in OpenPointId]?: Profile[Id] | undefined } & {
  [Point in PointOf<OpenPointId>]?:
    | Profile[Extract<OpenPointId, `${Point}.${string}`>]
    | CaseChoices<Point>
    | undefined;
};

/** The cases of the same point, of which one may have the choice of another. */
type Sibling<Id> = Id extends `${infer Point}.${string}`
  ? { [Other in OpenPointId]: Other extends `${Point}.${infer Case}` ? Case : never }[OpenPointId]
  : never;

/** A choice that does not refer to another case. */
export type Chosen<Id extends OpenPointId> = Exclude<Profile[Id], Sibling<Id>>;

/** The open points that decide an open point: itself and, if its choice names another case of it, that one too. */
export function decidingPoints(profile: Readonly<Profile>, id: OpenPointId): OpenPointId[] {
  const [point, isCase] = id.split('.', 2);
  const other = `${point}.${profile[id]}`;
  return isCase !== undefined && isOpenPoint(profile, other) ? [id, ...decidingPoints(profile, other)] : [id];
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

function isOpenPoint(profile: Readonly<Profile>, id: string): id is OpenPointId {
  return Object.hasOwn(profile, id);
}

/** One choice as it is written: for an open point without cases, for all cases of a point, or for one of them. */
interface Entry {
  id: string;
  choice: unknown;
  /** Where it is written. */
  location: string[];
}

/**
 * Choices with one entry for each case: `errorStatus: 400` is the choice of all its cases, and
 * `errorStatus: { default: 400, notFound: 404 }` names some of them. What is not an object is returned as it is.
 */
export function byCase(openPoints: readonly Pick<ChoiceRules, 'id'>[], value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(entriesOf(openPoints, value).map(({ id, choice }) => [id, choice]));
}

/** What is written for whole points comes first, so that a case of its own replaces it. */
function entriesOf(openPoints: readonly Pick<ChoiceRules, 'id'>[], value: Record<string, unknown>): Entry[] {
  const written = Object.entries(value).map(([id, choice]) => ({ id, choice, cases: casesOf(openPoints, id) }));
  const whole = written.filter(({ cases }) => cases.length > 0);
  const single = written.filter(({ cases }) => cases.length === 0);
  const entries = [...whole.flatMap(expand), ...single.map(({ id, choice }) => ({ id, choice, location: [id] }))];
  // As for every option, undefined means that it is not given.
  return entries.filter(({ id, choice }) => choice !== undefined || openPoints.every((point) => point.id !== id));
}

function casesOf(openPoints: readonly Pick<ChoiceRules, 'id'>[], name: string): string[] {
  return openPoints.map(({ id }) => id).filter((id) => id.startsWith(`${name}.`));
}

function expand({ id: point, choice, cases }: { id: string; choice: unknown; cases: readonly string[] }): Entry[] {
  if (!isRecord(choice)) return cases.map((id) => ({ id, choice, location: [point] }));
  const { default: common, ...own } = choice;
  const rest = common === undefined ? [] : cases.map((id) => ({ id, choice: common, location: [point, 'default'] }));
  return [
    ...rest,
    ...Object.entries(own).map(([key, one]) => ({ id: `${point}.${key}`, choice: one, location: [point, key] })),
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Choices without the `$schema` that names their schema to editors. */
export function withoutSchema(value: unknown): unknown {
  if (!isRecord(value) || typeof value.$schema !== 'string') return value;
  const { $schema, ...choices } = value;
  return choices;
}

/** The entries with an unknown open point or an illegal choice. */
export function validateChoices(openPoints: readonly ChoiceRules[], value: unknown): ProfileViolation[] {
  if (!isRecord(value))
    return [{ openPoint: '', location: [], message: 'a profile is an object that maps open points to choices' }];
  const byId = Map.groupBy(entriesOf(openPoints, value), ({ id }) => id);
  return [...byId].flatMap(([id, entries]) => {
    const ofCase = entries.filter(({ location }) => location.at(-1) === id || isOfOneCase(location));
    const [{ choice, location } = { choice: undefined, location: [id] }] = entries.slice(-1);
    if (ofCase.length < 2)
      return validateChoice(openPoints, id, choice).map((violation) => ({ ...violation, location }));
    const both = ofCase.map((entry) => shownValue(entry.choice)).join(' and ');
    return [{ openPoint: id, location, message: `${both} are both given for ${id}; leave one of them out` }];
  });
}

const isOfOneCase = ([, key]: readonly string[]) => key !== undefined && key !== 'default';

/** The same for one entry. */
export function validateChoice(openPoints: readonly ChoiceRules[], id: string, choice: unknown): ChoiceViolation[] {
  const point = openPoints.find((candidate) => candidate.id === id);
  if (point === undefined) return [{ openPoint: id, message: unknownOpenPoint(openPoints, id) }];
  if (isLegalChoice(point, choice)) return [];
  const message = `${shownValue(choice)} is not a choice of ${id}; legal: ${describeChoices(point)}`;
  return [{ openPoint: id, message }];
}

function unknownOpenPoint(openPoints: readonly ChoiceRules[], id: string): string {
  const known = openPoints.flatMap((point) => [point.id, point.id.split('.', 1).join()]).filter((one) => one !== id);
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

/** The choices of a profile that differ from those of another. */
export function differingChoices(base: Readonly<Profile>, profile: Readonly<Profile>): Record<string, Choice> {
  const entries = Object.entries(profile) as [OpenPointId, Choice][];
  return Object.fromEntries(entries.filter(([id, choice]) => base[id] !== choice));
}
