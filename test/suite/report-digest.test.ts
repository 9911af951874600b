import { describe, expect, it } from 'vitest';
import { parseReport, toReportDigest } from '../../conformance/report/parse-report.ts';
import { toSettings } from '../../conformance/run/settings.ts';
import { secretsOf } from '../../conformance/target/credentials.ts';
import { createRedact } from '../../lib/secrets.ts';
import { believableReport, sampleReport, sampleResult } from '../support/sample-report.ts';
import { suiteErrorOf } from '../support/suite-error-of.ts';

const secret = 'sk-4711-secret';
const settings = toSettings({
  ...{ baseUrl: 'http://target.test/v0.1', apiKey: secret, otherApiKey: `${secret}-2`, randomSeed: 7 },
  headers: { 'X-Gateway': 'gw-0815-secret' },
  fixtures: { mcpServer: { id: `about-${secret}` } },
});
const redact = createRedact(secretsOf(settings));
const none = { only: [], skip: [] };

describe('the report digest of a run', () => {
  const report = believableReport();
  const digest = toReportDigest(report, settings, none, redact);

  it('has the settings without keys and header values', () => {
    expect(digest.config).toMatchObject({ baseUrl: 'http://target.test/v0.1', organizations: 2, randomSeed: 7 });
    expect(digest.config.headers).toEqual(['X-Gateway']);
    expect(JSON.stringify(digest)).not.toMatch(/4711|0815/);
  });

  it('is the same for the same results, in any order and at any time', () => {
    const again = { ...report, checks: report.checks.map((check) => ({ ...check, durationMs: 1 })).reverse() };
    expect(toReportDigest(again, settings, none, redact)).toEqual(digest);
  });

  it('is another one for another outcome or another choice', () => {
    const [first, ...others] = report.checks;
    const worse = { ...report, checks: [{ ...first, outcome: 'failed' } as (typeof report.checks)[0], ...others] };
    const other = { ...report, observed: { ...report.observed, 'successStatus.createDrive': 200 } };
    const digests = [report, worse, other].map((each) => toReportDigest(each, settings, none, redact).results);
    expect(new Set(digests).size).toBe(3);
  });

  it('is checked when a report is read, and may be missing', () => {
    const sealed = { ...report, digest };
    expect(parseReport(JSON.stringify(sealed), 'a.json')).toEqual(sealed);
    expect(parseReport(JSON.stringify(report), 'a.json')).toEqual(report);
    const forged = { ...sampleReport([sampleResult('listAgents.is-served')]), digest };
    expect(suiteErrorOf(() => parseReport(JSON.stringify(forged), 'a.json')).message).toMatch(
      /digest\.results does not match its results/,
    );
  });
});
