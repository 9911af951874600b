import { randomInt } from 'node:crypto';
import type { Session } from '../session.ts';
import { unknownId } from './fixtures.ts';

const fewestDrawn = 8;

export function isUuid(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
}

export function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}

/** An id that nothing has, in the form of a known one if that form has enough random characters. */
export function unknownLike(session: Session, known: string): string {
  // Of the same version, in the same case.
  if (isUuid(known)) return known.slice(0, -12) + drawnLike(known.slice(-12));
  // A number is far away: other organizations may have the next ones.
  if (isNumber(known)) return `1${drawnLike('0'.repeat(Math.max(9, known.length) - 1))}`;
  const { kind, rest } = partsOf(known);
  if (rest.length < fewestDrawn) return unknownId(session);
  // The start may be a time, or have some other meaning.
  const kept = rest.length < longRest ? '' : rest.slice(0, -fewestDrawn);
  return kind + kept + drawnLike(rest.slice(kept.length));
}

const longRest = 12;

function partsOf(id: string): { kind: string; rest: string } {
  const [, kind = '', rest = ''] = /^(.*[_-])?([0-9A-Za-z]*)$/.exec(id) ?? [];
  return { kind, rest };
}

/** Whether an id like this one certainly has the form of ids on the target, not of words or encoded text. */
export function hasPlainForm(known: string): boolean {
  if (isUuid(known) || isNumber(known)) return true;
  const { kind, rest } = partsOf(known);
  const isLong = /^([0-9a-z]{14,}|[0-9A-F]{32}|[0-9A-HJKMNP-TV-Z]{26})$/.test(rest);
  // Words may end with a short number.
  const isRandom = isLong && /\d\D+\d|\d{4}/.test(rest);
  return isRandom && /^([A-Za-z]+[_-])?$/.test(kind);
}

/** Ids that nothing has, in one form of the ids on the target. */
export interface UnknownForm {
  ids: string[];
  /** Whether they certainly have that form, so that the response to one says what an unknown id gets. */
  isWellFormed: boolean;
}

/** Unknown ids in each form that the known ones have: a target may have ids of several. `taken`: others that exist. */
export function unknownForms(session: Session, known: readonly string[], taken: ReadonlySet<string>): UnknownForm[] {
  const oneOfEach = [...Map.groupBy(known, formOf).values()].flatMap(([first]) => first ?? []);
  return oneOfEach.slice(0, mostForms).map((id) => {
    const counted = countedParts(id);
    const isPlain = hasPlainForm(id);
    if (isPlain || counted === undefined) return { ids: [unknownLike(session, id)], isWellFormed: isPlain };
    return { ids: nextCounted(counted, new Set([...known, ...taken])), isWellFormed: true };
  });
}

const mostForms = 6;

function formOf(id: string): string {
  if (isUuid(id)) return `UUID of version ${id.charAt(14)}`;
  if (isNumber(id)) return 'number';
  const counted = hasPlainForm(id) ? undefined : countedParts(id);
  return `${counted?.start ?? partsOf(id).kind} ${counted === undefined ? id.length : 'and a number'}`;
}

/** The parts of an id that ends with a count, such as `m-a1` or `server12`; not of an encoded text. */
function countedParts(id: string): { start: string; count: string } | undefined {
  const [, start, count] = /^((?:[A-Za-z]+[-_.:])+[A-Za-z]{0,3}|[A-Za-z]{3,})(\d{1,9})$/.exec(id) ?? [];
  return start === undefined || count === undefined ? undefined : { start, count };
}

// An id near the known ones may be another organization's, and one far away may be too long.
function nextCounted({ start, count }: { start: string; count: string }, taken: ReadonlySet<string>): string[] {
  const limit = 10 ** count.length;
  const first = randomInt(limit);
  const places = Array.from({ length: Math.min(limit, mostPlaces) }, (_, place) => (first + place) % limit);
  const near = places.map((place) => `${start}${String(place).padStart(count.length, '0')}`);
  const far = `${start}${randomInt(9 * 10 ** 6, 10 ** 7)}`;
  return [...near.filter((id) => !taken.has(id) && isLikeCount(id, start, count)).slice(0, 2), far];
}

const mostPlaces = 1_000;

// Numbers start with zero only if the known one does.
function isLikeCount(id: string, start: string, count: string): boolean {
  return count.startsWith('0') || id.charAt(start.length) !== '0';
}

/** Ids that a target must not confuse with its own: of a different resource, in capitals, cut, suffixed, patterns. */
export function strangeIds(session: Session, known: string, ofOtherKind: string | undefined): string[] {
  const capitals = known.toUpperCase();
  // Numbers and words may be ids of several resources; hexadecimal digits have no case.
  const isOther = ofOtherKind !== undefined && ofOtherKind !== known && hasPlainForm(ofOtherKind) && !isNumber(known);
  const isCuttable = hasPlainForm(known) && !isNumber(known);
  const hasCase = !/^[0-9a-fA-F-]*$/.test(known) && capitals !== known && hasPlainForm(known);
  return [
    ...(isOther ? [ofOtherKind] : []),
    ...(hasCase ? [capitals] : []),
    ...(isCuttable ? [known.slice(0, -1), `${known}a`] : []),
    unknownLike(session, known),
    '%',
    `${session.newName()}/../"none" `.padEnd(longLength, 'z'),
  ];
}

/** Ids like a known one: without its last character, and with one more. What other forms of ids allow is open. */
export function nearIds(known: string): string[] {
  return hasPlainForm(known) ? [known.slice(0, -1), `${known}x`].filter((near) => near !== '') : [];
}

const longLength = 200;

// Digits stay digits; letters become hexadecimal digits that are letters.
function drawnLike(text: string): string {
  const drawn = [...text].map((character) => {
    if (/\d/.test(character)) return String(randomInt(10));
    const letter = 'abcdef'.charAt(randomInt(6));
    return character === character.toUpperCase() ? letter.toUpperCase() : letter;
  });
  return drawn.join('');
}

/** An id that no resource is likely to have: with a blank and other characters that ids rarely hold. */
export function malformedId(session: Session): string {
  return `${session.newName()} ~ no id!`;
}
