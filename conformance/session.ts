import { randomBytes } from 'node:crypto';
import type { ContractDocument } from '../openapi/contract/document.ts';
import { loadDocument } from '../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../openapi/contract/operations.ts';
import { Schemas } from '../openapi/contract/schemas.ts';
import type { Settings } from './config/settings.ts';
import type { MovableFile } from './scene/movable-file.ts';
import { Receipt } from './scene/receipt.ts';
import { Unverified } from './signals.ts';
import { type CarrierName, type Credentials, secretsOf, validKey } from './target/credentials.ts';
import { createRedact, type Redact } from './target/redact.ts';
import type { Reply } from './target/reply.ts';
import { Target } from './target/target.ts';

/** From whom a request comes, and over which connection. */
export interface How {
  /** The own key in the carrier that works, unless said otherwise. */
  credentials?: Credentials;
  /** Over the one connection that is kept open for such requests. */
  onKeptConnection?: boolean;
}

/** The input of one call of an operation. */
export interface CallInput extends How {
  /** Path parameters, not encoded. */
  path?: Readonly<Record<string, string>>;
  /** Query parameters, not encoded; a text is sent to the letter. Pages of drives are asked for by their limit. */
  query?: Readonly<Record<string, string | number>> | string;
  /** The value of the JSON body. */
  json?: unknown;
  /** A body to the letter, with its media type. */
  raw?: { body: string; contentType: string };
}

/** How long the target took to show a change, measured by the changes that it did show. */
export interface Lags {
  creationMs: number;
  moveMs: number;
  deletionMs: number;
}

/** One run against one target: what is asked once is remembered, and everything answered is kept to be judged. */
export class Session {
  readonly settings: Settings;
  /** Names of what the run creates carry it. */
  readonly runId: string = `run-${randomBytes(4).toString('hex')}`;
  readonly contract: ContractDocument;
  readonly operations: ReadonlyMap<OperationId, Operation>;
  readonly schemas: Schemas;
  readonly target: Target;
  readonly redact: Redact;
  readonly receipt: Receipt = new Receipt();
  readonly lags: Lags = { creationMs: 0, moveMs: 0, deletionMs: 0 };
  /** The files that the run sent a move for, to be moved back. */
  readonly touched = new Map<string, MovableFile>();
  /** The disposable files that an earlier run deleted. */
  readonly usedUp = new Set<string>();
  /** By file, the path of the last move of it that was not refused. */
  readonly lastMoves = new Map<string, string>();
  /** What the target answers for a file that does not exist, where the code does not say so. */
  unknownStatus: number | undefined;
  /** The URL of an MCP server that the target takes, where it does not take one that is made up. */
  acceptedUrl: string | undefined;
  /** Every reply of the run, in order. */
  readonly replies: Reply[] = [];
  /** The carrier in which the own key is sent unless said otherwise. */
  carrier: CarrierName = 'header';
  readonly #memory = new Map<string, Promise<unknown>>();
  readonly #hangs = new Map<OperationId, number>();
  readonly #closers: (() => Promise<void>)[] = [];
  #names = 0;

  constructor(settings: Settings, tool: string) {
    this.settings = settings;
    this.contract = loadDocument();
    this.operations = new Map(operationsOf(this.contract).map((operation) => [operation.operationId, operation]));
    this.schemas = new Schemas(this.contract);
    this.redact = createRedact(secretsOf(settings));
    this.target = new Target({ ...settings, tool }, this.redact);
  }

  /** The credentials of the own organization. */
  get own(): Credentials {
    return validKey(this.settings.apiKey, this.carrier);
  }

  /** The credentials of the second organization. */
  get other(): Credentials {
    const { otherApiKey } = this.settings;
    if (otherApiKey === undefined) throw new Unverified('OTHER_KEY', 'There is no key of a second organization.');
    return validKey(otherApiKey, this.carrier);
  }

  /** Calls an operation. Throws {@link Unverified} once it has hung twice, but for what was moved and has to go back. */
  async call(operationId: OperationId, input: CallInput = {}): Promise<Reply> {
    const hangs = this.#hangs.get(operationId) ?? 0;
    if (hangs >= 2 && !this.target.isTidying)
      throw new Unverified('TIMEOUT', `${operationId} hung ${hangs} times, so it was not asked again.`);
    const reply = await this.ask(operationId, input);
    if (reply.failure === 'timeout') this.#hangs.set(operationId, hangs + 1);
    this.replies.push(reply);
    return reply;
  }

  /** Calls an operation without keeping the reply: what is learned of it is not judged. */
  ask(operationId: OperationId, input: CallInput = {}): Promise<Reply> {
    const operation = this.operations.get(operationId) as Operation;
    const credentials = input.credentials ?? this.own;
    const content = contentOf(input);
    return this.target.send({
      operation: operationId,
      method: operation.method,
      path: fillPath(operation.path, input.path ?? {}) + queryOf(input.query ?? usualQueries[operationId]),
      headers: { ...credentials.headers, ...content.headers },
      body: content.body,
      isAuthenticated: credentials.isValid,
      onKeptConnection: input.onKeptConnection ?? false,
    });
  }

  /** What `make` gives, made at the first call under this name and remembered; a failure too, unless the target was busy. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#memory.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.#memory.set(name, made);
    made.catch((error: unknown) => {
      if (error instanceof Unverified && error.code === 'TARGET') this.#memory.delete(name);
    });
    return made;
  }

  /** Whether something was made under this name. */
  remembers(name: string): boolean {
    return this.#memory.has(name);
  }

  /** A name that carries the run's id, another one each time: short and plain, since the bounds of names are not shown. */
  newName(): string {
    return this.newSegment();
  }

  /** A path segment of this run, another one each time. */
  newSegment(): string {
    this.#names++;
    return `conformance-${this.runId}-${this.#names}`;
  }

  /** Throws unless the user allows writes. */
  requireWrites(): void {
    if (!this.settings.allowWrites) throw new Unverified('WRITES', 'It needs to write, and the run may only read.');
  }

  /** Throws unless the user allows deletions and names the parameter of the tree deletion. */
  requireDestruction(): string {
    this.requireWrites();
    const { allowDestructive, treePathParameter } = this.settings;
    if (!allowDestructive) throw new Unverified('DESTRUCTIVE', 'It needs to delete, and the run may not.');
    if (treePathParameter !== undefined) return treePathParameter;
    const risk = 'a target that does not know the parameter may take everything';
    throw new Unverified(
      'TREE_PARAMETER',
      `The name of the query parameter of the tree deletion is open, and ${risk}.`,
    );
  }

  /** The longest time that a change took to show so far. */
  get longestLagMs(): number {
    return Math.max(...Object.values(this.lags));
  }

  /** The successful answers to valid callers of an operation so far. */
  successes(operationId: OperationId): Reply[] {
    return this.replies.filter(
      ({ sending, isSuccess }) => isSuccess && sending.isAuthenticated && sending.operation === operationId,
    );
  }

  /** Has something done at the end of the run, however it ends: what was started is ended there. */
  onClose(closer: () => Promise<void>): void {
    this.#closers.push(closer);
  }

  /** Ends the connections, and what the run started. Never rejects. */
  async close(): Promise<void> {
    this.target.close();
    await Promise.allSettled(this.#closers.splice(0).map(async (closer) => closer()));
  }
}

// That limit may be left out is not stated, and has a check of its own.
const usualQueries: Partial<Record<OperationId, NonNullable<CallInput['query']>>> = { listDrives: { limit: 100 } };

function contentOf({ json, raw }: CallInput): { headers: Record<string, string>; body?: string } {
  if (raw !== undefined) return { headers: { 'Content-Type': raw.contentType }, body: raw.body };
  if (json === undefined) return { headers: {} };
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(json) };
}

function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((values[name] ?? '').toWellFormed()),
  );
}

function queryOf(query: CallInput['query']): string {
  if (query === undefined) return '';
  if (typeof query === 'string') return `?${query}`;
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
