import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { compareReports } from '../../conformance/compare.ts';
import { type Outcome, outcomes, type Report } from '../../conformance/report.ts';
import { createMock } from '../../src/index.ts';
import { compareConformance, compareVary, relianceOf } from '../../src/ui/reports/compare.ts';
import * as page from '../../src/ui/reports/formats.ts';
import { largestFile, readReport, refuseSize, versionOf } from '../../src/ui/reports/read-report.ts';
import type { VaryReport } from '../../src/vary/report.ts';
import { depth, hasJustRun, isFull, randomSeed } from '../support/depth.ts';
import { createBench } from '../support/judging.ts';
import { believableReport, sampleReport, sampleResult } from '../support/sample-report.ts';
import { writtenByVary } from '../support/vary-report.ts';

// How the developer page reads reports, without a browser: against what the suite and vary write today.

const runs = { seed: randomSeed, numRuns: depth(100, 1_000) };
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const { at, reportOf } = await createBench();
// All checks in the full run, but not in CI.
const selection = isFull && !hasJustRun ? [] : ['--only', 'listAgents.*'];
const read = (value: unknown) => readReport(typeof value === 'string' ? value : JSON.stringify(value), version);
const refusalOf = (value: unknown) => {
  const result = read(value);
  return 'refusal' in result ? result.refusal : undefined;
};

describe('a report that a tool writes today', () => {
  it('has the type that the page reads', () => {
    expectTypeOf<Report>().toExtend<page.ConformanceReport>();
    expectTypeOf<VaryReport>().toExtend<page.VaryReport>();
    expect(new Set(page.outcomes)).toEqual(new Set(outcomes));
  });

  it('is read when conformance judged a server with a flaw; its other files are refused by their formats', async () => {
    const mock = await createMock({ openKeys: true });
    onTestFinished(() => mock.close());
    const files = ['--report', 'junit,html,markdown', '--report-dir', at('reports')];
    const { report } = await reportOf([...selection, '-u', mock.url, ...files]);
    expect(report.verdict).toBe('non-conformant');
    expect(read(report)).toEqual({ kind: 'conformance', report });
    expect(versionOf(report)).toBe(version);
    const refused = (ending: string) => refusalOf(readFileSync(at(`reports/conformance.${ending}`), 'utf8'));
    expect(refused('junit.xml')).toMatch(/^This is a JUnit report/);
    expect(refused('html')).toMatch(/^This is an HTML page/);
    expect(refused('md')).toMatch(/^This is a Markdown file/);
  });

  it.runIf(isFull)('is read when conformance judged a sound server', async () => {
    const { report } = await reportOf(selection);
    expect(read(report)).toEqual({ kind: 'conformance', report });
  });

  it('is read, when vary found something', async () => {
    const report = await writtenByVary();
    expect(report.dependencies.length).toBe(1);
    expect(read(report)).toEqual({ kind: 'vary', report });
    expect(versionOf(report)).toBe(version);
  });

  it('names only what the schema of reports has', () => {
    const schema = JSON.parse(readFileSync(new URL('../../conformance/report.schema.json', import.meta.url), 'utf8'));
    const whole = believableReport();
    const names = Object.keys(schema.$defs.report.properties);
    expect(Object.keys(whole).filter((name) => !names.includes(name))).toEqual([]);
    for (const name of ['verdict', 'checks', 'observed', 'samples', 'leftovers', 'expectedFailures', 'run'] as const) {
      const { [name]: _, ...rest } = whole;
      const expected =
        name === 'verdict' || name === 'checks' ? /different kind of JSON/ : new RegExp(`${name} must be`);
      expect(refusalOf(rest)).toMatch(expected);
    }
  });
});

describe('a file that is no such report', () => {
  it.each([
    ['', /^It is empty\..*--json report\.json/],
    ['\ufeff \n', /^It is empty/],
    ['<?xml version="1.0"?>\n<testsuites/>', /^This is a JUnit report\..*--report junit,json/],
    ['<!DOCTYPE html><html>', /^This is an HTML page\..*--report html,json/],
    ['<svg/>', /^This is XML\./],
    ['# Report', /^This is a Markdown file\..*--report markdown,json/],
    ['verdict: conformant', /^This is not JSON\. This page reads the JSON report/],
    ['\u0000\u0001PK', /^This is not JSON/],
    ['[1]', /^This is a JSON list/],
    ['{}', /^This is JSON without content/],
    ['null', /^This is JSON without content/],
    ['{"log":{}}', /^This is a HAR file/],
    ['{"openapi":"3.1.0"}', /^This is an OpenAPI document/],
    ['{"a":1,"b":2}', /^This is a different kind of JSON, with the members a, b\./],
  ])('is refused: %j', (text, words) => {
    expect(refusalOf(text)).toMatch(words);
  });

  it('is refused when it is torn, wherever', () => {
    const text = JSON.stringify(believableReport());
    fc.assert(
      fc.property(fc.integer({ min: 1, max: text.length - 1 }), (length) => {
        expect(refusalOf(text.slice(0, length))).toMatch(/^The JSON is (?:truncated|invalid) \(/);
      }),
      runs,
    );
    expect(refusalOf(text.replace(',', ';'))).toMatch(/^The JSON is invalid/);
  });

  it('is refused with the place, when something in it was changed', () => {
    const report = believableReport();
    const text = JSON.stringify(report).replace('"outcome":"failed"', '"outcome":"broken"');
    expect(refusalOf(text.replace('agent-platform-contract 0.1.0', `x/${version}`))).toMatch(
      /^This conformance report was changed or damaged: checks\.\d+\.outcome must be one of failed, warned/,
    );
    expect(refusalOf(text.replace('agent-platform-contract 0.1.0', 'x/9.8.7'))).toMatch(
      /conformance report was written by version 9\.8\.7; this page reads reports of version \S+: checks\.\d+\.outcome must be/,
    );
    expect(refusalOf({ dependencies: [], variants: {} })).toMatch(
      /vary report was written by an unknown version.* must be/,
    );
  });

  it('takes any JSON, and ends', () => {
    const anyParts = fc.record(
      {
        verdict: fc.anything(),
        checks: fc.anything(),
        dependencies: fc.anything(),
        variants: fc.anything(),
        run: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyParts, (parts) => {
        expect(
          refusalOf(JSON.stringify(parts, (_, value) => (typeof value === 'bigint' ? String(value) : value))),
        ).toMatch(/^This /);
      }),
      runs,
    );
  });

  it('is refused unread when it is huge', () => {
    expect(refuseSize(largestFile)).toBeUndefined();
    expect(refuseSize(312_000_000)?.refusal).toMatch(/^It has 312 MB; this page reads up to 100 MB\./);
  });
});

describe('the comparison of two reports', () => {
  const anyOutcome = fc.constantFrom<Outcome>(...outcomes);
  const anyReport = fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), anyOutcome, { noNullPrototype: true }),
      fc.dictionary(fc.constantFrom('listOrder', 'idFormat'), fc.constantFrom('x', 1, 2), { noNullPrototype: true }),
    )
    .map(([checks, observed]) =>
      sampleReport(
        Object.entries(checks).map(([id, outcome]) => sampleResult(id, { outcome })),
        { observed },
      ),
    );

  it('agrees with that of the suite', () => {
    fc.assert(
      fc.property(anyReport, anyReport, (before, after) => {
        const found = compareConformance(before, after);
        const ids = (...changes: string[]) =>
          found
            .filter(({ change }) => changes.includes(change))
            .map(({ id }) => id)
            .sort();
        const suite = compareReports(before, after);
        const idsOf = (...lists: { id: string }[][]) =>
          lists
            .flat()
            .map(({ id }) => id)
            .sort();
        expect(ids('worse', 'better')).toEqual(idsOf(suite.newlyFailing, suite.newlyWarned, suite.newlyPassing));
        for (const { id } of suite.newlyFailing) expect(ids('worse')).toContain(id);
        for (const { id } of suite.newlyPassing) expect(ids('better')).toContain(id);
        expect(ids('unjudged')).toEqual(idsOf(suite.newlyInconclusive, suite.newlyNotEnabled, suite.newlySkipped));
        expect(ids('new')).toEqual(idsOf(suite.added));
        expect(ids('gone')).toEqual(idsOf(suite.removed));
        expect(ids('choice')).toEqual(suite.changedChoices.map(({ openPoint }) => openPoint).sort());
      }),
      runs,
    );
  });

  it('calls the opposite what it becomes the other way round', () => {
    fc.assert(
      fc.property(anyReport, anyReport, (before, after) => {
        const there = compareConformance(before, after);
        const back = new Map(compareConformance(after, before).map(({ id, change }) => [id, change]));
        for (const { id, change } of there) {
          if (change === 'worse') expect(['better', 'unjudged']).toContain(back.get(id));
          if (change === 'new') expect(back.get(id)).toBe('gone');
        }
        expect(compareConformance(before, before)).toEqual([]);
      }),
      runs,
    );
  });

  it('finds what the tests rely on now, and what they do not any more', async () => {
    const found = await writtenByVary();
    const [dependency] = found.dependencies;
    if (dependency === undefined) throw new Error('vary found nothing.');
    const openPoints = found.openPoints.map((one) =>
      one.outcome === 'reliedOn' ? { ...one, outcome: 'free' as const } : one,
    );
    const repaired = { ...found, dependencies: [], openPoints };
    const id = relianceOf(dependency);
    expect(compareVary(found, repaired)).toMatchObject([{ id, change: 'better' }]);
    expect(compareVary(repaired, found)).toMatchObject([{ id, change: 'worse' }]);
    expect(compareVary(found, found)).toEqual([]);
  });
});
