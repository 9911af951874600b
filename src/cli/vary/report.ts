import type { Choice, OpenPoint } from '../../../openapi/contract/open-points.ts';
import { describeChoices } from '../../../openapi/contract/open-points.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { sumOf } from './care.ts';
import { isMixed, isSeenGreen, type Ledger, type Standing } from './ledger.ts';
import type { Cause, SearchResult, WorldResult } from './search.ts';

/** What `agent-platform vary` found: the shape of its JSON report. */
export interface VaryReport {
  /** Name and version of the tool. */
  tool: string;
  /** An ISO date-time. */
  startedAt: string;
  durationMs: number;
  /** What runs the tests, word by word. */
  command: string[];
  settings: VarySettings;
  base: {
    /** The choices of the base that are not the default. */
    choices: Record<string, Choice>;
    outcome: 'green' | 'red' | 'unknown';
    runs: number;
    red: number;
    /** How many requests the latest red run sent to the mock. */
    requests: number;
    /** The end of what a red run printed; empty when none was red. */
    output: string;
  };
  /** What the tests rely on and the contract does not promise. */
  dependencies: Dependency[];
  /** Worlds in which the tests were red and green; absent when there is none. Nothing is concluded from them. */
  flakiness?: Flakiness;
  /** What was learned of each open point. */
  openPoints: OpenPointReport[];
  worlds: WorldReport[];
  /** How often the tests ran. */
  runs: number;
  /** Why the search ended: all was tried, `--max-runs` was reached, or somebody stopped it. */
  endedBy: 'end' | 'maxRuns' | 'stopped';
}

export interface VarySettings {
  loudness: 'quiet' | 'loud';
  /** What the worlds were drawn from. */
  randomSeed: number;
  /** How many worlds were to be drawn. */
  worlds: number;
  /** What `--repeat` says; null when it is left to the search. */
  repeat: number | null;
  maxRuns: number;
  parallel: number;
  timeoutMs: number;
}

/** One smallest set of choices that turns the tests red: mostly one, sometimes several that do so only together. */
export interface Dependency {
  openPoints: Relied[];
  /** The world in which it was found. */
  world: string;
  /** How many runs with these choices alone were red, one after the other. Without them the base is green. */
  redRuns: number;
  /** How the last of them ended, and the end of what it printed. */
  ending: string;
  output: string;
  /** A line that plays it to the tests again. */
  again: string;
  /** A line that starts a mock in that world, to look closer. */
  mock: string;
}

/** One open point that the tests rely on. */
export interface Relied {
  openPoint: string;
  /** The choice of the base: what the tests rely on. */
  reliesOn: Choice;
  /** The choice that turned them red. */
  redWith: Choice;
  /** What is open. */
  open: string;
  /** All legal choices, in words. */
  legal: string;
  /** What to ask the owners of the specification. */
  question: string;
}

export interface Flakiness {
  /** All runs in worlds in which the tests can be green, and how many of them were red. */
  runs: number;
  red: number;
  /** The worlds in which they were both. */
  worlds: { purpose: string; choices: Record<string, Choice>; runs: number; red: number }[];
  /** How a red run ended, and the end of what it printed. */
  ending: string;
  output: string;
}

export interface OpenPointReport {
  id: string;
  /**
   * `free`: the tests met it, and were green with other choices than that of the base. `notMet`: no answer to them was
   * shaped by it, so that nothing was learned.
   */
  outcome: 'reliedOn' | 'free' | 'notVaried' | 'notMet';
  /** The choices beside that of the base with which they were green. */
  greenWith: Choice[];
}

export interface WorldReport {
  name: string;
  /** What it plays otherwise than the base. */
  choices: Record<string, Choice>;
  /** What was left of it once the open points of known dependencies were set to the base. */
  remaining: Record<string, Choice>;
  /** `red`: the tests stay red, and what turns them red was not found. `unfinished`: the search ended before. */
  outcome: WorldResult['outcome'];
  /** The runs in what was left of it. */
  runs: number;
  red: number;
  /** Where the tests are still red: a line that plays what was left to them again. */
  again?: string;
}

/** What a report is made of beside the result. */
export interface Circumstances {
  tool: string;
  startedAt: Date;
  durationMs: number;
  command: readonly string[];
  settings: VarySettings;
  openPoints: readonly OpenPoint[];
  base: Profile;
  /** The lines that reproduce a set of choices. */
  linesFor(choices: Readonly<Record<string, Choice>>, isFlaky: boolean): { again: string; mock: string };
}

export function toReport(result: SearchResult, ledger: Ledger, circumstances: Circumstances): VaryReport {
  const { tool, startedAt, durationMs, command, settings, openPoints } = circumstances;
  const mixed = ledger.standings.filter(isMixed);
  return {
    tool,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(durationMs),
    command: [...command],
    settings,
    base: baseOf(result, ledger, circumstances),
    dependencies: result.causes.map((cause) => dependencyOf(cause, ledger, circumstances, mixed.length > 0)),
    ...(mixed.length === 0 ? {} : { flakiness: flakinessOf(mixed, ledger) }),
    openPoints: openPoints.map(({ id }) => openPointOf(id, result, ledger)),
    worlds: result.worlds.map((world) => worldOf(world, ledger, circumstances)),
    runs: ledger.runs,
    endedBy: result.endedBy ?? 'end',
  };
}

function baseOf({ isBaseGreen, endedBy }: SearchResult, ledger: Ledger, { base, openPoints }: Circumstances) {
  const { runs, red, latestRed } = ledger.of({});
  const entries = openPoints.map(({ id, default: usual }) => [id, base[id as keyof Profile], usual] as const);
  const chosen = entries.flatMap(([id, choice, usual]) => (choice === usual ? [] : [[id, choice] as const]));
  const outcome = isBaseGreen ? 'green' : endedBy === undefined ? 'red' : 'unknown';
  return {
    choices: Object.fromEntries(chosen),
    outcome,
    runs,
    red,
    requests: latestRed?.requests ?? 0,
    output: latestRed?.output ?? '',
  } as const;
}

function dependencyOf(cause: Cause, ledger: Ledger, circumstances: Circumstances, isFlaky: boolean): Dependency {
  const { openPoints, base, linesFor } = circumstances;
  const { latestRed } = ledger.of(cause.choices);
  return {
    openPoints: openPoints.flatMap((point) => {
      const redWith = cause.choices[point.id];
      return redWith === undefined ? [] : [reliedOf(point, base[point.id as keyof Profile], redWith)];
    }),
    world: cause.world,
    redRuns: cause.confirmedBy,
    ending: latestRed?.ending ?? '',
    output: latestRed?.output ?? '',
    ...linesFor(cause.choices, isFlaky),
  };
}

function reliedOf(point: OpenPoint, reliesOn: Choice, redWith: Choice): Relied {
  const open = point.open.replaceAll(/\s+/g, ' ').trim();
  return { openPoint: point.id, reliesOn, redWith, open, legal: describeChoices(point), question: point.question };
}

function flakinessOf(mixed: readonly Standing[], ledger: Ledger): Flakiness {
  // The base first: where it is flaky, no choice has anything to do with it.
  const [first] = mixed;
  return {
    ...sumOf(ledger.standings.filter(isSeenGreen)),
    worlds: mixed.map(({ purpose, choices, runs, red }) => ({ purpose, choices, runs, red })),
    ending: first?.latestRed?.ending ?? '',
    output: first?.latestRed?.output ?? '',
  };
}

function openPointOf(id: string, { causes }: SearchResult, ledger: Ledger): OpenPointReport {
  const seen = ledger.standings.filter(isSeenGreen).flatMap(({ choices }) => choices[id] ?? []);
  const greenWith = [...new Set(seen)];
  if (causes.some(({ choices }) => Object.hasOwn(choices, id))) return { id, outcome: 'reliedOn', greenWith };
  if (!ledger.met.has(id)) return { id, outcome: 'notMet', greenWith };
  return { id, outcome: greenWith.length > 0 ? 'free' : 'notVaried', greenWith };
}

function worldOf({ world, remaining, outcome }: WorldResult, ledger: Ledger, { linesFor }: Circumstances): WorldReport {
  const { runs, red } = ledger.of(remaining);
  const report = { name: world.name, choices: world.choices, remaining, outcome, runs, red };
  return isStillRed(report) ? { ...report, again: linesFor(remaining, true).again } : report;
}

/** Whether something turns the tests red: what is named, or a world in which they stay red. */
export function isFound({ dependencies, worlds }: VaryReport): boolean {
  return dependencies.length > 0 || worlds.some(isStillRed);
}

/** Whether the tests were never green in what is left of a world. */
export function isStillRed({ outcome, runs, red }: WorldReport): boolean {
  return outcome === 'red' || (outcome === 'unfinished' && red > 0 && red === runs);
}

/** 0 nothing found, 1 something found, 2 nothing could be found. */
export function exitCodeOf(report: VaryReport, isStrict: boolean): number {
  if (report.base.outcome === 'red') return 2;
  if (isFound(report)) return 1;
  if (report.endedBy === 'stopped' || report.base.outcome === 'unknown') return 2;
  return isStrict && (report.flakiness !== undefined || report.endedBy !== 'end') ? 1 : 0;
}
