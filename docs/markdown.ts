/** Plain text as Markdown, on one line: nothing in it is taken for a tag, or for emphasis. Code stays code. */
export function textOf(plain: string): string {
  const parts = plain
    .trim()
    .replaceAll(/\s+/g, ' ')
    .split(/(`[^`]*`)/);
  return parts.map((part) => (part.startsWith('`') ? part : part.replaceAll(/[<*]/g, '\\$&'))).join('');
}

/** A page from its paragraphs, tables and headings. */
export function pageOf(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
