import type { Operation } from '../../../openapi/contract/operations.ts';
import type { Choice, ChoiceRange } from '../../../openapi/points/open-point.ts';
import { describeChoices, isLegalChoice } from '../../../openapi/points/open-point.ts';
import type { ShownOpenPoint } from '../../workbench/admin-api/shown-open-point.ts';

/** Choices by open point: a profile, or a part of one. */
export type Choices = Readonly<Record<string, Choice>>;

/** Which open points are listed. */
export interface PointFilter {
  /** All words must occur in what is known about the point. */
  find: string;
  impact: string;
  isChangedOnly: boolean;
}

/** Whether a filter lists an open point. */
export function isListed(point: ShownOpenPoint, { find, impact, isChangedOnly }: PointFilter): boolean {
  if (isChangedOnly && point.isDefault) return false;
  if ((impact === 'hidden' || impact === 'visible') && point.impact !== impact) return false;
  const whole = wordsOf(point);
  return find
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

function wordsOf(point: ShownOpenPoint): string {
  const { id, question, open, operations, now, choices } = point;
  const ofChoices = choices.flatMap(({ value, means }) => [value, means]);
  return [id, question, open, ...operations, now, ...ofChoices, ...sectionsOf(point)].join(' ').toLowerCase();
}

/** What is known about every open point, even without a mock. */
type PointFacts = Pick<ShownOpenPoint, 'operations'>;

/** Open points about the same things. */
export interface PointGroup<Point = ShownOpenPoint> {
  name: string;
  points: readonly Point[];
}

const everywhere = 'Everywhere';
const several = 'Several kinds of resources';

/** The open points by the tag of their operations, in the order of the contract. */
export function groupsOf<Point extends PointFacts>(
  points: readonly Point[],
  operations: readonly Operation[],
): PointGroup<Point>[] {
  const tags = new Map(operations.map(({ operationId, definition }) => [operationId, definition.tags?.[0] ?? several]));
  const groups = Map.groupBy(points, (point) => groupOf(point, tags));
  return [...new Set([everywhere, ...tags.values(), several])].flatMap((name) => {
    const grouped = groups.get(name);
    return grouped === undefined ? [] : [{ name, points: grouped }];
  });
}

function groupOf({ operations }: PointFacts, tags: ReadonlyMap<string, string>): string {
  if (operations.length > tags.size / 2) return everywhere;
  const [tag = several, ...others] = new Set(operations.map((id) => tags.get(id) ?? several));
  return others.length === 0 ? tag : several;
}

/** `Section 4.4` of `4.4/gap:1`, `Section 2 (drive file)` of `2.driveFile/row:size`; each once. */
export function sectionsOf({ sources }: Pick<ShownOpenPoint, 'sources'>): string[] {
  const titles = sources.map((source) => {
    const [, number = '', object] = /^([\d.]*\d)(?:\.([a-z]\w*))?\//i.exec(source) ?? [];
    if (number === '0') return 'Introduction';
    const words = object?.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('mcp', 'MCP');
    return `Section ${number}${words === undefined ? '' : ` (${words})`}`;
  });
  return [...new Set(titles)];
}

/** The question; what is open if there is no question, or one for several cases. */
export function titleOf({ id, question, open }: Pick<ShownOpenPoint, 'id' | 'question' | 'open'>): string {
  return question.startsWith('No question') || id.includes('.') ? open.replace(/(?<=\.)\s.*$/s, '') : question;
}

/** Follows choices that name other cases of the same open point to the final choice. */
export function resolved(id: string, choice: Choice, points: readonly Pick<ShownOpenPoint, 'id' | 'now'>[]): Choice {
  const other = id.replace(/\..*/, `.${choice}`);
  const followed = other === id ? undefined : points.find((point) => point.id === other);
  return followed === undefined ? choice : resolved(other, followed.now, points);
}

/** Why a choice cannot be used; undefined if it can, as far as the mock says. */
export function refusalOf({ id, choices }: Pick<ShownOpenPoint, 'id' | 'choices'>, value: Choice): string | undefined {
  const refused = choices.find((choice) => choice.value === value)?.refused;
  return refused && `${id}: ${value} ${refused}.`;
}

/** Why an open point cannot be changed at all; undefined if it can. */
export function whyFixed({ id, now, choices, range }: ShownOpenPoint): string | undefined {
  const others = choices.filter(({ value }) => value !== now);
  const [reason, ...more] = new Set(others.map(({ refused }) => refused));
  return range === undefined && more.length === 0 && reason !== undefined ? `${id} ${reason}.` : undefined;
}

/** The typed choice, or why it is not one. */
export function readChoice(
  { range, choices }: Pick<ShownOpenPoint, 'id' | 'range' | 'choices'>,
  text: string,
): { value: Choice } | { error: string } {
  const value = range?.type === 'integer' && /^\s*-?\d{1,15}\s*$/.test(text) ? Number(text) : text;
  if (range !== undefined && isLegalChoice({ id: '', range, choices }, value)) return { value };
  return {
    error: `${JSON.stringify(text)} is not a choice. Legal: ${range === undefined ? describeChoices({ choices }) : rangeWords(range)}.`,
  };
}

/** A range in words. */
export function rangeWords(range: ChoiceRange): string {
  const words = wordsIn(range);
  if (words !== undefined) return `“${words.first}”, then any of ${words.rest.join(', ')}, in this order`;
  if (range.type === 'integer') {
    const { minimum, maximum, except } = range;
    return `${minimum} to ${maximum}${except === undefined ? '' : ` except ${except.join(', ')}`}`;
  }
  const [, least, most] = /^\^\\P\{C\}\{(\d+),(\d+)\}\$$/.exec(range.pattern) ?? [];
  return most === undefined ? describeChoices({ choices: [], range }) : `${least} to ${most} visible characters`;
}

/** The words of a range of the form: one word, then any of some words in order. Undefined for other ranges. */
export function wordsIn(range: ChoiceRange): { first: string; rest: readonly string[] } | undefined {
  if (range.type !== 'string') return undefined;
  const [, first, optional] = /^\^(\w+)\(\?= \)((?:\( \w+\)\?)+)\$$/.exec(range.pattern) ?? [];
  if (first === undefined || optional === undefined) return undefined;
  return { first, rest: [...optional.matchAll(/\w+/g)].map(([word]) => word) };
}
