/** One part of the sources, and the tests that are to notice every fault in it. */
export interface MutatedPart {
  files: readonly string[];
  /** Each of these takes less than a second or two. They call the code in their own process, where a fault is switched on. */
  quickTests: readonly string[];
  /** For the faults that those miss. */
  tests: readonly string[];
}

const named = (names: string) => names.split(/\s+/).map((name) => `test/${name}.test.ts`);

const walks = 'test/mutation/walks.ts';
const guesses = 'test/mutation/guesses.ts';
const readings = 'test/mutation/readings.ts';

/** These record what happens without a fault, when they run for the first time. */
export const recorders: ReadonlySet<string> = new Set([guesses, readings]);

/** The parts by their names. */
export const parts: Readonly<Record<string, MutatedPart>> = {
  contract: {
    files: ['openapi/contract/*.ts', '!openapi/contract/*.gen.ts'],
    quickTests: [
      walks,
      ...named(`contract-rules choices contract-facts registers told-open-points sampled-refusals violations library conformance-config
        shown-command optional-packages selection option-rules choice-rules document-rules data-files`),
    ],
    tests: named('finer-open-points contract file-text contract-command browser-compiler'),
  },
  reading: {
    files: ['openapi/reading/*.ts'],
    quickTests: [
      readings,
      ...named(`reading reading-parts reading-rules har learned-profile curl judged-once redaction-of-words secrets
        secrets-of-keys proxy-judging conformance-names`),
    ],
    tests: named('same-reading proxy-legal observe-others'),
  },
  domain: {
    files: ['src/domain/*.ts'],
    quickTests: [
      ...named('domain seed-rules due-tasks'),
      walks,
      ...named('choices reseed snapshot-rules seeds path-rule key-first'),
    ],
    tests: named('control-resources sandboxes snapshot kept-state'),
  },
  engine: {
    files: ['src/engine/**/*.ts'],
    quickTests: [
      walks,
      guesses,
      ...named(
        'engine-rules due-tasks open-points-header kept-pages choices key-first bad-inputs sampled-refusals fetch reseed snapshot-rules engine-calls sandbox-rules',
      ),
    ],
    tests: named('finer-open-points http untold sandboxes kept-state'),
  },
  suite: {
    files: ['conformance/*.ts', 'conformance/{config,move-log,plan,target}/*.ts'],
    quickTests: named(`conformance-config conformance-expected causes report-digest compare closing-text selection
      secrets-of-keys conformance-move-log conformance-unread-list conformance-known conformance-require conformance-lanes
      conformance-server-errors curl reporters conformance-names conformance-foreign-tools plan-rules schedule-rules
      reach-rules exchange-rules circumstances-rules choices-required target-rules session-rules reaching run-rules
      registered-checks`),
    tests: named(
      `conformance conformance-plan strange-answers conformance-doctor conformance-crashes conformance-restore`,
    ),
  },
};
