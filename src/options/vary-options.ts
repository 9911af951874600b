// To add an option: here; pass it to the search in `src/vary/vary.ts`, and name it in the report in `src/vary/report.ts`.
import { defineOptions, inGroup, type Values } from '../../lib/options.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { mockOptions } from './mock-options.ts';
import { colorOption, reportOptions, servingOptions } from './shared-options.ts';

/** The settings of a search. Types, defaults, the command line, help and documents derive from this table. */
export const varyOptions = defineOptions({
  ...inGroup('Base', {
    profile: {
      ...servingOptions.profile,
      help: 'YAML or JSON file with choices for open points (unspecified behaviour). Your tests must pass with them; vary starts from them and changes them',
    },
    set: { ...servingOptions.set, help: 'Choice that stays the same in every variant' },
    seed: {
      ...mockOptions.seed,
      help: 'Initial data of every mock: a YAML or JSON file, or the built-in demo. Your tests get the first API key in it',
    },
    clock: mockOptions.clock,
    openKeys: mockOptions.openKeys,
  }),
  ...inGroup('Variants', {
    impact: {
      kind: 'text',
      values: ['hidden', 'visible'],
      default: 'visible',
      idleWith: ['only'],
      isCommon: true,
      help: 'hidden: vary only what no correct client can notice; visible: vary that and the rest. foreignResources and what needs real MCP servers are never varied',
    },
    runs: {
      kind: 'integer',
      maximum: 10_000,
      default: 20,
      idleWith: ['only'],
      isCommon: true,
      help: 'Maximum number of random profiles. The search ends earlier once all choices and pairs of choices have been tried',
    },
    randomSeed: {
      kind: 'integer',
      default: 1,
      idleWith: ['only'],
      isCommon: true,
      help: 'Random seed for the profiles. The same number gives the same profiles, as long as your tests behave the same',
    },
    learned: {
      kind: 'file',
      isRepeatable: true,
      help: 'Profile learned from a real server (conformance --observe). It is tried before the random profiles',
    },
    only: {
      kind: 'text',
      placeholder: '<open point>=<choice>',
      isRepeatable: true,
      nameEnd: '=',
      isCommon: true,
      help: 'Skip the random profiles: test the base profile with only the given choice changed. If repeated, all the given choices are changed together, in one profile',
    },
  }),
  ...inGroup('Test runs', {
    parallel: {
      kind: 'integer',
      minimum: 1,
      maximum: 64,
      default: 1,
      isCommon: true,
      help: 'Number of test runs at the same time. Each has its own mock. Only for tests whose runs share nothing else, such as a port or a file',
    },
    maxRuns: { kind: 'integer', minimum: 1, default: 400, help: 'Maximum number of test runs in total' },
    repeat: {
      kind: 'integer',
      minimum: 1,
      maximum: 100,
      defaultText: 'enough to make chance unlikely',
      isCommon: true,
      help: 'Failures in a row needed to report a choice; 1 accepts a single failure. Flaky tests need more',
    },
    timeoutMs: {
      name: 'timeout',
      kind: 'integer',
      placeholder: '<ms>',
      minimum: 1,
      maximum: 86_400_000,
      default: 600_000,
      isCommon: true,
      help: 'Time limit for one test run, in ms. A slower run is stopped and counts as failed',
    },
  }),
});

/** How to search for what tests rely on. All but the first four are optional. */
export interface VaryOptions extends Omit<Values<typeof varyOptions>, 'set' | 'only'> {
  /** The program that runs the tests, and its arguments. */
  command: readonly string[];
  /** The environment of the tests. The mock's URL and a key are added. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Name and version of the tool, for the report. */
  tool: string;
  /** Stops the search; the report then has what was found so far. */
  signal: AbortSignal;
  /** Choices that never change. */
  set?: Partial<Profile>;
  /** Try only the base profile with these choices. */
  only?: Partial<Profile>;
}

/** The options of `agent-platform-contract vary`. */
export const varyFlags = defineOptions({
  ...varyOptions,
  ...inGroup('Report', {
    strict: { kind: 'switch', help: 'Also exit with 1 if the tests are flaky or the search did not finish' },
    ...reportOptions('junit, json', 'vary-report'),
    ...colorOption,
  }),
});
