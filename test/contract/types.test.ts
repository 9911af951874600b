/** What the types refuse. Each file of `types/refused/` has one wrong line, marked with the error that it must get. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { type Complaint, checkoutOptions, complaintsOf } from '../types/compiler.ts';

const folder = fileURLToPath(new URL('../types/', import.meta.url));
const refused = globSync(`${folder}refused/*.ts`).sort();

let complaints: Complaint[];

beforeAll(() => {
  complaints = complaintsOf(ts.createProgram([`${folder}accepted.ts`, ...refused], checkoutOptions()));
});

/** The complaints that the marks of a file ask for; their message is a part of the compiler's. */
function markedIn(path: string): Complaint[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    const [, code, message] = /\/\/ refused: (TS\d+) (.+)$/.exec(text) ?? [];
    return code && message ? [{ file: basename(path), line: index + 1, code, message }] : [];
  });
}

test('has a file for each case that must not compile', () => {
  expect(refused.map((path) => basename(path, '.ts'))).toEqual([
    'drive-without-name',
    'guess-body-of-publication',
    'guess-body-of-refusal',
    'guess-field-of-listed-agent',
    'guess-field-of-listed-drive',
    'guess-field-of-pagination',
    'guess-metadata-of-file',
    'illegal-choice',
    'missing-handler',
    'misspelt-option',
    'path-as-number',
    'unknown-file-status',
    'unknown-operation',
  ]);
});

test.each(refused.map((path) => [basename(path), path] as const))('%s fails at its marked line', (file, path) => {
  const marked = markedIn(path);
  expect(marked).toHaveLength(1);
  const found = complaints.filter((complaint) => complaint.file === file);
  expect(found).toEqual(marked.map((one) => ({ ...one, message: expect.stringContaining(one.message) })));
});

test('compiles everything else', () => {
  const expected = refused.map((path) => basename(path));
  expect(complaints.filter(({ file }) => !expected.includes(file))).toEqual([]);
});
