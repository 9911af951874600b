import type { OperationId } from '../contract/operations.ts';

/** The choice of a profile at one open point. */
export type Choice = string | number;

/**
 * What a choice needs besides being made. `liveMcp`: a permission of the mock, to contact MCP servers. `declaration`: a
 * server with a choice other than the default must declare it, since the choice is dangerous.
 */
export type Permission = 'liveMcp' | 'declaration';

/** A legal choice and its meaning in words. */
export interface ListedChoice {
  value: Choice;
  means: string;
  /** The permission that a mock needs to use it. */
  needs?: Permission;
  /** The requirement, a should, that it breaks: the suite warns of it but does not fail a server for it. */
  warned?: string;
}

/**
 * The bounds of legal values beyond the listed ones; `means` says in words what the pattern allows. `except`: the values within them that are illegal. `likely`: those
 * that a real service might choose. Random profiles take no others: with pages that start at the hundredth drive, or
 * bodies limited to four kilobytes, tests would fail although they rely on no guess.
 */
export type ChoiceRange =
  | { type: 'integer'; minimum: number; maximum: number; except?: number[]; likely?: number[] }
  | { type: 'string'; pattern: string; means: string; likely?: string[] };

/** Success codes that are seldom used. 299 is an unknown code, which a client treats as 200 (RFC 9110, section 15). */
export const likelySuccesses = [203, 207, 208, 226, 299];

/** Client errors that are seldom used. A client treats 499 as 400. */
export const likelyRefusals = [403, 404, 406, 409, 410, 412, 418, 422, 423, 451, 499];

/** The legal choices of a point that are not listed, but that a real service might make. */
export function unlistedChoices({ choices, range }: Pick<OpenPoint, 'choices' | 'range'>): Choice[] {
  const isListed = (value: Choice) => choices.some((choice) => choice.value === value);
  return (range?.likely ?? []).filter((value) => !isListed(value) && isWithin(range, value));
}

/** What a wrong guess at an open point does to a client, from 3, the worst, to 1. */
export const severities = {
  1: 'is a nuisance',
  2: 'makes the client show something wrong or repeat a request',
  3: 'breaks the client',
} as const;

export type Severity = keyof typeof severities;

/** A gap in the specification: one decision that it leaves open. */
export interface OpenPoint {
  /** The point and, after a dot, the case. */
  id: string;
  /** Where the specification leaves it open, for example `4.4/gap:1`. */
  sources: string[];
  operations: OperationId[];
  impact: 'hidden' | 'visible';
  open: string;
  choices: ListedChoice[];
  range?: ChoiceRange;
  default: Choice;
  /** How bad a wrong guess is for a client. */
  severity: Severity;
  /** What a wrong guess costs a client, in words. */
  cost: string;
  seen: 'wire' | 'state';
  /** The permission without which no choice has an effect. */
  needs?: Permission;
  question: string;
}

/** The open points and the choices that need no permission. */
export function withoutNeeds(points: readonly OpenPoint[]): OpenPoint[] {
  return points
    .filter(({ needs }) => needs === undefined)
    .map((point) => ({ ...point, choices: point.choices.filter(({ needs }) => needs === undefined) }));
}

/** What decides which choices of an open point are legal. */
export type ChoiceRules = Pick<OpenPoint, 'id' | 'choices' | 'range'>;

/** Whether `value` is a legal choice of the open point. */
export function isLegalChoice(point: Pick<ChoiceRules, 'choices' | 'range'>, value: unknown): value is Choice {
  return point.choices.some((choice) => choice.value === value) || isWithin(point.range, value);
}

function isWithin(range: ChoiceRange | undefined, value: unknown): boolean {
  if (range === undefined) return false;
  if (range.type === 'string') return typeof value === 'string' && new RegExp(range.pattern, 'u').test(value);
  if (!Number.isInteger(value) || range.except?.includes(Number(value))) return false;
  return Number(value) >= range.minimum && Number(value) <= range.maximum;
}

/** The legal choices of an open point as text, for help and error messages. */
export function describeChoices(point: Pick<ChoiceRules, 'choices' | 'range'>): string {
  return [...point.choices.map((choice) => String(choice.value)), ...describeRange(point.range)].join(', ');
}

function describeRange(range: ChoiceRange | undefined): string[] {
  if (range === undefined) return [];
  if (range.type === 'string') return [range.means];
  const except = range.except === undefined ? '' : ` except ${range.except.join(', ')}`;
  return [`any integer from ${range.minimum} to ${range.maximum}${except}`];
}
