import { type Choice, type ChoiceRange, describeChoices, type OpenPoint } from '../../../openapi/points/open-point.ts';
import type { ShownOpenPoint } from '../../app/admin-api/shown-open-point.ts';
import { matches } from '../shared/words.ts';

/** Choices by open point: a profile, or a part of one. */
export type Choices = Readonly<Record<string, Choice>>;

/** An open point with what a wrong guess costs, from 3, the worst, to 1. */
export type Point = ShownOpenPoint & Pick<OpenPoint, 'severity'>;

/** Which open points are listed: all whose words match, and of these `changed`, `hidden` or `visible` ones. */
export function isListed(point: Point, { find = '', only = '' }: { find?: string; only?: string }): boolean {
  if (only === 'changed' ? point.isDefault : only !== '' && point.impact !== only) return false;
  const { id, question, open, cost, operations, now, choices } = point;
  const ofChoices = choices.flatMap(({ value, means }) => [value, means]);
  return matches([id, question, open, cost, ...operations, now, ...ofChoices, ...sectionsOf(point)].join(' '), find);
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

/** What is typed as a choice. Whether it is one, the mock says. */
export function typedChoice(range: ChoiceRange, text: string): Choice {
  return range.type === 'integer' && /^\s*-?\d{1,15}\s*$/.test(text) ? Number(text) : text;
}

export function rangeWords(range: ChoiceRange): string {
  if (range.type === 'integer') {
    const { minimum, maximum, except } = range;
    return `${minimum} to ${maximum}${except === undefined ? '' : ` except ${except.join(', ')}`}`;
  }
  // One word, then any of some words in order.
  const [, first, optional] = /^\^(\w+)\(\?= \)((?:\( \w+\)\?)+)\$$/.exec(range.pattern) ?? [];
  if (optional !== undefined) return `“${first}”, then any of ${optional.match(/\w+/g)?.join(', ')}, in this order`;
  const [, least, most] = /^\^\\P\{C\}\{(\d+),(\d+)\}\$$/.exec(range.pattern) ?? [];
  return most === undefined ? describeChoices({ choices: [], range }) : `${least} to ${most} visible characters`;
}
