import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { reporters } from '../../conformance/report/index.ts';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';

const checkCount = new Set(loadRequirements().flatMap(({ checks = [] }) => checks)).size;

/** Asserts that a conformant run wrote its reports, each as this checkout writes it, whose tests read them as others do. */
export async function expectReadable(folder: string, baseUrl: string): Promise<void> {
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  const report = parseReport(textOf('report.json'), 'report.json');
  expect(report).toMatchObject({
    ...{ verdict: 'conformant', run: { baseUrl } },
    summary: { failed: 0, warned: 0, inconclusive: 0, 'not-enabled': 0 },
  });
  expect(report.checks).toHaveLength(checkCount);
  for (const { fileName, write } of [reporters.junit, reporters.html, reporters.markdown])
    expect(textOf(`reports/${fileName}`), fileName).toBe(write(report));
}
