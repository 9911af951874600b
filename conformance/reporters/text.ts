/** Small tools for texts that people read and a target had a hand in. */

// Controls, halves of surrogate pairs, invisible marks, line and direction tricks, and what is no character at all.
// Joiners stay: emoji and several scripts need them.
const unseen = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/**
 * The text with everything that could not be seen, or would change how the rest is seen, named by its code point. No
 * escape sequence reaches a terminal, and nothing that XML forbids is left.
 */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unseen, (character) => `[U+${codeOf(character)}]`);
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/** The beginning of a long text, with a note of how much there was. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Half of a surrogate pair is no character.
  const head = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
  return `${head}… (cut: ${number(head.length)} of ${number(text.length)} characters)`;
}

/** The text on one line, all of it {@link visible}. */
export function oneLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ').trim();
}

/** `1 check`, `12 checks`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

export function number(value: number): string {
  return value.toLocaleString('en');
}

/** `340 ms`, `12.4 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The lines of the text, broken between words where they would be longer than `width`. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => fill(line.split(' '), width));
}

/** The words in lines that are no longer than `width`, unless a single word is. */
export function fill(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of words) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else {
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
