import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const goesDeeper = String.raw`\bdepth\(|\bsampleOf\(|\bstory\(|\bisFull\b`;

/** The statements at the top of a module, as text. */
function statementsOf(code: string): string[] {
  return code.split(/\n(?=[a-z])/);
}

function nameOf(statement: string): string | undefined {
  return /^(?:export )?(?:async )?(?:const|let|function) (\w+)/.exec(statement)?.[1];
}

/** What uses `depth`, `sampleOf`, `story` or `isFull`, itself or through what it names. */
function deeperStatements(statements: readonly string[], pattern = goesDeeper): string[] {
  const found = statements.filter((statement) => new RegExp(pattern).test(statement));
  const names = found.flatMap((statement) => nameOf(statement) ?? []).map((name) => String.raw`\b${name}\b`);
  const wider = [goesDeeper, ...names].join('|');
  return wider === pattern ? found : deeperStatements(statements, wider);
}

const isLeftOut = (statement: string) => /^(describe|it|test)\.skipIf\(hasJustRun\)/.test(statement);

it('what CI leaves out of the full run goes no deeper there than in the quick one', () => {
  const files = globSync('{test,proof}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] });
  const tests = files.map((file) => ({ file, statements: statementsOf(readFileSync(join(root, file), 'utf8')) }));
  expect(tests.flatMap(({ statements }) => statements.filter(isLeftOut)).length).toBeGreaterThan(10);
  const wrong = tests.flatMap(({ file, statements }) =>
    deeperStatements(statements)
      .filter(isLeftOut)
      .map((statement) => `${file}: ${statement.slice(0, 80)}`),
  );
  expect(wrong).toEqual([]);
});
