import { randomBytes, randomUUID } from 'node:crypto';
import { unknownId } from '../probing/fixtures.ts';
import type { Session } from '../session.ts';

const fewestDrawn = 8;

/** An id that nothing has, of the same form as a known one where that form leaves enough to chance. */
export function unknownLike(session: Session, known: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(known)) return randomUUID();
  const [, kind = '', rest = ''] = /^(.*[_-])?([0-9A-Za-z]*)$/.exec(known) ?? [];
  return rest.length < fewestDrawn ? unknownId(session) : kind + drawnLike(rest);
}

// Digits stay digits; letters are replaced by letters that are hexadecimal digits too.
function drawnLike(text: string): string {
  const bytes = randomBytes(text.length);
  return [...text]
    .map((character, index) => {
      const byte = bytes[index] ?? 0;
      if (/\d/.test(character)) return String(byte % 10);
      const letter = 'abcdef'.charAt(byte % 6);
      return character === character.toUpperCase() ? letter.toUpperCase() : letter;
    })
    .join('');
}

/** An id that no resource is likely to have: with a blank and other characters that ids rarely hold. */
export function malformedId(session: Session): string {
  return `${session.newName()} ~ no id!`;
}
