import { globSync } from 'node:fs';

/** One part of the sources, and the tests that are to notice every fault in it. */
export interface MutatedPart {
  files: readonly string[];
  /** Each of these takes less than a second or two. They call the code in their own process, where a fault is switched on. */
  quickTests: readonly string[];
  /** For the faults that those miss. */
  tests: readonly string[];
}

const named = (names: string) => names.split(/\s+/).map((name) => `test/${name}.test.ts`);

/** All tests of these folders that `npm test` runs. */
const allIn = (...folders: readonly string[]) =>
  globSync(folders.map((folder) => `test/${folder}/*.test.ts`)).filter((name) => !name.endsWith('.full.test.ts'));

const walks = 'proof/mutation/walks.ts';
const guesses = 'proof/mutation/guesses.ts';
const readings = 'proof/mutation/readings.ts';

/** These record what happens without a fault, when they run for the first time. */
export const recorders: ReadonlySet<string> = new Set([guesses, readings]);

/** The parts by their names. */
export const parts: Readonly<Record<string, MutatedPart>> = {
  lib: {
    files: ['lib/*.ts'],
    quickTests:
      named(`unit/text contract/violations contract/secrets contract/redaction-of-words contract/redaction contract/curl contract/har contract/options-table
      contract/data-files cli/shown-command cli/optional-packages suite/config suite/names suite/reporters`),
    tests: allIn('suite', 'cli'),
  },
  contract: {
    files: ['openapi/contract/*.ts', '!openapi/contract/*.gen.ts'],
    quickTests: [
      walks,
      ...named(`contract/contract contract/choices contract/registers mock/sampled-refusals contract/violations mock/library suite/config
        suite/selection contract/choices-table contract/documents-of-profiles`),
    ],
    tests: named('cli/contract-command contract/browser-compiler contract/generated'),
  },
  reading: {
    files: ['openapi/reading/*.ts', 'openapi/points/*.ts'],
    quickTests: [
      readings,
      guesses,
      ...named(`contract/reading-parts contract/reading-rules contract/learned-profile contract/open-points-header
        contract/choices proxy/judging suite/names`),
    ],
    tests: named('contract/same-reading proxy/legal suite/observe-others'),
  },
  domain: {
    files: ['src/domain/*.ts'],
    quickTests: [
      ...named('unit/domain mock/seed-table'),
      walks,
      ...named('contract/choices mock/reseed mock/snapshot-table mock/seeds contract/path-rule mock/key-first'),
    ],
    tests: named(
      `mock/admin-resources mock/sandboxes mock/snapshot mock/kept-state mock/state-file mock/rules mock/http mock/live-mcp
      mock/bad-inputs mock/admin-api contract/generated`,
    ),
  },
  engine: {
    files: ['src/engine/**/*.ts'],
    quickTests: [
      walks,
      guesses,
      ...named(
        'mock/rules contract/open-points-header mock/kept-pages contract/choices mock/key-first mock/bad-inputs mock/sampled-refusals mock/fetch mock/reseed mock/snapshot-table',
      ),
    ],
    tests: named('contract/choices-table mock/http mock/sandboxes mock/kept-state'),
  },
  suite: {
    files: ['conformance/{run,report,safety,target}/*.ts'],
    quickTests:
      named(`suite/config suite/expected suite/causes suite/report-digest suite/compare suite/closing-text suite/selection
      contract/secrets suite/move-log suite/findings suite/exit-codes suite/require suite/pace
      contract/curl suite/reporters suite/names suite/schedule
      suite/foreign-answers suite/exchanges suite/circumstances-table suite/target suite/session
      suite/registered-checks`),
    tests: allIn('suite', 'cli'),
  },
};
