import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageVersion } from '../../lib/package-version.ts';
import { placeOf } from '../../lib/place.ts';
import type { Redact } from '../../lib/secrets.ts';
import { say } from '../../lib/sentence.ts';
import { loadDocument, loadRequirements, sharedOf } from '../../openapi/contract/load.ts';
import { andMore, countOf, Schemas, type Validate } from '../../openapi/contract/schemas.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { parseJson } from '../../openapi/reading/messages.ts';
import type { Selection } from '../checks/check.ts';
import type { Settings } from '../run/settings.ts';
import { readText, SuiteError } from '../run/suite-error.ts';
import { type Outcome, outcomes, type Report, type ReportDigest } from './report.ts';

/** The report digest of a run. */
export function toReportDigest(
  results: Pick<Report, 'checks' | 'observed'>,
  settings: Settings,
  selection: Selection,
  redact: Redact,
): ReportDigest {
  return {
    contract: contractDigest(),
    results: digestOfResults(results),
    config: withoutSecrets(settings, selection, redact),
  };
}

/** The digest of the contract and its registers. */
export const contractDigest = sharedOf(() => digest([loadDocument(), loadRequirements(), loadOpenPoints()]));

/** The digest of a run's results, independent of order, times and texts. */
export function digestOfResults({ checks, observed }: Pick<Report, 'checks' | 'observed'>): string {
  const outcomes = checks.map(({ id, outcome }) => [id, outcome]);
  return digest([sorted(outcomes), sorted(Object.entries(observed))]);
}

function sorted(pairs: readonly (readonly unknown[])[]): (readonly unknown[])[] {
  return pairs.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

function digest(value: unknown): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`;
}

function withoutSecrets(settings: Settings, selection: Selection, redact: Redact): Record<string, unknown> {
  const { apiKey: _key, given: _given, otherApiKey, headers, ...open } = settings;
  const config = {
    ...open,
    organizations: otherApiKey === undefined ? 1 : 2,
    headers: Object.keys(headers),
    ...selection,
  };
  // A fixture may contain anything, even a key.
  return JSON.parse(JSON.stringify(config), (_name, value) => (typeof value === 'string' ? redact(value) : value));
}

const schemaFile = new URL('../report.schema.json', import.meta.url);
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
  const more = rest > 0 ? [andMore(rest)] : [];
  throw notAReport(name, [...shown, ...more, ...otherVersion(value)].join('; '));
}

/** What may explain why a report does not fit: a different version of the suite wrote it. */
function otherVersion(value: unknown): string[] {
  const tool = String((value as Partial<Report> | null)?.run?.tool);
  const version = /\/(\d\S*)$/.exec(tool)?.[1];
  const own = packageVersion();
  return version === undefined || version === own ? [] : [`it was written by ${tool}, and this is version ${own}`];
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
