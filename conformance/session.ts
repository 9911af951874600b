import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ContractDocument } from '../openapi/contract/document.ts';
import { loadDocument } from '../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../openapi/contract/operations.ts';
import { Schemas } from '../openapi/contract/schemas.ts';
import { createRedact, type Redact } from '../openapi/reading/secrets.ts';
import { own, type Sentence, say } from '../openapi/reading/sentence.ts';
import type { Settings } from './config/settings.ts';
import { FileTracker } from './probing/file-tracker.ts';
import { Receipt } from './probing/receipt.ts';
import { Unverified } from './signals.ts';
import { type CarrierName, type Credentials, secretsOf, validKey } from './target/credentials.ts';
import type { Reply } from './target/reply.ts';
import { Target } from './target/target.ts';

/** Who sends a request, and over which connection. */
export interface CallOptions {
  /** Default: the own key in the carrier that works. */
  credentials?: Credentials;
  /** Whether to use the one connection that is kept open for such requests. */
  onKeptConnection?: boolean;
}

/** The input of one call of an operation. */
export interface CallInput extends CallOptions {
  /** Path parameters, not encoded. */
  path?: Readonly<Record<string, string>>;
  /** Query parameters, not encoded; a string is sent verbatim. */
  query?: Readonly<Record<string, string | number>> | string;
  /** The value of the JSON body. */
  json?: unknown;
  /** A body that is sent verbatim, with its media type. */
  raw?: { body: string; contentType: string };
}

/** What the run has learned about the target so far. */
interface Learned {
  /** The carrier for the own key, unless a request chooses another. */
  carrier: CarrierName;
  /** The URL of an MCP server that the target accepts, if it refuses made-up ones. */
  acceptedUrl: string | undefined;
  /** The status for a file that does not exist, if it is an unusual one. */
  unknownFileStatus: number | undefined;
  /** The longest time, in milliseconds, until a change of each kind was visible. */
  delaysMs: Record<'creation' | 'move' | 'deletion', number>;
}

/** One run against one target: its settings, the connection, and everything that it sent, received, learned and changed. */
export class Session {
  readonly settings: Settings;
  /** Part of the name of everything the run creates. */
  readonly runId: string = `run-${randomBytes(4).toString('hex')}`;
  readonly contract: ContractDocument;
  readonly operations: ReadonlyMap<OperationId, Operation>;
  readonly schemas: Schemas;
  readonly target: Target;
  /** For text that came over the wire or from the user. */
  readonly redact: Redact;
  readonly receipt: Receipt;
  readonly files = new FileTracker();
  /** Every reply of the run, in order. */
  readonly replies: Reply[] = [];
  readonly learned: Learned = {
    carrier: 'header',
    acceptedUrl: undefined,
    unknownFileStatus: undefined,
    delaysMs: { creation: 0, move: 0, deletion: 0 },
  };
  /** The replies that did not come in time: few, so that they are quickly searched before each request. */
  readonly #hung: Reply[] = [];
  readonly #closers: (() => Promise<void>)[] = [];
  #names = 0;

  constructor(settings: Settings, tool: string) {
    this.settings = settings;
    this.contract = loadDocument();
    this.operations = new Map(operationsOf(this.contract).map((operation) => [operation.operationId, operation]));
    this.schemas = new Schemas(this.contract);
    this.redact = createRedact(secretsOf(settings));
    this.receipt = new Receipt(this.redact);
    this.target = new Target({ ...settings, tool }, this.redact);
  }

  /** The credentials of the own organization. */
  get own(): Credentials {
    return validKey(this.settings.apiKey, this.learned.carrier);
  }

  /** The credentials of the second organization. Throws {@link Unverified} if there are none. */
  get other(): Credentials {
    const { otherApiKey } = this.settings;
    if (otherApiKey === undefined) throw new Unverified('OTHER_KEY', say`No key of a second organization is given.`);
    return validKey(otherApiKey, this.learned.carrier);
  }

  /**
   * Calls an operation and records the reply. After an operation hung twice, for valid callers or for others, it is not
   * called again, except to move files back: callers with the credentials for which it hung get that reply, all others
   * {@link Unverified}.
   */
  async call(operationId: OperationId, input: CallInput = {}): Promise<Reply> {
    const { isValid, headers } = input.credentials ?? this.own;
    const hung = this.#hung.filter(
      ({ request }) => request.operation === operationId && request.isAuthenticated === isValid,
    );
    if (hung.length >= 2 && !this.target.isTidying) {
      const same = isValid
        ? undefined
        : hung.find(
            ({
              request: {
                headers: { 'Content-Type': _, ...sent },
              },
            }) => isDeepStrictEqual(sent, headers),
          );
      if (same !== undefined) return same;
      throw new Unverified(
        'TIMEOUT',
        say`${own(operationId)} timed out ${hung.length} times, so it was not called again.`,
      );
    }
    const reply = await this.ask(operationId, input);
    this.replies.push(reply);
    if (reply.failure === 'timeout') this.#hung.push(reply);
    return reply;
  }

  /** Calls an operation without recording the reply, so that no check judges it. */
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

  /** The replies of an operation so far. */
  repliesOf(operationId: OperationId): Reply[] {
    return this.replies.filter(({ request }) => request.operation === operationId);
  }

  /** The successful replies of an operation to valid callers so far. */
  successesOf(operationId: OperationId): Reply[] {
    return this.repliesOf(operationId).filter(({ request, isSuccess }) => isSuccess && request.isAuthenticated);
  }

  /**
   * A new name, also usable as a path segment. It carries the run's id. It is short and plain, since the bounds of names are
   * not stated.
   */
  newName(): string {
    this.#names++;
    return `conformance-${this.runId}-${this.#names}`;
  }

  /** Throws {@link Unverified} unless the user allows writes. */
  requireWrites(): void {
    if (!this.settings.allowWrites) throw new Unverified('WRITES', say`The check writes, and this run may only read.`);
  }

  /**
   * The name of the query parameter of the tree deletion. Throws {@link Unverified} unless the user allows deletions and gives
   * that name.
   */
  requireDestruction(): string {
    this.requireWrites();
    const { allowDestructive, treePathParameter } = this.settings;
    if (!allowDestructive) throw new Unverified('DESTRUCTIVE', say`The check deletes, and this run may not delete.`);
    if (treePathParameter !== undefined) return treePathParameter;
    throw new Unverified(
      'TREE_PARAMETER',
      say`The query parameter of the tree deletion is open, and a target that ignores it may delete everything.`,
    );
  }

  /** Notes that a change of a kind took `tookMs` to become visible. */
  noteDelay(kind: keyof Learned['delaysMs'], tookMs: number): void {
    this.learned.delaysMs[kind] = Math.max(this.learned.delaysMs[kind], tookMs);
  }

  /** The longest time, in milliseconds, until any change was visible so far. */
  get longestDelayMs(): number {
    return Math.max(...Object.values(this.learned.delaysMs));
  }

  /** Runs `closer` at the end of the run, however it ends. */
  onClose(closer: () => Promise<void>): void {
    this.#closers.push(closer);
  }

  /** Closes the connections and everything else that the run started. Never rejects. */
  async close(): Promise<void> {
    this.target.close();
    await Promise.allSettled(this.#closers.splice(0).map(async (closer) => closer()));
  }
}

/** Opens a session for some work, and closes it. Once `signal` is aborted, no further request is sent, for that reason. */
export async function inSession<Result>(
  settings: Settings,
  { tool, signal, reason }: { tool: string; signal?: AbortSignal | undefined; reason: Sentence },
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = new Session(settings, tool);
  const stop = () => session.target.stop(reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  try {
    return await work(session);
  } finally {
    signal?.removeEventListener('abort', stop);
    await session.close();
  }
}

// The specification does not state that limit may be left out; a check of its own tries that.
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
