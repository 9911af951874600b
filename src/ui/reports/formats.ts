import { choice, flag, type Held, list, number, object, oneOf, record, text } from './shape.ts';

/*
 * The parts of both reports that the page shows. A test compares them with conformance/report.schema.json and the types
 * of the tools that write the reports.
 */

const exchange = object(
  { request: object({ method: text, url: text, headers: record(text) }, { body: text }), durationMs: number },
  {
    operation: text,
    requestId: text,
    response: object({ status: number, headers: record(text), body: text }),
    failure: object({ kind: text, message: text }),
  },
);

const evidence = object({ expected: text, actual: text, exchanges: list(exchange) }, { curl: text, smallest: text });

/** The outcomes of a check, worst first. */
export const outcomes = ['failed', 'warned', 'inconclusive', 'not-enabled', 'skipped', 'passed'] as const;

const check = object(
  {
    ...{ id: text, requirements: list(text), level: oneOf('must', 'should'), operation: text },
    ...{ outcome: oneOf(...outcomes), reason: text, durationMs: number },
  },
  {
    ...{ evidence, required: list(object({ text, sections: list(text), pointers: list(text) })) },
    ...{ setting: text, obstacle: text, because: text, expectedFailure: text, noLongerExpected: text },
  },
);

const run = object(
  { tool: text, contractVersion: text, baseUrl: text, startedAt: text, durationMs: number, requests: number },
  {
    ...{ targetName: text, suiteError: text, moveLog: text },
    crashes: list(object({ request: text, isRepeated: flag }, { check: text })),
  },
);

/** What `conformance --json` writes. */
export const conformanceShape = object(
  {
    verdict: oneOf('conformant', 'non-conformant', 'inconclusive'),
    ...{ checks: list(check), observed: record(choice), samples: record(text) },
    leftovers: list(object({ kind: text, id: text, note: text }, { name: text })),
    expectedFailures: object({ stale: list(text), notJudged: list(text) }),
    run,
  },
  {
    serverErrors: list(object({ method: text, path: text, status: number, count: number, curl: text })),
    requiredChoices: list(object({ openPoint: text, required: choice }, { seen: choice, reason: text })),
    digest: object({ contract: text }),
  },
);

const relied = object({
  ...{ openPoint: text, reliesOn: choice, redWith: choice, open: text, legal: text, question: text },
});
const dependency = object({
  ...{ openPoints: list(relied), variant: text, redRuns: number, ending: text, output: text, again: text, mock: text },
});
const counted = object({ tried: number, all: number });

/** What `vary --json` writes. */
export const varyShape = object(
  {
    ...{ tool: text, startedAt: text, durationMs: number, command: list(text), runs: number },
    settings: object({ impact: text, randomSeed: number, maxRuns: number }),
    base: object({
      ...{ choices: record(choice), outcome: oneOf('green', 'red', 'unknown') },
      ...{ runs: number, red: number, requests: number, output: text },
    }),
    dependencies: list(dependency),
    openPoints: list(
      object(
        { id: text, outcome: oneOf('reliedOn', 'free', 'notVaried', 'notMet'), greenWith: list(choice) },
        { notVariedBecause: text },
      ),
    ),
    coverage: object({ choices: counted, pairs: counted }),
    variants: list(
      object(
        { name: text, choices: record(choice), remaining: record(choice), outcome: text, runs: number, red: number },
        { again: text },
      ),
    ),
    endedBy: text,
  },
  {
    flakiness: object({
      ...{ runs: number, red: number, ending: text, output: text },
      variants: list(object({ purpose: text, choices: record(choice), runs: number, red: number })),
    }),
  },
);

export type Outcome = (typeof outcomes)[number];
export type ConformanceReport = Held<typeof conformanceShape>;
export type Check = ConformanceReport['checks'][number];
export type Exchange = Held<typeof exchange>;
export type VaryReport = Held<typeof varyShape>;
export type Dependency = VaryReport['dependencies'][number];
