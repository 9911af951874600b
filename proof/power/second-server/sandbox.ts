import type { Choices, IdKind } from './choices.ts';

/** What belongs to one organization and can be listed. */
export interface Owned {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdAt: number;
  updatedAt: number;
  /** The moment from which lists show it. */
  readonly listedAt: number;
}

/** An agent with its revisions, oldest first. */
export interface Agent extends Owned {
  readonly description: string | undefined;
  readonly revisionIds: readonly string[];
  /** The revision asked for last; it may still wait to become active. */
  requested: string | undefined;
  active: string | undefined;
}

/** A file of a drive. Fields that are undefined are absent in answers. */
export interface DriveFile {
  readonly id: string;
  name: string;
  path: string;
  modifiedAt: number;
  /** From this moment on the file shows `settledStatus`, before it `processing`. */
  readyAt: number;
  readonly settledStatus: 'processing' | 'ready' | 'error';
  readonly size: number | undefined;
  readonly contentType: string | undefined;
  readonly description: string | undefined;
  readonly summary: string | undefined;
  readonly metadata: Record<string, unknown> | undefined;
}

/** A drive with its files by id. Nothing of this interface changes one after its creation. */
export interface Drive extends Owned {
  readonly files: Map<string, DriveFile>;
}

/** A registered MCP server with its tools. */
export interface McpServer extends Owned {
  readonly url: string;
  readonly type: 'sse' | 'streamableHttp';
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

/** The state of the server, kept in memory. */
export class Sandbox {
  readonly choices: Choices;
  readonly agents = new Map<string, Agent>();
  readonly drives = new Map<string, Drive>();
  readonly mcpServers = new Map<string, McpServer>();
  private readonly counts = new Map<IdKind, number>();
  private jobs: { dueAt: number; run(): void }[] = [];

  constructor(choices: Choices) {
    this.choices = choices;
  }

  nextId(kind: IdKind): string {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    return this.choices.makeId(kind, count);
  }

  /** Runs the work once the delay of the variant has passed. */
  later(now: number, run: () => void): void {
    this.jobs.push({ dueAt: now + this.choices.settleMs, run });
  }

  /** Does all work that is due. Called before each operation, so no timer is needed. */
  settle(now: number): void {
    const due = this.jobs.filter((job) => job.dueAt <= now);
    this.jobs = this.jobs.filter((job) => job.dueAt > now);
    for (const job of due) job.run();
  }
}
