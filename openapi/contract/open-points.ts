import type { OperationId } from './operations.ts';

/** What a profile says about one open point. */
export type Choice = string | number;

/** What a mock does only when it is permitted: `liveMcp` is to contact MCP servers. */
export type Permission = 'liveMcp';

/** One legal choice and what it means, for people. */
export interface ListedChoice {
  value: Choice;
  means: string;
  /** The permission that a mock needs to play it. */
  needs?: Permission;
}

/** Bounds within which any value but the excepted ones is a legal choice, beside the listed ones. */
export type ChoiceRange =
  | { type: 'integer'; minimum: number; maximum: number; except?: number[] }
  | { type: 'string'; pattern: string };

/** A gap of the specification, as `open-points.yaml` holds it. */
export interface OpenPoint {
  id: string;
  /** Where the specification is silent, for instance `4.4/gap:1`. */
  sources: string[];
  operations: OperationId[];
  loudness: 'quiet' | 'loud';
  open: string;
  choices: ListedChoice[];
  range?: ChoiceRange;
  default: Choice;
  seen: 'wire' | 'state';
  /** The permission without which none of the choices shows. */
  needs?: Permission;
  question: string;
}

/** The open points and the choices that a mock plays without being permitted anything. */
export function withoutNeeds(points: readonly OpenPoint[]): OpenPoint[] {
  return points
    .filter(({ needs }) => needs === undefined)
    .map((point) => ({ ...point, choices: point.choices.filter(({ needs }) => needs === undefined) }));
}

/** Whether `value` is a legal choice of the open point. */
export function isLegalChoice(point: OpenPoint, value: unknown): value is Choice {
  return point.choices.some((choice) => choice.value === value) || isWithin(point.range, value);
}

function isWithin(range: ChoiceRange | undefined, value: unknown): boolean {
  if (range === undefined) return false;
  if (range.type === 'string') return typeof value === 'string' && new RegExp(range.pattern).test(value);
  if (!Number.isInteger(value) || range.except?.includes(Number(value))) return false;
  return Number(value) >= range.minimum && Number(value) <= range.maximum;
}

/** The legal choices of an open point in words, for help and error messages. */
export function describeChoices(point: OpenPoint): string {
  return [...point.choices.map((choice) => String(choice.value)), ...describeRange(point.range)].join(', ');
}

function describeRange(range: ChoiceRange | undefined): string[] {
  if (range === undefined) return [];
  if (range.type === 'string') return [`any name that matches ${range.pattern}`];
  const except = range.except === undefined ? '' : ` but ${range.except.join(', ')}`;
  return [`any integer from ${range.minimum} to ${range.maximum}${except}`];
}
