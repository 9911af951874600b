import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.ts';
import type { Report } from '../../conformance/report/report.ts';
import { headlineText } from '../../conformance/report/words.ts';
import { lackOf } from '../../conformance/run/needs.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { toSettings } from '../../conformance/run/settings.ts';
import { exitCodeOf } from '../../conformance/run/verdict.ts';
import { type Mode, settingsForMock } from '../../proof/power/fixtures.ts';
import type { WireFault } from '../../proof/power/mutant.ts';
import { takeSnapshot } from '../../proof/power/snapshot.ts';
import { createMock } from '../../src/index.ts';
import { hasJustRun, isFull, sampleOf } from '../support/depth.ts';
import { type Death, type Dying, deaths, startDying } from '../support/dying-target.ts';
import { judgeServer } from '../support/judged-server.ts';
import { createBench } from '../support/judging.ts';
import { timeLimit } from '../support/time-limit.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

const { mock, reading: environment, conformance, reportOf, at } = await createBench();

/** The most requests after the target is gone: those in progress, and a few to see whether it answers. */
const mostAfterwards = 20;
const lost = /^The target has not responded since (GET|POST|PATCH|DELETE) http:\/\/\S+: \S/;
const settleMs = timeLimit(150);
const hanging = { settleMs, timeoutMs: timeLimit(1000) };
// An answer that is late on a busy machine is a failure of its own. Only a target that hangs has to be waited for.
const patient = { settleMs, timeoutMs: timeLimit(20_000) };

let runs = 0;

/** The requests of a trace that the target did not answer, as method and URL. */
function unansweredIn(trace: string): string[] {
  const { log } = JSON.parse(readFileSync(trace, 'utf8')) as {
    log: { entries: { request: { method: string; url: string }; response: { status: number } }[] };
  };
  const unanswered = log.entries.filter(({ response }) => response.status === 0 || response.status === 502);
  return unanswered.map(({ request: { method, url } }) => `${method} ${url}`);
}

interface Ended {
  report: Report;
  /** The requests without an answer. Requests that are sent together fail in any order. */
  unanswered: readonly string[];
  before: Map<string, string>;
  after: Map<string, string>;
  /** How many requests it sent after the death. */
  spare: number;
}

/** A run against a target that dies, and the files before and after. */
async function runOverDying(dying: Dying, mode: Mode): Promise<Ended> {
  const mock = await createMock();
  const before = takeSnapshot(mock).files;
  const target = await startDying(mock.url, dying);
  const trace = at(`${++runs}.har`);
  const limits = dying.death === 'hangs' ? hanging : patient;
  const settings = settingsForMock(mock, target.baseUrl, mode, limits);
  // Whether the target is back depends on how often it was asked, not on how long ago.
  const options = { trace, only, moveLog: at(`${runs}.jsonl`), clock: createWaitingClock() };
  const report = await runSuite(settings, { tool: 'test', ...options });
  await target.close();
  const after = takeSnapshot(mock).files;
  await mock.close();
  // How many requests a run sends depends on the machine. One that ended before the death is repeated with an earlier one.
  if (target.victim() === undefined) return runOverDying({ ...dying, answers: report.run.requests - 10 }, mode);
  return { report, unanswered: unansweredIn(trace), before, after, spare: report.run.requests - dying.answers };
}

const idIn = (key: string) => String(JSON.parse(key)[1]);
const idsOf = (report: Report) =>
  report.leftovers.filter(({ kind }) => kind === 'file' || kind === 'deletedFile').map(({ id }) => id);

/** The files that were moved or deleted. */
function displaced(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...before].filter(([key, path]) => after.get(key) !== path).map(([key]) => idIn(key));
}

// The quick run leaves out what has nothing to do with files.
const only = isFull
  ? []
  : ['listAgents.*', 'getDriveFile.*', 'updateDriveFile.path*', 'deleteDriveTree.file-below-is-gone'];
/** About as many requests as a run sends to a correct target. */
const requestsOf = isFull ? { read: 600, write: 2_600 } : { read: 160, write: 620 };

describe('a run against a target that stops responding', () => {
  const early = [0.02, 0.1, 0.2, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9];
  // In the last tenth the files are read, compared and moved back.
  const moments = [...early, 0.985, 0.94, 0.96, 0.97, 0.98, 0.99, 0.975, 0.995];
  const reading = deaths.flatMap((death) =>
    [0.02, 0.3, 0.6, 0.97].map((place) => ({ death, place, carriesOut: false, mode: 'read' as const })),
  );
  const writing = moments.map((place, index) => ({
    death: deaths[index % 4] as Death,
    place,
    carriesOut: index % 8 < 4,
    mode: 'write' as const,
  }));

  it.each([...sampleOf(reading, 1), ...sampleOf(writing, 1)])(
    'exits with 3, names the request and has a correct receipt: $death at $place, $mode',
    async ({ death, place, carriesOut, mode }) => {
      const answers = Math.floor(requestsOf[mode] * place);
      const { report, unanswered, before, after, spare } = await runOverDying({ death, answers, carriesOut }, mode);
      expect(report.run.suiteError).toMatch(lost);
      const [, named] = /since (\S+ http:\S+): /.exec(report.run.suiteError ?? '') ?? [];
      expect(unanswered).toContain(named);
      expect(exitCodeOf(report, false)).toBe(3);
      expect(spare).toBeLessThanOrEqual(mostAfterwards);
      const [changed, reported] = [displaced(before, after), idsOf(report)];
      const mayHaveChanged = (id: string) =>
        changed.includes(id) || unanswered.some((request) => request.startsWith('PATCH') && request.includes(id));
      expect(changed.filter((id) => !reported.includes(id))).toEqual([]);
      expect(reported.filter((id) => !mayHaveChanged(id))).toEqual([]);
      expect(new Set(reported).size).toBe(reported.length);
      if (mode === 'read') expect(report.leftovers).toEqual([]);
    },
  );

  const away = [0.45, 0.58, 0.7, 0.85];

  const returning = away.flatMap((place, index) => [
    { death: index % 2 === 0 ? ('resets' as const) : ('gateway' as const), backAfter: 7, place },
    ...(index % 2 === 0 ? [] : [{ death: 'hangs' as const, backAfter: 4, place }]),
  ]);
  // To hang takes time.
  it.each(sampleOf(isFull ? returning : returning.filter(({ death }) => death !== 'hangs'), 1))(
    'moves files back once the target responds again: $death at $place',
    async ({ death, backAfter, place }) => {
      const answers = Math.floor(requestsOf.write * place);
      const { report, before, after } = await runOverDying({ death, answers, carriesOut: true, backAfter }, 'write');
      expect(report.run.suiteError).toMatch(lost);
      expect(exitCodeOf(report, false)).toBe(3);
      const moved = [...after].filter(([key, path]) => before.get(key) !== path);
      expect(moved).toEqual([]);
      const gone = [...before.keys()].filter((key) => !after.has(key)).map(idIn);
      expect(idsOf(report).sort()).toEqual(gone.sort());
    },
  );

  const ending = [0.05, 0.4, 0.6, 0.9].flatMap((place) =>
    (['expires', 'suspended'] as const).flatMap((death) => [
      { death, place, mode: 'read' as const },
      { death, place, mode: 'write' as const },
    ]),
  );
  it.each(sampleOf(ending, 1))(
    'exits with 3 and says that the key is no longer accepted: $death at $place, $mode',
    async ({ death, place, mode }) => {
      const answers = Math.floor(requestsOf[mode] * place);
      const { report, before, after, spare } = await runOverDying({ death, answers, carriesOut: false }, mode);
      expect(report.checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      expect(report.run).toMatchObject({
        suiteError: expect.stringMatching(/^The target has not accepted the key since \S+ http:\S+: status 40[13]\.$/),
        endedBy: 'key',
      });
      expect(headlineText(report)).toMatch(/^INCONCLUSIVE: the target no longer accepts the key[,;] /);
      expect(exitCodeOf(report, false)).toBe(3);
      // Besides: requests with a key that must be refused are still being sent, and get their responses.
      expect(spare).toBeLessThanOrEqual(2 * mostAfterwards);
      expect(displaced(before, after).filter((id) => !idsOf(report).includes(id))).toEqual([]);
    },
  );
});

describe.skipIf(hasJustRun)('the command line', () => {
  it('names the request without a response in a run and in the doctor', async () => {
    for (const [args, answers, exitCode] of [
      [['--settle', '30', '--timeout', '2000'], 40, 3],
      [['doctor', '--timeout', '2000'], 6, 2],
    ] as const) {
      const target = await startDying(mock.url, { death: 'resets', answers, carriesOut: false });
      const { code, stdout, stderr } = await conformance(args, {
        ...environment,
        AGENT_PLATFORM_BASE_URL: target.baseUrl,
      });
      await target.close();
      expect(stdout + stderr).toMatch(/The target has not responded since GET http:\S+: the connection closed/);
      expect(code).toBe(exitCode);
    }
  });
});

/** The settings of a run with a key alone, and the checks that it skips. */
const settings = toSettings({ baseUrl: mock.url, apiKey: 'demo-key' });
const hosted = ['sse', 'streamable-http'].map((name) => `listMcpServerTools.hosted-tools.${name}`);

describe.skipIf(hasJustRun)('a run that ends early', () => {
  it.each([
    ['without a target', 'resets', []],
    ['without a key', 'expires', []],
    ['at its limit', undefined, ['--max-requests', '60']],
  ] as const)('counts as inconclusive nothing that its settings do not enable: %s', async (_, death, args) => {
    const target = death && (await startDying(mock.url, { death, answers: 60, carriesOut: false }));
    const AGENT_PLATFORM_BASE_URL = target?.baseUrl ?? mock.url;
    const limits = ['--settle', '30', '--timeout', '2000', ...args];
    const one = { AGENT_PLATFORM_API_KEY: 'demo-key', AGENT_PLATFORM_BASE_URL };
    const { code, stdout, report } = await reportOf(limits, one);
    await target?.close();
    const enabled = new Set(allChecks().flatMap(({ id, needs }) => (lackOf(needs, settings) ? [] : [id])));
    expect(stdout).toContain(`${enabled.size} can run with these settings`);
    const unjudged = report.checks.filter(({ outcome }) => outcome === 'inconclusive');
    expect(unjudged.length).toBeGreaterThan(100);
    expect(unjudged.filter(({ id }) => !enabled.has(id))).toEqual([]);
    // As in a run to the end.
    expect(report.checks.flatMap(({ id, outcome }) => (outcome === 'skipped' ? [id] : []))).toEqual(hosted);
    expect(code).toBe(3);
  });
});

describe('a request without a response when others get one', () => {
  interface Cut {
    mode?: Mode;
    isCutOff(request: IncomingMessage, body: string): boolean;
    how?: 'reset' | 'hang';
    isFatal?(request: IncomingMessage): boolean;
    only: string[];
  }

  /** A run against a target that leaves some requests without an answer. After one that is fatal, it fails at the others. */
  async function outcomes({ mode = 'read', isCutOff, how = 'reset', isFatal = () => false, only }: Cut) {
    let isIll = false;
    const fault: WireFault = async (request, response, forward) => {
      let sent = '';
      const { status, headers, body } = await forward({ body: (text) => (sent = text) });
      isIll ||= isFatal(request);
      if (isCutOff(request, sent)) return void (how === 'reset' && request.socket.destroy());
      if (isIll) response.writeHead(500).end();
      else response.writeHead(status, headers).end(body);
    };
    const config = how === 'hang' ? hanging : patient;
    const { report } = await judgeServer({ wire: () => fault }, only, { mode, config, clock: createWaitingClock() });
    expect(report.run.suiteError).toBeUndefined();
    const outcomeOf = Object.fromEntries(report.checks.map(({ id, outcome }) => [id, outcome]));
    return { report, outcomeOf };
  }

  const hasNoKey = ({ headers }: IncomingMessage) => !('x-api-key' in headers) && !('authorization' in headers);

  const toNone = ({ url = '' }: IncomingMessage) => /-none\/tools$/.test(url);
  const hasDots = ({ method }: IncomingMessage, body: string) => method === 'PATCH' && body.includes('..');
  const noKey = ['listAgents.no-key-is-401', 'listMcpServerTools.no-key-is-401'] as const;
  const ofBoth = (outcome: string) => Object.fromEntries(noKey.map((id) => [id, outcome]));

  it.each<[string, Omit<Cut, 'only'>, object]>([
    ['anything when valid requests fail as well', { isCutOff: hasNoKey, isFatal: hasNoKey }, ofBoth('inconclusive')],
    ['a 404', { isCutOff: toNone }, { 'listMcpServerTools.unknown-server': 'failed' }],
    [
      'anything against a 404 when valid requests fail as well',
      { isCutOff: toNone, isFatal: toNone },
      { 'listMcpServerTools.unknown-server': 'inconclusive' },
    ],
    [
      'refusing or accepting a path',
      { isCutOff: hasDots, mode: 'write' },
      {
        'updateDriveFile.is-served': 'passed',
        'updateDriveFile.dot-dot-segment.generated': expect.stringMatching(/^(failed|warned|inconclusive)$/),
        'updateDriveFile.legal-dots.inside': expect.stringMatching(/^(failed|warned|inconclusive)$/),
        'updateDriveFile.legal-dots.generated': 'warned',
      },
    ],
  ])('does not count as %s', async (_, how, expected) => {
    expect((await outcomes({ ...how, only: Object.keys(expected) })).outcomeOf).toMatchObject(expected);
  });

  // To hang takes time.
  it.each(isFull ? (['reset', 'hang'] as const) : (['reset'] as const))(
    'fails no check of another request: %s',
    async (how) => {
      const only = ['listAgents', 'listMcpServerTools'].flatMap((operation) =>
        ['no-key*', 'wrong-key-is-401', 'is-served'].map((rule) => `${operation}.${rule}`),
      );
      const { report, outcomeOf } = await outcomes({ isCutOff: hasNoKey, how, only });
      expect(exitCodeOf(report, false)).toBe(1);
      expect(outcomeOf).toMatchObject({ [noKey[0]]: 'warned', [noKey[1]]: 'failed', 'listAgents.is-served': 'passed' });
      const fine = report.checks.filter(({ id, outcome }) => /\.no-key/.test(id) && outcome === 'passed');
      expect(fine.map(({ id }) => id)).toEqual([]);
      // What hung twice for callers without a valid key is not asked again by another one, unless that one asked already.
      expect(outcomeOf['listAgents.wrong-key-is-401']).toMatch(
        how === 'reset' ? /^passed$/ : /^(passed|inconclusive)$/,
      );
    },
  );

  it('counts for nothing when its response comes later', async () => {
    const broken = new Map<string, number>();
    const breaksTwice = (request: IncomingMessage) => {
      const { url = '' } = request;
      if (hasNoKey(request)) broken.set(url, (broken.get(url) ?? 0) + 1);
      return hasNoKey(request) && (broken.get(url) ?? 0) <= 2;
    };
    const { outcomeOf } = await outcomes({ isCutOff: breaksTwice, only: [...noKey] });
    expect(Math.min(...broken.values())).toBe(3);
    expect(outcomeOf).toMatchObject(ofBoth('passed'));
  });

  it('is not taken for another one to the same operation', async () => {
    const isCutOff = ({ method, headers }: IncomingMessage) =>
      method === 'PATCH' && headers['content-type'] === 'text/plain';
    const only = ['updateDriveFile.wrong-input-is-not-let-through', 'updateDriveFile.*-key-moves-nothing'];
    const { outcomeOf } = await outcomes({ isCutOff, mode: 'write', how: 'hang', only });
    const ends = ['no', 'wrong'].map((kind) => outcomeOf[`updateDriveFile.${kind}-key-moves-nothing`]);
    expect(ends).toEqual([expect.stringMatching(/passed|inconclusive/), expect.stringMatching(/passed|inconclusive/)]);
    expect(ends).toContain('inconclusive');
  });
});
