import { readFileSync } from 'node:fs';
import { placeOf } from '../lib/place.ts';
import { say } from '../lib/sentence.ts';
import { andMore, countOf, Schemas, type Validate } from '../openapi/contract/schemas.ts';
import { parseJson } from '../openapi/reading/messages.ts';
import { readText } from './read-text.ts';
import { type Outcome, outcomes, type Report } from './report.ts';
import { digestOfResults } from './report-digest.ts';
import { SuiteError } from './suite-error.ts';

const schemaFile = new URL('./report.schema.json', import.meta.url);
let schema: Validate | undefined;
const shownViolations = 5;

/** The report in `text`. Throws a `SuiteError` that names `name`, the origin of the text, if it is not a report. */
export function parseReport(text: string, name: string): Report {
  const json = parseJson(text);
  if (json === undefined) throw notAReport(name, 'it is not JSON');
  const { value } = json;
  schema ??= new Schemas(JSON.parse(readFileSync(schemaFile, 'utf8'))).at('#');
  const violations = schema(value);
  const complaints = violations.map(({ location, message }) => `${placeOf(location) || 'the report'} ${message}`);
  if (violations.length === 0) complaints.push(...incoherences(value as Report));
  if (complaints.length === 0) return value as Report;
  const shown = complaints.slice(0, shownViolations);
  const rest = Math.max(countOf(violations), complaints.length) - shown.length;
  throw notAReport(name, [...shown, ...(rest > 0 ? [andMore(rest)] : [])].join('; '));
}

/** The report in a file. Throws a `SuiteError` if it cannot be read or is not a report. */
export function loadReport(file: string): Report {
  return parseReport(readText(file), file);
}

function notAReport(name: string, why: string): SuiteError {
  return new SuiteError('REPORT_INVALID', say`${name} is not a report of a conformance run: ${why}`);
}

/** Problems that the schema cannot find: duplicate checks, and counts or a digest that differ from the checks. */
function incoherences(report: Report): string[] {
  const { checks, summary, digest } = report;
  const isForged = digest !== undefined && digest.results !== digestOfResults(report);
  const ids = new Set<string>();
  const twice = checks.map(({ id }) => id).filter((id) => ids.has(id) || !ids.add(id));
  const strangers = checks.flatMap(({ id, evidence }) =>
    (evidence?.sentBy ?? []).filter((sender) => !ids.has(sender)).map((sender) => ({ id, sender })),
  );
  const counted = (outcome: Outcome) => checks.filter((check) => check.outcome === outcome).length;
  return [
    ...(isForged ? ['digest.results does not match its results'] : []),
    ...[...new Set(twice)].map((id) => `the check ${id} is listed twice`),
    ...strangers.map(({ id, sender }) => `the exchanges of ${id} are sent by ${sender}, which is not among its checks`),
    ...outcomes
      .filter((outcome) => counted(outcome) !== summary[outcome])
      .map((outcome) => `summary.${outcome} is ${summary[outcome]}, but ${counted(outcome)} checks are ${outcome}`),
  ];
}
