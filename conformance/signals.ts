import type { Sentence } from '../openapi/reading/sentence.ts';
import type { Reply } from './target/reply.ts';

/** Thrown by a check when the target breaks what the check judges. */
export class Violated extends Error {
  readonly expected: Sentence;
  readonly actual: Sentence;
  readonly replies: readonly Reply[];
  readonly smallest: string | undefined;

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

/** The reasons why something cannot be judged, each with the setting that would change it. */
const settings = {
  WRITES: '--allow-writes',
  DESTRUCTIVE: '--allow-destructive',
  TREE_PARAMETER: 'openPoints.treePathParameter',
  OTHER_KEY: 'otherApiKey',
  AGENT: 'fixtures.agent',
  FILES: 'fixtures.files',
  DISPOSABLE_FILES: 'fixtures.disposableFiles',
  MCP_SERVER: 'fixtures.mcpServer',
  REQUESTS: '--max-requests',
  SETTLE: '--settle',
  TIMEOUT: '--timeout',
  HOST: '--host-mcp-url',
  /** The target is busy or failing: run again later. */
  TARGET: 'a target that responds',
  /** Something else has to work first; its own check reports it. */
  PREREQUISITE: 'a target that passes the checks before this one',
  /** Something failed here that succeeded elsewhere in the run. */
  STEADY: 'a target that answers alike each time',
  /** Which paths a target accepts besides those in a known directory is open. */
  MOVES: 'a target that accepts moves to new directories',
  /** How a request is refused is open. */
  REFUSAL: 'a target that refuses a request with a status from 400 to 499',
  /** The target never asked the MCP server of the suite, and nothing shows that it could not. */
  ASKING: 'a target that asks MCP servers for their tools',
  /** Other clients change the data that the check compares. */
  QUIET: 'a target that no one else uses meanwhile',
  /** The target has no data to judge. */
  DATA: 'data on the target',
} as const;

export type UnverifiedCode = keyof typeof settings;

/** The setting behind a code, as reports name it. */
export function settingOf(code: UnverifiedCode): string {
  return settings[code];
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
export class Unverified extends Signal {
  readonly code: UnverifiedCode;
  /** The checks that judge what was missing. If one of them failed, the report names it as the reason. */
  readonly see: readonly string[];

  constructor(code: UnverifiedCode, reason: Sentence, ...see: readonly string[]) {
    super(reason);
    this.code = code;
    this.see = see;
  }

  /** The setting that would let the check judge. */
  get setting(): string {
    return settings[this.code];
  }
}

/** Thrown instead of sending a request, after the run was stopped or the target is gone. */
export class Stopped extends Signal {}

/** Thrown by a check that runs on request only. */
export class NotRequested extends Signal {}
