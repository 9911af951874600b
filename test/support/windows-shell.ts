/**
 * How Windows reads a command line: first the prompt of cmd.exe, then the program. Based on Microsoft's description of
 * both, for command lines pasted at the prompt.
 */

/**
 * What cmd.exe passes to the program. Throws if it would start something else, redirect or end early. Every variable
 * that could be set counts as set.
 */
export function readByCmd(command: string, variables: Readonly<Record<string, string>>): string {
  const lookUp = (name: string) => variables[name] ?? (/^[^^]+$/.test(name) ? 'EXPANDED' : undefined);
  const lines = command.replaceAll('\r', '').split('\n');
  return withoutCarets(lines.map((line) => expand(line, lookUp)).join('\n'));
}

/** `%NAME%`, `%NAME:a=b%` and `%NAME:~1%` become values; without a value the text stays as it is. */
function expand(line: string, lookUp: (name: string) => string | undefined): string {
  let read = '';
  for (let at = 0; at < line.length; ) {
    const end = line[at] === '%' ? line.indexOf('%', at + 1) : -1;
    const value = end < 0 ? undefined : lookUp(line.slice(at + 1, end).split(':')[0] ?? '');
    read += value ?? line[at];
    at = value === undefined ? at + 1 : end + 1;
  }
  return read;
}

/** A caret outside quotes makes the next character an ordinary one; at the end of a line it continues the line. */
function withoutCarets(text: string): string {
  let read = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '^' && !isQuoted) {
      at += text[at + 1] === '\n' ? 2 : 1;
      read += text[at] ?? '';
      continue;
    }
    if (character === '\n' || (!isQuoted && /[&|<>()]/.test(character)))
      throw new Error(`cmd.exe acts on ${JSON.stringify(character)} in ${text}`);
    if (character === '"') isQuoted = !isQuoted;
    read += character;
  }
  return read;
}

/** The arguments that a program sees: CommandLineToArgvW, and the startup code of C programs. */
export function argumentsOf(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const [backslashes = ''] = /^\\*/.exec(line.slice(at)) ?? [];
    const next = line[at + backslashes.length];
    if (backslashes !== '') {
      const isBeforeQuote = next === '"';
      word = (word ?? '') + (isBeforeQuote ? '\\'.repeat(backslashes.length / 2) : backslashes);
      at += backslashes.length - 1;
      if (isBeforeQuote && backslashes.length % 2 === 1) {
        word += '"';
        at++;
      }
    } else if (next === '"') {
      word ??= '';
      const isDoubled = isQuoted && line[at + 1] === '"';
      if (isDoubled) {
        word += '"';
        at++;
      } else isQuoted = !isQuoted;
    } else if (!isQuoted && (next === ' ' || next === '\t')) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + next;
  }
  return word === undefined ? words : [...words, word];
}
