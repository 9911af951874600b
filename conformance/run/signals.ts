import type { Sentence } from '../../lib/sentence.ts';
import type { EndedBy } from '../report/report.ts';
import type { Reply } from '../target/reply.ts';
import type { Settings } from './settings.ts';

/** Thrown by a check if the target breaks what it judges. */
export class Violated extends Error {
  readonly expected: Sentence;
  readonly actual: Sentence;
  readonly replies: readonly Reply[];
  readonly smallest: string | undefined;
  /** The checks that judge what may have caused this. If one of them failed, the report names it as the cause. */
  see: readonly string[] = [];

  /** `replies`: the exchanges that show it, and no others, the decisive one last. `smallest`: the smallest input that was sent. */
  constructor(expected: Sentence, actual: Sentence, replies: readonly Reply[], smallest?: string) {
    super(String(actual));
    this.name = 'Violated';
    this.expected = expected;
    this.actual = actual;
    this.replies = replies;
    this.smallest = smallest;
  }
}

/** The outcome of a check that cannot judge: not enabled, prevented, or not applicable to the target. */
type Unjudged = 'not-enabled' | 'inconclusive' | 'skipped';

/** Why something cannot be judged. `words`: the missing setting or the obstacle. */
interface Reason {
  outcome: Unjudged;
  words: string;
}

/** A setting that may be missing. `given`: the reason to report if it was given, so that it is never called missing. */
interface Missing extends Reason {
  outcome: 'not-enabled';
  isGiven(settings: Settings): boolean;
  given: Reason;
}

const more = (words: string): Reason => ({ outcome: 'not-enabled', words });
const because = (words: string): Reason => ({ outcome: 'inconclusive', words });
const inapplicable = (words: string): Reason => ({ outcome: 'skipped', words });
const missing = (words: string, isGiven: Missing['isGiven'], given: Reason): Missing => {
  return { outcome: 'not-enabled', words, isGiven, given };
};

const noData = more('data on the target');

/**
 * All reasons by code. If the user gave nothing or too little, the check is not enabled. If a legal server may behave
 * so, it is inapplicable and the check is skipped. Everything else makes a run inconclusive. To add one, decide which
 * it is.
 */
const reasons = {
  WRITES: missing('--allow-writes', ({ allowWrites }) => allowWrites, noData),
  DESTRUCTIVE: missing('--allow-destructive', ({ allowDestructive }) => allowDestructive, noData),
  TREE_PARAMETER: missing(
    'openPoints.treePathParameter',
    (settings) => settings.treePathParameter !== undefined,
    noData,
  ),
  OTHER_KEY: missing(
    'otherApiKey',
    ({ otherApiKey }) => otherApiKey !== undefined,
    because('otherApiKey is not an accepted key of a second organization'),
  ),
  AGENT: missing(
    'fixtures.agent',
    ({ fixtures }) => fixtures.agent !== undefined,
    more('an agent in fixtures.agent that is not published'),
  ),
  FILES: missing(
    'fixtures.files',
    ({ fixtures }) => isFilled(fixtures.files),
    more('more or other files in fixtures.files'),
  ),
  DISPOSABLE_FILES: missing(
    'fixtures.disposableFiles',
    ({ fixtures }) => isFilled(fixtures.disposableFiles),
    more('more files in fixtures.disposableFiles'),
  ),
  MCP_SERVER: missing('fixtures.mcpServer', ({ fixtures }) => fixtures.mcpServer !== undefined, noData),
  HOST: missing(
    '--host-mcp-url',
    ({ hostMcpUrl }) => hostMcpUrl !== undefined,
    inapplicable('the target accepts only other MCP server URLs'),
  ),
  /** The target has no data to judge. */
  DATA: noData,
  /** A declared fixture cannot be used: it is gone, or cannot be read. */
  FIXTURE: because('a declared fixture cannot be read'),
  LISTEN: because('the MCP server of the suite could not start'),
  REQUESTS: because('the limit of --max-requests'),
  TIME_LIMIT: because('the limit of --time-limit'),
  TIMEOUT: because('time-outs'),
  /** The target is busy or failing: run again later. */
  TARGET: because('no usable response'),
  /** Something else must work first; a separate check reports it. */
  PREREQUISITE: because('a prerequisite does not work'),
  /** Something failed here but succeeded elsewhere in the run. */
  STEADY: because('the target does not respond consistently'),
  /** Other clients change the data that the check compares. */
  QUIET: because('another client changed the data'),
  /** Which paths a target accepts besides those in a known directory is open. */
  MOVES: inapplicable('the target refuses moves to new directories'),
  /** How a request is refused is open. */
  REFUSAL: inapplicable('the target returns no 4xx status'),
  /** When a target contacts an MCP server, and whether at all, is open. */
  ASKING: inapplicable('the target does not ask the MCP server for its tools'),
  /** The order of a list is open, and may change each time. */
  ORDER: inapplicable('the order of the list changes'),
  /** The format of ids is open, and so is whether each organization counts separately. */
  SAME_IDS: inapplicable('both organizations use the same ids'),
  /** The format of ids is open, and so is the response to an id of another format. */
  ID_FORM: missing(
    'fixtures.mcpServer.unknownId',
    ({ fixtures }) => fixtures.mcpServer?.unknownId !== undefined,
    because('fixtures.mcpServer.unknownId is the id of an MCP server'),
  ),
  /** Which names and URLs a target accepts, and how many resources, is open. */
  INPUT: inapplicable('the target does not accept what the suite can send'),
  /** Which fields the pagination object has is open. */
  PAGINATION: inapplicable('the pagination object lacks the field'),
  /** How long a list may be is open. */
  LENGTH: inapplicable('the list is too long to read in full'),
} as const satisfies Record<string, Reason | Missing>;

function isFilled(list: readonly unknown[] | undefined): boolean {
  return (list ?? []).length > 0;
}

export type InconclusiveCode = keyof typeof reasons;

/** All codes, for tests. */
export const inconclusiveCodes = Object.keys(reasons) as InconclusiveCode[];

/** The setting or the obstacle behind a code, as reports name it. */
export function wordsOf(code: InconclusiveCode): string {
  return reasons[code].words;
}

/** What keeps the checks that are left from being judged, if the run ended early. */
export function obstacleAfter(endedBy: EndedBy): string {
  const obstacles: Record<EndedBy, string> = {
    suite: 'an error in the suite',
    target: 'lost connections',
    key: 'the key is no longer accepted',
    'time-limit': wordsOf('TIME_LIMIT'),
    user: 'the run was interrupted',
  };
  return obstacles[endedBy];
}

/**
 * The outcome of a check that ended with {@link Inconclusive}. A given setting is never reported as missing: instead
 * `unmet`, the next setting that the check lacks, or the obstacle if none is missing.
 */
export function reasonOf({ code, obstacle }: Inconclusive, settings: Settings, unmet?: string): Reason {
  const reason: Reason | Missing = reasons[code];
  if (!('isGiven' in reason)) return { ...reason, words: obstacle ?? reason.words };
  const { outcome, words, isGiven, given } = reason;
  if (!isGiven(settings)) return { outcome, words };
  return unmet === undefined ? given : more(unmet);
}

class Signal extends Error {
  readonly reason: Sentence;

  constructor(reason: Sentence) {
    super(String(reason));
    this.name = new.target.name;
    this.reason = reason;
  }
}

/** Thrown by a check that cannot judge. */
export class Inconclusive extends Signal {
  readonly code: InconclusiveCode;
  /** What came instead of a response, such as `status 429`. Replaces the words of the code. */
  obstacle: string | undefined;
  /** The checks that judge what was missing. If one of them failed, the report names it as the reason. */
  readonly see: readonly string[];

  constructor(code: InconclusiveCode, reason: Sentence, ...see: readonly string[]) {
    super(reason);
    this.code = code;
    this.see = see;
  }
}

/** What some work gives; undefined if it cannot be judged. */
export function orNone<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  });
}

/** Thrown instead of sending a request, because the run was stopped or the target is gone. */
export class Stopped extends Signal {}

/** Thrown by a check that runs on request only. */
export class NotRequested extends Signal {}
