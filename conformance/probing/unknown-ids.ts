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

/** An id that nothing has, of the same form as a known one where that form leaves enough to chance. */
export function unknownLike(session: Session, known: string): string {
  // Of the same version, in the same case.
  if (isUuid(known)) return known.slice(0, -12) + drawnLike(known.slice(-12));
  // A number is far off: other organizations may have the next ones.
  if (isNumber(known)) return `1${drawnLike('0'.repeat(Math.max(9, known.length) - 1))}`;
  const [, kind = '', rest = ''] = /^(.*[_-])?([0-9A-Za-z]*)$/.exec(known) ?? [];
  return rest.length < fewestDrawn ? unknownId(session) : kind + drawnLike(rest);
}

// Digits stay digits; letters are replaced by letters that are hexadecimal digits too.
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
