import { shownCommand } from '../../lib/shown-command.ts';
import { quoted } from '../../lib/text.ts';
import { defaultProfile, differingChoices, type Profile } from '../../openapi/contract/profile.ts';
import type { Choice, OpenPoint } from '../../openapi/points/open-point.ts';
import { describeChoices } from '../../openapi/points/open-point.ts';
import { mockOptions } from '../options/mock-options.ts';
import { type VaryOptions, varyOptions } from '../options/vary-options.ts';
import { sumOf } from './confidence.ts';
import { type Coverage, coverageOf, seenIn, type Variable } from './covering.ts';
import { isMixed, isSeenGreen, type Ledger, type SearchEnded, type Tally } from './ledger.ts';
import { inRepairOrder, type Stake } from './repair-order.ts';
import type { Cause, SearchResult, VariantResult } from './search.ts';

/** The JSON report of `agent-platform-contract vary`. In it, red means failed, and a variant is a profile that was tried. */
export interface VaryReport {
  /** Name and version of the tool. */
  tool: string;
  /** An ISO date-time. */
  startedAt: string;
  durationMs: number;
  /** The program that runs the tests, and its arguments. */
  command: string[];
  settings: VarySettings;
  base: {
    /** The choices of the base profile that differ from the default. */
    choices: Record<string, Choice>;
    outcome: 'green' | 'red' | 'unknown';
    runs: number;
    red: number;
    /** The number of requests to the mock in the latest red run. */
    requests: number;
    /** How many of them got a 401. */
    unauthorized: number;
    /** The part of a red run's output that tells most; empty if none was red. */
    output: string;
  };
  /** What the tests rely on although the contract does not promise it, in repair order. */
  dependencies: Dependency[];
  /** Profiles with which the tests failed and also passed; absent if there are none. No conclusion is drawn from them. */
  flakiness?: Flakiness;
  /** The result for each open point. */
  openPoints: OpenPointReport[];
  /**
   * What a passing result covers: the choices, and pairs of choices, that passing runs tried at the open points that
   * the tests met and do not rely on. Unlisted choices count as one per open point.
   */
  coverage: Coverage;
  variants: VariantReport[];
  /** The number of test runs. */
  runs: number;
  /** Why the search ended: everything was tried, `--max-runs` was reached, or the user stopped it. */
  endedBy: 'end' | SearchEnded['reason'];
}

export interface VarySettings {
  impact: 'hidden' | 'visible';
  /** The profiles were drawn from this number. */
  randomSeed: number;
  /** The number of profiles requested. */
  variants: number;
  /** `--repeat`; null if the search decides. */
  repeat: number | null;
  maxRuns: number;
  parallel: number;
  timeoutMs: number;
}

/** A smallest set of choices that makes the tests fail: usually one, sometimes several that only do so together. */
export interface Dependency {
  openPoints: Relied[];
  /** The profile in which it was found. */
  variant: string;
  /** Failed runs in a row with these choices alone. Without them the tests pass. */
  redRuns: number;
  /** How the last red run ended, and the part of its output that tells most. */
  ending: string;
  output: string;
  /** The command that runs the tests with these choices again. */
  again: string;
  /** The command that starts a mock with these choices, to look closer. */
  mock: string;
}

/** One open point that the tests rely on. */
export interface Relied extends Stake {
  openPoint: string;
  /** The base profile's choice, on which the tests rely. */
  reliesOn: Choice;
  /** The choice that made them fail. */
  redWith: Choice;
  /** What the specification leaves open. */
  open: string;
  /** All legal choices, in words. */
  legal: string;
  /** The question for the owners of the specification. */
  question: string;
}

export interface Flakiness {
  /** All runs with profiles that passed at least once, and how many of them failed. */
  runs: number;
  red: number;
  /** The profiles with which the tests did both. */
  variants: { purpose: string; choices: Record<string, Choice>; runs: number; red: number }[];
  /** How a red run ended, and the part of its output that tells most. */
  ending: string;
  output: string;
}

export interface OpenPointReport {
  id: string;
  /**
   * `free`: the tests met it and passed with choices other than the base profile's. `notMet`: it shaped none of their
   * responses, so nothing is known.
   */
  outcome: 'reliedOn' | 'free' | 'notVaried' | 'notMet';
  /** The choices with which the tests passed, apart from the base profile's. */
  greenWith: Choice[];
  /** With `notVaried`: why. */
  notVariedBecause?: string;
}

export interface VariantReport {
  name: string;
  /** Its choices that differ from the base profile. */
  choices: Record<string, Choice>;
  /** The choices left after the open points of known dependencies were reset to the base profile. */
  remaining: Record<string, Choice>;
  /** `red`: the tests still fail, and the cause was not found. `unfinished`: the search ended earlier. */
  outcome: VariantResult['outcome'];
  /** The runs with the choices left. */
  runs: number;
  red: number;
  /** If the tests still fail: the command that runs them again with the choices left. */
  again?: string;
}

/** The other parts of a report besides the result. */
interface Circumstances {
  options: VaryOptions;
  startedAt: Date;
  durationMs: number;
  settings: VarySettings;
  openPoints: readonly OpenPoint[];
  base: Profile;
  /** The open points that the drawn profiles vary. */
  variables: readonly Variable[];
}

export function toReport(result: SearchResult, ledger: Ledger, circumstances: Circumstances): VaryReport {
  const { startedAt, durationMs, settings, openPoints } = circumstances;
  const { tool, command } = circumstances.options;
  const mixed = ledger.tallies.filter(isMixed);
  const isReliedOn = (id: string) => result.causes.some(({ choices }) => Object.hasOwn(choices, id));
  const independent = circumstances.variables.filter(({ id }) => ledger.met.has(id) && !isReliedOn(id));
  return {
    tool,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(durationMs),
    command: [...command],
    settings,
    base: baseOf(result, ledger, circumstances),
    dependencies: inRepairOrder(
      result.causes.map((cause) => dependencyOf(cause, ledger, circumstances, mixed.length > 0)),
    ),
    ...(mixed.length === 0 ? {} : { flakiness: flakinessOf(mixed, ledger) }),
    openPoints: openPoints.map((point) => openPointOf(point, result, ledger, circumstances)),
    coverage: coverageOf(independent, seenIn(ledger.tallies)),
    variants: result.variants.map((variant) => variantOf(variant, ledger, circumstances)),
    runs: ledger.runs,
    endedBy: result.endedBy ?? 'end',
  };
}

function baseOf({ isBaseGreen, endedBy }: SearchResult, ledger: Ledger, { base, openPoints }: Circumstances) {
  const { runs, red, latestRed } = ledger.of({});
  const outcome = isBaseGreen ? 'green' : endedBy === undefined ? 'red' : 'unknown';
  return {
    choices: differingChoices(defaultProfile(openPoints), base),
    outcome,
    runs,
    red,
    requests: latestRed?.requests ?? 0,
    unauthorized: latestRed?.unauthorized ?? 0,
    output: latestRed?.output ?? '',
  } as const;
}

function dependencyOf(cause: Cause, ledger: Ledger, circumstances: Circumstances, isFlaky: boolean): Dependency {
  const { openPoints, base, options } = circumstances;
  const { latestRed } = ledger.of(cause.choices);
  return {
    openPoints: openPoints.flatMap((point) => {
      const redWith = cause.choices[point.id];
      return redWith === undefined ? [] : [reliedOf(point, base[point.id as keyof Profile], redWith)];
    }),
    variant: cause.variant,
    redRuns: cause.confirmedBy,
    ending: latestRed?.ending ?? '',
    output: latestRed?.output ?? '',
    ...replayCommands(options, cause.choices, isFlaky),
  };
}

function reliedOf(point: OpenPoint, reliesOn: Choice, redWith: Choice): Relied {
  const { id, impact, operations, question, severity, cost } = point;
  const open = point.open.replaceAll(/\s+/g, ' ').trim();
  return {
    ...{ openPoint: id, reliesOn, redWith, open, legal: describeChoices(point), question },
    ...{ impact, severity, cost, operations },
  };
}

function flakinessOf(mixed: readonly Tally[], ledger: Ledger): Flakiness {
  // The base profile comes first: if it is flaky, no choice is the cause.
  const [first] = mixed;
  return {
    ...sumOf(ledger.tallies.filter(isSeenGreen)),
    variants: mixed.map(({ purpose, choices, runs, red }) => ({ purpose, choices, runs, red })),
    ending: first?.latestRed?.ending ?? '',
    output: first?.latestRed?.output ?? '',
  };
}

function openPointOf(
  point: OpenPoint,
  { causes }: SearchResult,
  ledger: Ledger,
  circumstances: Circumstances,
): OpenPointReport {
  const { id } = point;
  const seen = ledger.tallies.filter(isSeenGreen).flatMap(({ choices }) => choices[id] ?? []);
  const greenWith = [...new Set(seen)];
  if (causes.some(({ choices }) => Object.hasOwn(choices, id))) return { id, outcome: 'reliedOn', greenWith };
  if (!ledger.met.has(id)) return { id, outcome: 'notMet', greenWith };
  if (greenWith.length > 0) return { id, outcome: 'free', greenWith };
  return { id, outcome: 'notVaried', greenWith, notVariedBecause: whyNotVaried(point, circumstances) };
}

function whyNotVaried(
  { id, impact, needs, choices, default: usual }: OpenPoint,
  { options, settings, variables }: Circumstances,
): string {
  const { set = {}, only = {} } = options;
  if (Object.keys(only).length > 0) return 'of --only';
  if (Object.hasOwn(set, id)) return 'of --set';
  if (needs === 'liveMcp') return 'other choices need real MCP servers';
  if (needs !== undefined) {
    const other = choices.find(({ value }) => value !== usual)?.value;
    return `its other choice is dangerous, and a server must declare it; --only ${id}=${other} tries it`;
  }
  if (settings.impact === 'hidden' && impact === 'visible') return 'of --impact hidden';
  if (settings.variants === 0) return 'of --runs 0';
  return variables.some((one) => one.id === id) ? 'no run with another choice passed' : 'no other choice can be tried';
}

function variantOf(
  { variant, remaining, outcome }: VariantResult,
  ledger: Ledger,
  { options }: Circumstances,
): VariantReport {
  const { runs, red } = ledger.of(remaining);
  const report = { name: variant.name, choices: variant.choices, remaining, outcome, runs, red };
  return isStillRed(report) ? { ...report, again: replayCommands(options, remaining, true).again } : report;
}

/** Whether the tests never passed with what is left of a profile. */
export function isStillRed({ outcome, runs, red }: VariantReport): boolean {
  return outcome === 'red' || (outcome === 'unfinished' && red > 0 && red === runs);
}

/** 0 nothing found, 1 something found, 2 nothing could be found. */
export function exitCodeOf(report: VaryReport, isStrict: boolean): number {
  if (report.base.outcome === 'red') return 2;
  if (report.dependencies.length > 0 || report.variants.some(isStillRed)) return 1;
  if (report.endedBy === 'stopped' || !isAnyTried(report)) return 2;
  return isStrict && (report.flakiness !== undefined || report.endedBy !== 'end') ? 1 : 0;
}

/** Whether the tests ran to the end with any profile but the base. Otherwise nothing is known, and 0 would say more. */
export function isAnyTried({ endedBy, variants }: Pick<VaryReport, 'endedBy' | 'variants'>): boolean {
  return endedBy === 'end' || variants.some(({ outcome }) => outcome !== 'unfinished');
}

/** Why the search did not finish, in words; undefined if it did. */
export function whyUnfinished({ endedBy, settings }: VaryReport): string | undefined {
  const reasons: Record<VaryReport['endedBy'], string | undefined> = {
    end: undefined,
    maxRuns: `--max-runs ${settings.maxRuns} was reached`,
    stopped: 'vary was stopped',
  };
  return reasons[endedBy];
}

/** The section of the guide on how tests find the mock. */
export const ownTestsGuide = '"Your own tests" in docs/what-does-your-frontend-rely-on.md of this package';

const demoSeed = varyOptions.seed.default;

/** The command that runs the tests against a mock that was started by hand, as `vary` runs them. */
export function byHand({ command, seed = demoSeed }: VaryOptions, platform: string = process.platform): string {
  // Only the demo's key is no secret.
  const key = seed === demoSeed ? 'demo-key' : `<the first key of ${seed}>`;
  const port = mockOptions.port.default;
  const variables = { AGENT_PLATFORM_BASE_URL: `http://127.0.0.1:${port}/v0.1`, AGENT_PLATFORM_API_KEY: key };
  const tests = command.map(quoted).join(' ');
  const entries = Object.entries(variables);
  if (platform === 'win32') return [...entries.map(([name, value]) => `set "${name}=${value}"`), tests].join(' && ');
  return [...entries.map(([name, value]) => `${name}=${quoted(value)}`), tests].join(' ');
}

/** The commands that apply choices to the base profile again: for the tests, and in a mock. */
function replayCommands(
  options: VaryOptions,
  choices: Readonly<Record<string, Choice>>,
  isFlaky: boolean,
): { again: string; mock: string } {
  const { profile, seed, clock, openKeys, set = {}, timeoutMs, repeat, command } = options;
  const option = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [`--${name}`, quoted(String(value))];
  const named = (name: string, all: object) =>
    Object.entries(all).flatMap(([id, choice]) => option(name, `${id}=${choice}`));
  const state = [...option('profile', profile), ...option('seed', seed), ...option('clock', clock)];
  const mock = [...state, ...(openKeys ? ['--open-keys'] : []), ...named('set', set)];
  // With steady tests, a single failing run is enough.
  const again = [...mock, ...option('timeout', timeoutMs), ...option('repeat', isFlaky ? repeat : 1)];
  return {
    again: shownCommand('vary', [...again, ...named('only', choices), '--', ...command.map(quoted)]),
    mock: shownCommand('mock', [...mock, ...named('set', choices)]),
  };
}
