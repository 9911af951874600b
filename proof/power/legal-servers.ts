import type { Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import {
  type Choice,
  type ChoiceRange,
  isLegalChoice,
  type OpenPoint,
  withoutNeeds,
} from '../../openapi/points/open-point.ts';
import type { ToolsOf } from './asking-front.ts';
import { askHosted } from './mutants/hosted-tools.ts';
import { coveringRows } from './pairwise.ts';

/** A server that keeps all that is stated, with its choices of what is open. */
export interface LegalServer {
  /** Kebab-case, unique. */
  id: string;
  /** What is left out has its default. */
  profile: Partial<Profile>;
  /** Present where the run hosts an MCP server: how the tools of servers that were registered are found out. */
  tools?(): ToolsOf;
}

/**
 * The legal servers that the suite is tried on: every listed choice, every pair of them, ranges, all at once, and asking.
 * Where a profile lets lists or deletions lag, they do so for three more calls of the organization or half a second:
 * less than half of the time that the suite gives them.
 */
export function legalProfiles(): LegalServer[] {
  const points = withoutNeeds(loadOpenPoints());
  return [
    { id: 'defaults', profile: {} },
    ...points.flatMap(oneChoiceEach),
    ...points.flatMap(withinRange),
    ...pairwiseProfiles(points),
    { id: 'last-of-all', profile: everywhere(points, ({ choices }) => choices.at(-1)) },
    { id: 'second-of-all', profile: everywhere(points, ({ choices }) => choices[1]) },
    { id: 'asking-over-streamable-http', profile: { mcpDefaultType: 'streamableHttp' }, tools: () => askHosted },
    { id: 'asking-over-sse', profile: { mcpDefaultType: 'sse' }, tools: () => askHosted },
  ];
}

/** The legal servers that make one listed choice that is not the default; the servers of pairs make each of them too. */
export function singleChoices(): LegalServer[] {
  return withoutNeeds(loadOpenPoints()).flatMap(oneChoiceEach);
}

/** Profiles in which every two listed choices of two open points occur together. */
export function pairwiseProfiles(points: readonly OpenPoint[]): LegalServer[] {
  return coveringRows(points).map((row, index) => ({
    id: `pairwise-${index + 1}`,
    profile: everywhere(points, ({ choices }, place) => choices[row[place] ?? 0]),
  }));
}

function oneChoiceEach(point: OpenPoint): LegalServer[] {
  const others = point.choices.filter(({ value }) => value !== point.default);
  return others.map(({ value }) => only(point, value));
}

function withinRange(point: OpenPoint): LegalServer[] {
  return point.range === undefined ? [] : [only(point, unlisted(point, point.range))];
}

const unlistedTexts: Readonly<Record<string, string>> = {
  treePathParameter: 'q.tree-path_1',
  optionalFields: 'without hasChanges modifiedAt',
};

/** The least legal number that is not listed; for texts, an unusual one. */
export function unlisted(point: OpenPoint, range: ChoiceRange): Choice {
  if (range.type === 'string') return unlistedTexts[point.id] ?? point.default;
  const isListed = (value: number) => point.choices.some((choice) => choice.value === value);
  let value = range.minimum;
  while (isListed(value) || !isLegalChoice(point, value)) value += 1;
  return value;
}

function only({ id }: OpenPoint, value: Choice): LegalServer {
  return {
    id: `${id}-${value}`
      .replaceAll(/([a-z])(?=[A-Z])/g, '$1-')
      .replaceAll(/[^A-Za-z0-9]+/g, '-')
      .toLowerCase(),
    profile: { [id]: value },
  };
}

function everywhere(
  points: readonly OpenPoint[],
  choose: (point: OpenPoint, place: number) => { value: Choice } | undefined,
): Partial<Profile> {
  return Object.fromEntries(points.map((point, place) => [point.id, choose(point, place)?.value ?? point.default]));
}
