import { type Option, tokensOf } from './options.ts';

/** The options of a command line, as words for a shell, without those that `left` names. */
export function optionWords(
  options: readonly Option[],
  args: readonly string[],
  left: readonly string[],
  shownAs: Readonly<Record<string, string>> = {},
): string[] {
  return tokensOf(options, args).flatMap((token) => {
    if (token.kind !== 'option' || left.includes(token.name)) return [];
    const value = shownAs[token.name] ?? (token.value === undefined ? [] : quoted(token.value));
    return [`--${token.name}`, ...[value].flat()];
  });
}

/** A word as a shell takes it. */
export function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
