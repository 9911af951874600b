/** One part of the sources, and the tests that are to notice every fault in it. */
export interface MutatedPart {
  files: readonly string[];
  /** Quick ones that call the code in their own process: a fault is switched on inside of it. */
  tests: readonly string[];
}

const test = (names: string) => names.split(' ').map((name) => `test/${name}.test.ts`);

/** The parts by their names. */
export const parts: Readonly<Record<string, MutatedPart>> = {
  contract: {
    files: ['openapi/contract/*.ts'],
    tests: test(
      'contract contract-facts registers told-open-points played-refusals violations finer-open-points library file-text conformance-config shown-command optional-packages contract-command choices',
    ),
  },
  reading: {
    files: ['openapi/reading/*.ts'],
    tests: test(
      'reading secrets secrets-of-keys same-reading large-input proxy-judging conformance-names observe questions',
    ),
  },
  domain: {
    files: ['src/domain/*.ts'],
    tests: test(
      'domain seeds snapshot snapshot-rules reseed path-rule choices control-resources worlds random-profiles',
    ),
  },
  engine: {
    files: ['src/engine/**/*.ts'],
    tests: test(
      'kept-pages bad-inputs choices http played-refusals key-first untold worlds random-profiles kept-state fetch',
    ),
  },
  suite: {
    files: ['conformance/*.ts', 'conformance/{config,journal,plan,target}/*.ts'],
    tests: test(
      'conformance-plan conformance-config conformance-expected causes certificate compare conformance-journal conformance-server-errors conformance-unread-list conformance-known closing-text conformance',
    ),
  },
};
