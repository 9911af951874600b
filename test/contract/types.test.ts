/** What the types refuse and what they take: test/types/refused.ts and test/types/accepted.ts. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { type Complaint, checkoutOptions, complaintsOf } from '../types/compiler.ts';

const fileAt = (name: string) => fileURLToPath(new URL(`../types/${name}.ts`, import.meta.url));

/** The complaints that the marks of the file ask for; their message is a part of the compiler's. */
function marked(): Complaint[] {
  const lines = readFileSync(fileAt('refused'), 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    const [, code, message] = /\/\/ refused: (TS\d+) (.+)$/.exec(text) ?? [];
    return code && message ? [{ file: 'refused.ts', line: index + 1, code, message }] : [];
  });
}

test('what must not compile fails at its marked lines, and everything else compiles', () => {
  const complaints = complaintsOf(ts.createProgram(['accepted', 'refused'].map(fileAt), checkoutOptions()));
  expect(complaints).toEqual(marked().map((one) => ({ ...one, message: expect.stringContaining(one.message) })));
  expect(complaints).toHaveLength(13);
});
