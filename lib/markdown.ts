import { cut, visible } from './text.ts';

/** Texts for GitHub Markdown. Nothing that a target wrote becomes markup, a link or a mention. */

const shownText = 1000;

// Characters that may begin markup, a link or a mention. As character references they are inert, in HTML and tables too.
const active = /[\\`*_[\]<>&|~$!@#]|:(?=\/\/)|(?<=\bwww)\./gi;

function referenced(text: string): string {
  return text.replaceAll(active, (character) => `&#${character.codePointAt(0)};`);
}

function inOneLine(text: string): string {
  const lines = text.split('\n');
  const last = lines.length - 1;
  const trimmed = lines.map((line, index) => (index === 0 ? line : line.trimStart()));
  return trimmed
    .map((line, index) => (index === last ? line : line.trimEnd()))
    .join('\n')
    .replaceAll(/\n+/g, ' ');
}

/** Prose, on one line. */
export function prose(text: string): string {
  return referenced(cut(inOneLine(visible(text)), shownText));
}

/** A literal value, on one line. */
export function code(text: string): string {
  const value = cut(visible(text).replaceAll('\n', '[U+000A]'), shownText);
  const isPlain = /^[\w./:;,(){}=+?%"'@#$!*~^ -]+$/.test(value) && value === value.trim();
  return isPlain ? `\`${value}\`` : `<code>${referenced(value)}</code>`;
}

/** Literal text with its lines. */
export function block(text: string, language = ''): string {
  const shown = visible(text);
  // The fence is longer than any in the text.
  const ticks = (shown.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = '`'.repeat(Math.max(2, ...ticks) + 1);
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** Content that is collapsed until a reader opens it. The title is HTML. */
export function folded(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}

/** A table. The cells are Markdown already; pipes in them are escaped here. */
export function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}
