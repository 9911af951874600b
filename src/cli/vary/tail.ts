import { stripVTControlCharacters } from 'node:util';

/** The end of what a program prints. */
export interface Tail {
  add(text: string): void;
  /** The last lines, as they may be shown anywhere: without colours and control characters. */
  text(): string;
}

const keptLines = 30;
const keptCharacters = 8_192;

export function createTail(): Tail {
  let kept = '';
  return {
    // Cut only when it has doubled: not at each of many small pieces.
    add: (text) => {
      kept += text;
      if (kept.length > 2 * keptCharacters) kept = kept.slice(-keptCharacters);
    },
    text: () => lastLines(plain(kept.slice(-keptCharacters))),
  };
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-keptLines).join('\n');
}

// Controls, halves of surrogate pairs, marks that change how the rest is seen, and what XML forbids.
const unseen = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** The text without escape sequences and without characters that could not be seen. */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\r\n', '\n').replaceAll(unseen, '');
}
