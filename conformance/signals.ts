import type { Reply } from './target/reply.ts';

/** What a check says when the target broke what it judges. */
export class Violated extends Error {
  readonly expected: string;
  readonly actual: string;
  readonly replies: readonly Reply[];
  readonly smallest: string | undefined;

  /** `replies`: the exchanges that show it, the telling one last. */
  constructor(expected: string, actual: string, replies: readonly Reply[], smallest?: string) {
    super(actual);
    this.name = 'Violated';
    this.expected = expected;
    this.actual = actual;
    this.replies = replies;
    this.smallest = smallest;
  }
}

/** Why something could not be judged, and the setting that would let it be. */
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
  /** The target is busy or ill: run again when it is well. */
  TARGET: 'a target that answers',
  /** What has to work first does not; its own check says so. */
  PREREQUISITE: 'a target that passes the checks before this one',
  /** Other clients change what is looked at. */
  QUIET: 'a target that no one else uses meanwhile',
  /** There is nothing on the target to judge by. */
  DATA: 'data on the target',
} as const;

export type UnverifiedCode = keyof typeof settings;

/** What a check says when it cannot judge. */
export class Unverified extends Error {
  readonly code: UnverifiedCode;

  constructor(code: UnverifiedCode, reason: string) {
    super(reason);
    this.name = 'Unverified';
    this.code = code;
  }

  /** The setting that would let it be judged. */
  get setting(): string {
    return settings[this.code];
  }
}

/** The setting behind a code, as reports name it. */
export function settingOf(code: UnverifiedCode): string {
  return settings[code];
}

/** What a request says that was not sent, because the run was told to stop. */
export class Stopped extends Error {
  constructor() {
    super('The run was stopped.');
    this.name = 'Stopped';
  }
}

/** What a check says when nobody asked for it. */
export class NotAsked extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotAsked';
  }
}
