import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** What is not ours to word, or not written by hand. The held-out catalogues are frozen. */
const skipped = [/^package-lock\.json$/, /^proof\/held-out\//, /\.gen\./, /^test\/unit\/words\.test\.ts$/];

/** Words that were replaced, each with what to say now, and where it may stand: SQLite has a journal. */
const oldWords: readonly { word: RegExp; say: string; except?: RegExp }[] = [
  { word: /world|tenant/i, say: 'sandbox' },
  { word: /control[-_ ]?plane/i, say: 'admin API' },
  {
    word: /journal/i,
    say: 'request log, or move log',
    except: /^(src\/state|docs\/states-and-faults|test\/mock\/state-file|proof\/(torture\/kill|databases\/sqlite))/,
  },
  { word: /carrier/i, say: 'auth header' },
  { word: /loudness|\bloud\b/i, say: 'impact, visible' },
  { word: /\bplay(s|ed|ing)?\b|\bPlayed/, say: 'use or apply a profile' },
  { word: /unverified|undetermined/i, say: 'inconclusive' },
];

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|js|mjs|cjs|jsx|json|ya?ml|md|html|css)$/.test(file))
  .filter((file) => !skipped.some((pattern) => pattern.test(file)));

it.each(oldWords.map(({ word, say, except }) => [say, word, except] as const))(
  'no file says anything but: %s',
  (_, word, except) => {
    const left = files.filter((file) => !except?.test(file)).flatMap((file) => linesWith(word, file));
    expect(left).toEqual([]);
  },
);

function linesWith(word: RegExp, file: string): string[] {
  const lines = [file, ...readFileSync(join(root, file), 'utf8').split('\n')];
  return lines.flatMap((line, index) => (word.test(line) ? [`${file}:${index}: ${line.slice(0, 120)}`] : []));
}
