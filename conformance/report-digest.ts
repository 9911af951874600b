import { createHash } from 'node:crypto';
import type { Redact } from '../lib/secrets.ts';
import { loadDocument, loadRequirements } from '../openapi/contract/load.ts';
import { loadOpenPoints } from '../openapi/points/index.ts';
import type { Settings } from './config/settings.ts';
import type { Report, ReportDigest } from './report.ts';
import type { Selection } from './selection.ts';

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
export function contractDigest(): string {
  return digest([loadDocument(), loadRequirements(), loadOpenPoints()]);
}

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
  const { apiKey: _, otherApiKey, headers, ...open } = settings;
  const config = {
    ...open,
    organizations: otherApiKey === undefined ? 1 : 2,
    headers: Object.keys(headers),
    ...selection,
  };
  // A fixture may contain anything, even a key.
  return JSON.parse(JSON.stringify(config), (_name, value) => (typeof value === 'string' ? redact(value) : value));
}
