import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import type { Report } from '../../conformance/report/report.ts';
import { createMock } from '../../src/index.ts';
import type * as page from '../../src/ui/reports/formats.ts';
import { readReport, versionOf } from '../../src/ui/reports/read-report.ts';
import type { VaryReport } from '../../src/vary/report.ts';
import { depth, hasJustRun, isFull, randomSeed } from '../support/depth.ts';
import { createBench } from '../support/judging.ts';
import { believableReport } from '../support/sample-report.ts';
import { writtenByVary } from '../support/vary-report.ts';

// How the developer page reads reports, without a browser: against what the suite and vary write today.

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const { at, reportOf } = await createBench();
// All checks in the full run, but not in CI.
const selection = isFull && !hasJustRun ? [] : ['--only', 'listAgents.*'];
const read = (value: unknown) => readReport(JSON.stringify(value));

describe('a report that a tool writes today', () => {
  it('has the type that the page reads', () => {
    expectTypeOf<Report>().toExtend<page.ConformanceReport>();
    expectTypeOf<VaryReport>().toExtend<page.VaryReport>();
    expect(version).toMatch(/^\d/);
  });

  it('is read when conformance judged a server with a flaw; its other files are refused by their formats', async () => {
    const mock = await createMock({ openKeys: true });
    onTestFinished(() => mock.close());
    const files = ['--report', 'junit,html,markdown', '--report-dir', at('reports')];
    const { report } = await reportOf([...selection, '-u', mock.url, ...files]);
    expect(read(report)).toEqual({ kind: 'conformance', report });
    expect(versionOf(read(report))).toBe(version);
    const refused = (ending: string) => () => readReport(readFileSync(at(`reports/conformance.${ending}`), 'utf8'));
    expect(refused('junit.xml')).toThrow(/^This is a JUnit report/);
    expect(refused('html')).toThrow(/^This is an HTML page/);
    expect(refused('md')).toThrow(/^This is a Markdown file/);
  });

  it('is read, when vary found something', async () => {
    const report = await writtenByVary();
    expect(read(report)).toEqual({ kind: 'vary', report });
    expect(versionOf(read(report))).toBe(version);
  });
});

describe('a file that is no such report', () => {
  it.each([
    ['', /^It is empty\..*--json report\.json/],
    ['\ufeff \n', /^It is empty/],
    ['<?xml version="1.0"?>\n<testsuites/>', /^This is a JUnit report/],
    ['<!DOCTYPE html><html>', /^This is an HTML page/],
    ['# Report', /^This is a Markdown file/],
    ['verdict: conformant', /^This is not JSON/],
    ['[1]', /^This is JSON, but not a report\. Run/],
    ['null', /^This is JSON, but not a report\. Run/],
    ['{"log":{}}', /^This is a HAR file/],
    ['{"a":1,"b":2}', /^This is JSON, but not a report: its fields are "a", "b"\. Run/],
  ])('is refused: %j', (text, words) => {
    expect(() => readReport(text)).toThrow(words);
  });

  it('is refused when it is torn, wherever', () => {
    const text = JSON.stringify(believableReport());
    fc.assert(
      fc.property(fc.integer({ min: 1, max: text.length - 1 }), (length) => {
        expect(() => readReport(text.slice(0, length))).toThrow(/^This is not JSON, or only a part of it/);
      }),
      { seed: randomSeed, numRuns: depth(100, 1_000) },
    );
  });
});
