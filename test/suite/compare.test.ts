import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareReports, toComparison } from '../../conformance/report/compare.ts';
import { reporters } from '../../conformance/report/index.ts';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { type Outcome, outcomes, type Report } from '../../conformance/report/report.ts';
import { withWords } from '../../conformance/report/report-words.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { anyReport } from '../support/hostile.ts';
import { believableReport, sampleReport, sampleResult } from '../support/sample-report.ts';
import { suiteErrorOf } from '../support/suite-error-of.ts';

const schema = JSON.parse(readFileSync(new URL('../../conformance/report.schema.json', import.meta.url), 'utf8'));

const reportWith = (given: Record<string, Outcome>, facts: Partial<Report> = {}) =>
  sampleReport(
    Object.entries(given).map(([id, outcome]) => sampleResult(`listAgents.${id}`, { outcome, reason: `${id} is so` })),
    facts,
  );

/** The message with which something is refused as a report. */
function refusalOf(text: string): string {
  const { code, message } = suiteErrorOf(() => parseReport(text, 'old.json'));
  expect(code).toBe('REPORT_INVALID');
  return message;
}

type Step = string | number;

/** Every object and array inside the value, with the way to it. */
function structuresIn(value: unknown, way: Step[] = []): { way: Step[]; value: object }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, one]) => structuresIn(one, [...way, key]));
  return [{ way, value }, ...inside];
}

/** A copy of the report in which the structure at `way` was changed. */
function changedAt(report: Report, way: readonly Step[], change: (structure: Record<string, unknown>) => void): string {
  const copy = structuredClone(report);
  change(way.reduce<unknown>((at, step) => (at as Record<Step, unknown>)[step], copy) as Record<string, unknown>);
  return JSON.stringify(copy);
}

/** The field that an object stands in, or the list of it. */
const ownerOf = (way: readonly Step[]) => way.findLast((step) => !/^\d+$/.test(String(step))) ?? 'report';

const optional = new Set([
  ...['evidence', 'required', 'setting', 'expectedFailure'].map((key) => `checks.${key}`),
  ...['evidence.curl', 'evidence.smallest', 'request.body', 'exchanges.response', 'exchanges.failure'],
  ...['leftovers.driveId', 'leftovers.name', 'run.suiteError'],
]);

const isFree = (way: readonly Step[]) => ['observed', 'samples', 'headers'].includes(String(way.at(-1)));

describe('the report schema', () => {
  const report = believableReport();
  const objects = structuresIn(report).filter(({ value }) => !Array.isArray(value));

  it('is a valid JSON Schema 2020-12', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(new Ajv2020({ strict: false }).validateSchema(schema)).toBe(true);
  });

  it('accepts a written report and returns it unchanged, with its words', () => {
    expect(parseReport(reporters.json.write(report), 'conformance.json')).toEqual(withWords(report));
  });

  it('accepts a report with arbitrary texts', () => {
    fc.assert(
      fc.property(anyReport, (any) => {
        expect(parseReport(reporters.json.write(any), 'conformance.json')).toEqual(withWords(any));
      }),
    );
  });

  it('refuses an unknown field in every object', () => {
    const closed = objects.filter(({ way }) => !isFree(way));
    expect(closed.length).toBeGreaterThan(70);
    for (const { way } of closed) {
      expect(refusalOf(changedAt(report, way, (object) => Object.assign(object, { extra: 1 })))).toContain('extra');
    }
  });

  it('refuses a report without a required field', () => {
    const fields = objects
      .filter(({ way }) => !isFree(way))
      .flatMap(({ way, value }) => Object.keys(value).map((key) => ({ way, key, name: `${ownerOf(way)}.${key}` })));
    for (const { way, key, name } of fields.filter((field) => !optional.has(field.name))) {
      expect(refusalOf(changedAt(report, way, (object) => delete object[key])), name).toContain(`${key} is required`);
    }
  });

  it.each([
    ['an unknown outcome', ['checks', 0], { outcome: 'ok' }, /checks\.0\.outcome must be one of passed, failed/],
    ['an unknown verdict', [], { verdict: 'fine' }, /verdict must be one of conformant/],
    ['an unknown level', ['checks', 0], { level: 'may' }, /level must be one of must, should/],
    ['an unknown operation', ['checks', 0], { operation: 'listUsers' }, /operation must be one of listAgents/],
    ['an unknown kind of leftover', ['leftovers', 0], { kind: 'agent' }, /kind must be one of drive/],
    ['a negative count', ['summary'], { passed: -1 }, /summary\.passed must be >= 0/],
    ['an invalid time', ['run'], { startedAt: 'yesterday' }, /run\.startedAt must match format/],
    ['an invalid choice', ['observed'], { errorBody: null }, /observed\.errorBody must be a string or a number/],
    [
      'counts that do not match the checks',
      ['summary'],
      { passed: 25 },
      /summary\.passed is 25, but 24 checks are passed/,
    ],
    ['a repeated check', ['checks', 1], { id: 'listAgents.is-served' }, /listAgents\.is-served is listed twice/],
  ] as [string, Step[], object, RegExp][])('refuses %s', (_what, way, fields, message) => {
    expect(refusalOf(changedAt(report, way, (object) => Object.assign(object, fields)))).toMatch(message);
  });

  it('names the file that is not a report', () => {
    expect(refusalOf('{')).toBe('old.json is not a report of a conformance run: it is not JSON');
    expect(refusalOf('[]')).toMatch(/^old\.json is not a report of a conformance run: the report must be an object/);
    expect(refusalOf('{}')).toMatch(/verdict is required; .*; and 3 more$/);
    const later = { ...report, future: 1, run: { ...report.run, tool: 'agent-platform-contract/9.1.0' } };
    expect(refusalOf(JSON.stringify(later))).toMatch(
      /; it was written by agent-platform-contract\/9\.1\.0, and this is version 0\.1\.0$/,
    );
  });

  it('lists all operations and outcomes', () => {
    const known = operationsOf(loadDocument()).map(({ operationId }) => operationId);
    expect(new Set(schema.$defs.operation.enum)).toEqual(new Set(known));
    expect(schema.$defs.check.properties.outcome.enum).toEqual(outcomes);
    expect(Object.keys(schema.$defs.summary.properties)).toEqual(outcomes);
  });
});

describe('a comparison', () => {
  const kept = { four: 'warned' } as const;
  const a = reportWith({ ...kept, one: 'passed', two: 'failed', three: 'passed', five: 'passed', gone: 'passed' });
  const b = reportWith({
    ...kept,
    one: 'failed',
    two: 'passed',
    three: 'inconclusive',
    five: 'skipped',
    fresh: 'failed',
  });

  it('lists checks with another outcome, and checks that only one report has', () => {
    const change = (id: string, before: Outcome, after: Outcome) => ({
      id: `listAgents.${id}`,
      before,
      after,
      reason: `${id} is so`,
    });
    expect(compareReports(a, b)).toMatchObject({
      newlyFailing: [change('one', 'passed', 'failed')],
      newlyWarned: [],
      newlyInconclusive: [change('three', 'passed', 'inconclusive')],
      newlyNotEnabled: [],
      newlySkipped: [change('five', 'passed', 'skipped')],
      newlyPassing: [change('two', 'failed', 'passed')],
      added: [{ id: 'listAgents.fresh', outcome: 'failed' }],
      removed: [{ id: 'listAgents.gone', outcome: 'passed' }],
      changedChoices: [],
    });
  });

  it('prints what got worse first, and then what only one report has', () => {
    const [before, after] = [{ pass: 'skipped' } as const, { pass: 'passed' } as const];
    const worse = {
      fail: 'failed',
      warn: 'warned',
      doubt: 'inconclusive',
      off: 'not-enabled',
      skip: 'skipped',
    } as const;
    const was = { fail: 'passed', warn: 'passed', doubt: 'passed', off: 'passed', skip: 'passed' } as const;
    const comparison = compareReports(
      reportWith(
        { ...before, ...was, gone: 'passed' },
        { observed: { 'errorStatus.invalidInput': 400, 'successStatus.getDriveFile': 200, listOrder: 'byName' } },
      ),
      reportWith(
        { ...after, ...worse, fresh: 'passed' },
        { observed: { 'errorStatus.invalidInput': 422, 'successStatus.getDriveFile': 200, errorBody: 'list' } },
      ),
    );
    // Those that both runs observed.
    expect(comparison.changedChoices).toEqual([{ openPoint: 'errorStatus.invalidInput', before: 400, after: 422 }]);
    const titles = toComparison(comparison, { color: false }).match(/^\S.*(?= \(1\)$)/gm);
    expect(titles).toEqual([
      ...['Newly failing', 'Newly warned', 'Newly inconclusive', 'Newly not enabled'],
      ...['Newly skipped', 'Newly passing'],
      ...['Only in the second report', 'Only in the first report', 'Changed choices'],
    ]);
    expect(toComparison(comparison, { color: false })).toContain(
      'Changed choices (1)\n  errorStatus.invalidInput: 400 -> 422  The status code for input that breaks a stated rule. ',
    );
  });

  it('prints both runs with verdict, target, time and tool, the changes, and a closing summary', () => {
    const text = toComparison(compareReports(a, b), { color: false });
    const { baseUrl, startedAt, tool, contractVersion } = a.run;
    const [first, second] = text.split('\n');
    expect(first).toBe(`before  non-conformant  ${baseUrl}, ${startedAt}, ${tool}, contract ${contractVersion}`);
    expect(second).toMatch(/^after {3}non-conformant/);
    expect(text).toContain('Newly failing (1)\n  listAgents.one: passed -> failed. one is so\n');
    expect(text).toContain('Only in the second report (1)\n  listAgents.fresh: failed\n');
    expect(text).toMatch(
      /\n1 newly failing, 1 newly inconclusive, 1 newly skipped, 1 newly passing, 1 added, 1 removed\n$/,
    );
  });

  it('paints what got worse, and marks nothing without colour', () => {
    const [colour, plain] = [true, false].map((color) => toComparison(compareReports(a, b), { color }));
    expect(stripVTControlCharacters(colour ?? '')).toBe(plain);
    expect(colour).toContain(': passed -> \u001b[31mfailed\u001b');
    expect(colour).toContain(': passed -> skipped.');
  });

  it('reports that nothing changed and that a run stopped', () => {
    const run = { ...a.run, suiteError: 'the disk is full' };
    const text = toComparison(compareReports(a, { ...a, run }), { color: false });
    expect(text).toMatch(/The suite stopped: the disk is full\n\nNothing changed\.\n$/);
  });
});
