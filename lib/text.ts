/** Formats all texts that people read. Parts of them may come from a target. */

// Control characters, halves of surrogate pairs, invisible marks, line and direction tricks, and non-characters.
// Joiners stay: emoji and several scripts need them.
export const invisible = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/**
 * The text with each character that is invisible, or changes how the rest looks, replaced by its code point. No escape
 * sequence reaches a terminal, and the result is legal in XML.
 */
export function visible(text: string): string {
  const toCode = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return text.replaceAll('\r\n', '\n').replaceAll(invisible, (character) => `[U+${toCode(character)}]`);
}

/** The beginning of a long text, with a note of how much there was: `length` characters, if `text` is itself a beginning. */
export function cut(text: string, limit: number, length = text.length): string {
  if (length <= limit) return text;
  // Half of a surrogate pair is not a character.
  const head = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
  return `${head}… (truncated, ${number(head.length)} of ${number(length)} characters)`;
}

/** A text from {@link cut}, cut further. The note keeps the length of the whole text. */
export function cutAgain(text: string, limit: number): string {
  const [note, length = ''] = /… \(truncated, [\d,]{1,20} of ([\d,]{1,20}) characters\)$/.exec(text) ?? [];
  if (note === undefined) return cut(text, limit);
  const head = text.slice(0, -note.length);
  // A target may have written the note.
  return cut(head, Math.min(limit, head.length), Math.max(head.length + 1, Number(length.replaceAll(',', ''))));
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

/** Wraps the words into lines of at most `width` characters; a longer word gets its own line. */
function fill(words: readonly string[], width: number): string[] {
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

/** Names with commas between them, in as many lines as they need. */
export function nameList(names: readonly string[], indent = '    ', width = 96): string[] {
  const words = names.map((name, index) => (index < names.length - 1 ? `${name},` : name));
  return fill(words, width).map((line) => indent + line);
}

/** Rows of cells in aligned columns, one line per row. Only the last cell of a row may be styled. */
export function columns(rows: readonly (readonly string[])[], indent = '  '): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cells: readonly string[]) =>
    cells.map((cell, column) => (column < cells.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell));
  return rows.map((row) => `${indent}${padded(row).join('  ')}`.trimEnd());
}

/** One word of a command line, quoted for a shell where needed. */
export function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : inQuotes(text);
}

/** A text as one POSIX shell word. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
