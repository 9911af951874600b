import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reporters } from '../../conformance/report/index.ts';
import type { CheckResult, Report } from '../../conformance/report/report.ts';
import { type Front, startFront } from '../../proof/power/front.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { sampleOf } from '../support/depth.ts';
import { createBench } from '../support/judging.ts';

// A key may be any text, a word of our own output as well. It is hidden where the wire or the user showed it, and changes
// nothing that the suite says itself: no verdict, no outcome, no id, no code, no sentence.

const { at, reportOf } = await createBench();

/** A server whose pages begin one drive late, which takes one key, and repeats it in every answer. */
let key = '';
let front: Front;
let mock: Mock;
beforeAll(async () => {
  const drives = Array.from({ length: 6 }, (_, index) => ({
    name: `drive ${index}`,
    createdAt: `2026-01-0${index + 1}T08:00:00Z`,
  }));
  mock = await createMock({ seed: { organizations: [{ name: 'A', keys: ['demo-key'], drives }] } });
  front = await startFront(mock.url, async (request, response, forward) => {
    const isKnown = request.headers['x-api-key'] === key || request.headers.authorization === `Bearer ${key}`;
    const headers = isKnown ? { 'x-api-key': 'demo-key', authorization: 'Bearer demo-key' } : {};
    const path = (request.url ?? '').replace(/(?<=offset=)[1-9]\d*/, (offset) => String(Number(offset) + 1));
    const answer = await forward({ path, headers });
    const echoes = Object.fromEntries(spellingsOf(key).map((spelling, index) => [`x-echo-${index}`, spelling]));
    const { 'content-length': _, ...kept } = answer.headers;
    const body = answer.body.replace(/\}$/, `,"echoes":${JSON.stringify(echoes)}}`);
    response.writeHead(answer.status, { ...kept, ...echoes, 'x-echo': `sent: ${key};` }).end(body);
  });
});
afterAll(async () => {
  await front.close();
  await mock.close();
});

/** How a server may repeat a key. */
function spellingsOf(text: string): string[] {
  const hex = Buffer.from(text).toString('hex');
  return [
    text,
    hex,
    hex.toUpperCase(),
    hex.replaceAll(/../g, '%$&'),
    hex.replaceAll(/../g, '\\u00$&'),
    hex.replaceAll(/../g, '&#x$&;'),
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('base64url'),
    text.toUpperCase(),
    `https://someone:${text}@host/`,
  ];
}

const formats = ['junit', 'html', 'markdown', 'json'] as const;
const selection = ['offset-skips', 'pagination-repeats-offset', 'is-served', 'wrong-*']
  .flatMap((rule) => ['--only', `listDrives.${rule}`])
  .concat(['--only', 'listAgents.*', '--only', 'getDriveFile.is-served']);

async function judgedWith(chosen: string) {
  key = chosen;
  const folder = at('reports');
  // Nothing settles late on this server. A key that is this number would be hidden in the command.
  const target = ['-u', front.baseUrl, '--settle', '250'];
  const args = [...target, ...selection, '--report', formats.join(','), '--report-dir', folder];
  const { code, stdout, stderr, report } = await reportOf(args, { AGENT_PLATFORM_API_KEY: chosen });
  const files = formats.map((name) => readFileSync(join(folder, reporters[name].fileName), 'utf8'));
  return { code, stdout, stderr, report, files };
}

/** A report without what came over the wire, and without what differs from run to run. */
function ownPartOf(report: Report): Report {
  const withoutWire = ({ evidence, ...check }: CheckResult): CheckResult => ({
    ...check,
    durationMs: 0,
    ...(evidence === undefined ? {} : { evidence: { ...evidence, exchanges: [], curl: '' } }),
  });
  const run = { ...report.run, id: '', startedAt: '', durationMs: 0, requests: 0, baseUrl: '' };
  const digest = { contract: '', results: '', ...report.digest, config: {} };
  const words = JSON.parse(JSON.stringify(report.words ?? {}).replaceAll(report.run.id, ''));
  return { ...report, checks: report.checks.map(withoutWire), run, digest, words };
}

/** What a terminal shows of it apart from the exchanges and the URL, which the user gave. */
function headlinesOf(stdout: string): string[] {
  const own =
    /^ *(FAILED|WARNED|NON-|CONF|INCONC|\d+ (failed|checks? need)|Expected|Actual|Required|Keys|Mode|Checks|Run only this check)/;
  const lines = stdout.split('\n').filter((line) => own.test(line));
  return lines.map((line) => line.replace(/'?http:\S+/, ''));
}

const neutral = 'sk-93bf0e5c-neutral';
const words = [
  ...'fail failed passed warned must MUST should conformant NON-CONFORMANT inconclusive enabled key a e x 1 0 19 200'.split(
    ' ',
  ),
  ...'GET status Expected Bearer listDrives offset drives listDrives.offset-skips API_KEY <API_KEY>'.split(' '),
  ...'X-API-Key testcase reading run . $& " \\'.split(' '),
];

describe('redaction of the API key in suite reports', () => {
  let usual: Awaited<ReturnType<typeof judgedWith>>;
  beforeAll(async () => {
    usual = await judgedWith(neutral);
  });

  it('has failures in the run with a neutral key', () => {
    expect(usual).toMatchObject({ code: 1, stderr: '', report: { verdict: 'non-conformant' } });
    expect(usual.report.summary.failed).toBeGreaterThan(0);
  });

  it('hides a neutral key, however the server spells it', () => {
    const all = [usual.stdout, usual.stderr, ...usual.files];
    expect(usual.report.checks.flatMap(({ evidence }) => evidence?.exchanges ?? []).length).toBeGreaterThan(1);
    for (const text of all) for (const spelling of spellingsOf(neutral)) expect(text).not.toContain(spelling);
    expect(usual.files.at(-1)).toContain('https://someone:<API_KEY>@host/');
  });

  it.each(sampleOf(words, 1))('does not change the suite output when the key is the word %j', async (word) => {
    const { code, stderr, stdout, report, files } = await judgedWith(word);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(ownPartOf(report)).toEqual(ownPartOf(usual.report));
    expect(headlinesOf(stdout)).toEqual(headlinesOf(usual.stdout));
    expect(files).toEqual(formats.map((name) => reporters[name].write(report)));
    for (const { evidence } of report.checks)
      for (const { request, response } of evidence?.exchanges ?? []) {
        if (word !== '<API_KEY>') expect(Object.values(request.headers)).not.toContain(word);
        expect(response?.headers['x-echo']).toBe('sent: <API_KEY>;');
      }
  });
});
