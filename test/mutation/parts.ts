/** One part of the sources, and the tests that are to notice every fault in it. */
export interface MutatedPart {
  files: readonly string[];
  /** Each of these takes less than a second or two. They call the code in their own process, where a fault is switched on. */
  quickTests: readonly string[];
  /** For the faults that those miss. */
  tests: readonly string[];
}

const named = (names: string) => names.split(/\s+/).map((name) => `test/${name}.test.ts`);

/** The parts by their names. */
export const parts: Readonly<Record<string, MutatedPart>> = {
  contract: {
    files: ['openapi/contract/*.ts'],
    quickTests: named(`contract-facts registers told-open-points played-refusals violations finer-open-points library
      conformance-config shown-command optional-packages selection`),
    tests: named('contract file-text contract-command choices browser-compiler'),
  },
  reading: {
    files: ['openapi/reading/*.ts'],
    quickTests: named('reading secrets secrets-of-keys large-input proxy-judging conformance-names questions'),
    tests: named('same-reading observe proxy-random'),
  },
  domain: {
    files: ['src/domain/*.ts'],
    quickTests: named('domain seed-rules reseed snapshot-rules seeds path-rule key-first finer-open-points'),
    tests: named('choices control-resources worlds snapshot random-profiles kept-state'),
  },
  engine: {
    files: ['src/engine/**/*.ts'],
    quickTests: named('kept-pages key-first played-refusals fetch reseed snapshot-rules finer-open-points'),
    tests: named('http bad-inputs choices untold worlds random-profiles kept-state guesses'),
  },
  suite: {
    files: ['conformance/*.ts', 'conformance/{config,journal,plan,target}/*.ts'],
    quickTests: named(`conformance-config conformance-expected causes certificate compare closing-text selection
      secrets-of-keys conformance-journal conformance-unread-list conformance-known`),
    tests: named('conformance conformance-plan conformance-server-errors conformance-doctor conformance-crashes'),
  },
};
