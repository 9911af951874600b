import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { parse, type TestSuites } from 'junit2json';
import { describe, expect, it } from 'vitest';
import { nameCauses } from '../../conformance/causes.ts';
import { allChecks } from '../../conformance/checks/index.ts';
import { toSettings } from '../../conformance/config/settings.ts';
import { parseReport } from '../../conformance/parse-report.ts';
import { Patience } from '../../conformance/patience.ts';
import type { Report } from '../../conformance/report.ts';
import { toAnnotations } from '../../conformance/reporters/annotations.ts';
import { reporters } from '../../conformance/reporters/index.ts';
import { toTerminal } from '../../conformance/reporters/terminal.ts';
import { runSuite } from '../../conformance/run.ts';
import { runCheck } from '../../conformance/run-check.ts';
import type { Session } from '../../conformance/session.ts';
import { Inconclusive, Violated } from '../../conformance/signals.ts';
import type { Exchange } from '../../conformance/target/exchange.ts';
import type { Reply } from '../../conformance/target/reply.ts';
import { asJson, say } from '../../openapi/reading/sentence.ts';
import { startFront } from '../../proof/power/front.ts';
import { createMock } from '../../src/index.ts';
import { depth, isFull, randomSeed } from '../support/depth.ts';
import { anyText } from '../support/hostile.ts';
import { sampleReport } from '../support/sample-report.ts';
import { strangeAnswers } from '../support/strange-answers.ts';
import { wholeConfig } from '../support/whole-settings.ts';

/** The report on a mock of whose answers about one in `every` is strange. */
async function judgeStrange(seed: number, every: number): Promise<Report> {
  const mock = await createMock();
  const front = await startFront(mock.url, strangeAnswers(seed, every));
  try {
    const limits = { settleMs: 20, timeoutMs: 10_000, maxRequests: 4_000 };
    const settings = toSettings({ ...wholeConfig(mock), ...limits, baseUrl: front.baseUrl });
    return await runSuite(settings, { tool: 'test', only: isFull ? [] : ['list*', 'getDriveFile.*', 'createDrive.*'] });
  } finally {
    await front.close();
    await mock.close();
  }
}

const known =
  /^<\/?(html|head|meta|title|style|body|a|header|p|h[1-4]|nav|ul|li|b|br|main|section|div|table|caption|thead|tbody|tr|th|td|dl|dt|dd|code|span|q|strong|pre|details|summary|article|form|label|select|option|input|output|footer|script|time)\b/;

/** Tags that no report has, unless a text became one. */
function foreignTags(html: string): string[] {
  const text = html.replace(/<style>[\s\S]*?<\/style>/, '').replace(/<script>[\s\S]*?<\/script>/, '');
  return (text.match(/<[^!][^>]*>?/g) ?? []).filter((tag) => !known.test(tag) || /\son\w+=|\ssrc=/.test(tag));
}

/** Every format shows the report, and nothing in it becomes markup, a command or a control character. */
async function expectReadable(report: Report): Promise<void> {
  expect(parseReport(JSON.stringify(report), 'the report')).toEqual(report);
  const plain = toTerminal(report, { color: false, command: 'npx agent-platform-contract conformance' });
  expect(plain).not.toMatch(/[^\P{Cc}\n\t]|\p{Cs}/u);
  expect(
    stripVTControlCharacters(toTerminal(report, { color: true, command: 'npx agent-platform-contract conformance' })),
  ).toBe(plain);
  expect(foreignTags(reporters.html.write(report))).toEqual([]);
  const suites = (await parse(reporters.junit.write(report), {})) as TestSuites;
  expect(suites.testsuite?.[0]?.testcase).toHaveLength(report.checks.length);
  expect(reporters.markdown.write(report)).toContain('| failed | warned |');
  expect(
    toAnnotations(report, 'x')
      .split('\n')
      .filter((line) => !/^(::(error|warning) title=[^:,]*::.*)?$/.test(line)),
  ).toEqual([]);
}

describe('a run over a target with strange answers', () => {
  const cases = Array.from({ length: depth(1, 40) }, (_, index) => [randomSeed + index, [3, 10, 40][index % 3] ?? 3]);

  it.each(cases)('ends with a report that every format can show: seed %i, one in %i', async (seed, every) => {
    const report = await judgeStrange(seed, every);
    expect(report.run.suiteError).toBeUndefined();
    await expectReadable(report);
  });
});

/** What a check may find in an answer: every JSON type, absent, deep, huge, any text. */
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, 0, -1, 1e21, '', [], {}, { length: -1 }, [[[]]]),
  fc.jsonValue({ maxDepth: 4 }),
  fc.constant('x'.repeat(100_000)),
  anyText,
);
const anyHeaders = fc.dictionary(anyText, anyText, { maxKeys: 3 });
const anyBody = fc.oneof(
  anyText,
  fc.json(),
  fc.integer({ min: 1, max: 900 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
);
const anyReply = fc
  .record({ url: anyText, sent: anyHeaders, body: fc.option(anyBody, { nil: undefined }), status: fc.nat(999) })
  .chain(({ url, sent, body, status }) =>
    fc.record({ headers: anyHeaders, text: anyBody }).map(({ headers, text }): Exchange => {
      const request = { method: 'GET', url, headers: sent, ...(body === undefined ? {} : { body }) };
      return { request, response: { status, headers, body: text }, durationMs: 1 };
    }),
  )
  .map((exchange) => ({ exchange }) as Reply);
const anySignal = fc.oneof(
  fc.tuple(anyValue, anyValue, fc.array(anyReply, { maxLength: 3 })).map(([expected, actual, replies]) => {
    return new Violated(say`${asJson(expected)}`, asJson(actual), replies);
  }),
  anyValue.map((value) => new Inconclusive('DATA', say`It is ${asJson(value)}.`, 'listAgents.is-served')),
);

describe('a report on whatever checks find', () => {
  it('can be shown in every format', async () => {
    const session = {
      redact: (text: string) => text,
      operations: new Map(),
      target: { crashes: [] },
      patience: new Patience(0),
      settings: {},
    } as unknown as Session;
    const checks = allChecks().filter(({ id }) => /^list\w+\.(is-served|no-key|near-key.*|foreign-resource)$/.test(id));
    await fc.assert(
      fc.asyncProperty(fc.array(anySignal, { minLength: checks.length, maxLength: checks.length }), async (signals) => {
        const judged = checks.map((check, index) =>
          runCheck(session, { ...check, run: () => Promise.reject(signals[index] as Error) }),
        );
        await expectReadable(sampleReport(nameCauses(await Promise.all(judged))));
      }),
      { seed: randomSeed, numRuns: depth(12, 300) },
    );
  });
});
