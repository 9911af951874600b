import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createRedact, type Redact } from '../../lib/secrets.ts';
import { own, Sentence, say } from '../../lib/sentence.ts';
import type { ContractDocument } from '../../openapi/contract/document.ts';
import { judgedContract } from '../../openapi/contract/judged-contract.ts';
import type { Operation, OperationId } from '../../openapi/contract/operations.ts';
import type { Schemas } from '../../openapi/contract/schemas.ts';
import { type NameShape, usualShape } from '../probing/names.ts';
import { Judge } from '../rules/judge.ts';
import type { Settings } from '../run/settings.ts';
import { Inconclusive } from '../run/signals.ts';
import { MoveLog, usualMoveLog } from '../safety/move-log.ts';
import { Patience } from '../safety/patience.ts';
import { FileTracker, Receipt } from '../safety/receipt.ts';
import { byClock, type Clock, currentClock } from './clock.ts';
import { type AuthHeaderName, type Credentials, otherAuthHeader, secretsOf, validKey } from './credentials.ts';
import type { Reply } from './reply.ts';
import { type Content, contentOf, fillPath, type Query, queryOf } from './request-parts.ts';
import { Target } from './target.ts';

/** Who sends a request, and over which connection. */
export interface CallOptions {
  /** Default: the first key, in the auth header that works. */
  credentials?: Credentials;
  /** Whether to use the shared kept-open connection. */
  onKeptConnection?: boolean;
}

/** The input of one call of an operation. */
export interface CallInput extends CallOptions, Content {
  /** Path parameters, not encoded. */
  path?: Readonly<Record<string, string>>;
  query?: Query;
}

/** What the run has learned about the target. */
interface Learned {
  /** The usual auth header of keys. */
  authHeader: AuthHeaderName;
  /** Whether the other auth header works as well: then calls alternate, since both must have the same effects. */
  worksInBoth: boolean;
  /** The URL of an MCP server that the target accepts, if it refuses made-up ones. */
  acceptedUrl: string | undefined;
  /** The names that the target accepts, by operation, if it refuses the usual ones. */
  nameShapes: Partial<Record<OperationId, NameShape>>;
  /** The status for an unknown file, if it is unusual. */
  unknownFileStatus: number | undefined;
  /** Whether long lists are read in full, because their ends do not show new items. */
  readsWholeLists: boolean;
  /** The longest time in milliseconds until a change of each kind was visible. */
  delaysMs: Record<'creation' | 'move' | 'deletion', number>;
}

/** One run against one target: settings, connection, and everything that it sent, received, learned and changed. */
export class Session {
  readonly settings: Settings;
  /** Part of the name of everything the run creates. */
  readonly runId: string = `run-${randomBytes(4).toString('hex')}`;
  readonly contract: ContractDocument;
  readonly operations: ReadonlyMap<OperationId, Operation>;
  readonly schemas: Schemas;
  readonly target: Target;
  /** What the model of the specification says of every exchange. */
  readonly judge: Judge;
  /** For text from the wire or from the user. */
  readonly redact: Redact;
  readonly receipt: Receipt;
  readonly moveLog: MoveLog;
  readonly patience: Patience;
  readonly files: FileTracker;
  /** Every reply of the run, in order. */
  readonly replies: Reply[] = [];
  readonly learned: Learned = {
    authHeader: 'header',
    worksInBoth: false,
    acceptedUrl: undefined,
    nameShapes: {},
    unknownFileStatus: undefined,
    readsWholeLists: false,
    delaysMs: { creation: 0, move: 0, deletion: 0 },
  };
  /** When the last check had run, by the clock of the process: later requests observe and tidy up. */
  checksEndedAtMs = Number.POSITIVE_INFINITY;
  readonly #repliesOf = new Map<Reply['request']['operation'], Reply[]>();
  /** The requests that timed out: a short list that is searched before each request. */
  readonly #hung: Reply[] = [];
  /** Where the replies to some work are collected, while other work goes on. */
  readonly #collecting = new AsyncLocalStorage<Reply[]>();
  /** How often each thing that alternates was chosen. */
  readonly #turns = new Map<string, number>();
  /** The operations that refuse the key in the less usual auth header; checks report that. */
  readonly #refusedInOther = new Set<string>();
  readonly #closers: (() => Promise<void>)[] = [];
  #names = 0;

  constructor(settings: Settings, tool: string, moveLogPath = usualMoveLog(), clock?: Clock) {
    this.settings = settings;
    const { document, operations, schemas } = judgedContract();
    this.contract = document;
    this.operations = operations;
    this.schemas = schemas;
    this.redact = createRedact(secretsOf(settings));
    this.receipt = new Receipt(this.redact);
    this.patience = new Patience(settings.settleMs);
    this.moveLog = new MoveLog(moveLogPath, { run: this.runId, baseUrl: settings.baseUrl, redact: this.redact });
    this.files = new FileTracker(this.moveLog);
    this.target = new Target({ ...settings, tool, runId: this.runId, clock }, this.redact);
    this.judge = new Judge(settings);
    this.target.onSend = (request, sentAtMs) => this.judge.begin(request, sentAtMs);
    this.target.onBack = () => this.judge.startAnew();
  }

  /** The credentials of the first organization. */
  get own(): Credentials {
    return validKey(this.settings.apiKey, this.learned.authHeader);
  }

  /** The auth header for a call that chooses none: if both work, each operation alternates between them. */
  #authHeaderFor(turnOf: string): AuthHeaderName {
    const { authHeader, worksInBoth } = this.learned;
    if (!worksInBoth || this.#refusedInOther.has(turnOf)) return authHeader;
    return this.#nextTurn(turnOf) % 2 === 0 ? authHeader : otherAuthHeader[authHeader];
  }

  /** How often this was called for the same thing: alternative spellings are used in turn. */
  #nextTurn(turnOf: string): number {
    const turn = this.#turns.get(turnOf) ?? 0;
    this.#turns.set(turnOf, turn + 1);
    return turn;
  }

  /** The credentials of the second organization. Throws {@link Inconclusive} if there are none. */
  get other(): Credentials {
    const { otherApiKey } = this.settings;
    if (otherApiKey === undefined) throw new Inconclusive('OTHER_KEY', say`No key of a second organization is given.`);
    return validKey(otherApiKey, this.#authHeaderFor('other organization'));
  }

  /**
   * Calls an operation and records the reply. An operation that hung twice, for valid or for other callers, is not
   * called again, except to move files back: callers with the same credentials get the earlier reply, others {@link
   * Inconclusive}.
   */
  async call(operationId: OperationId, input: CallInput = {}): Promise<Reply> {
    const authHeader = this.#authHeaderFor(operationId);
    const credentials = input.credentials ?? validKey(this.settings.apiKey, authHeader);
    const same = this.#hungBefore(operationId, credentials);
    if (same !== undefined) return same;
    this.target.requireNoCrash({ operation: operationId, isAuthenticated: credentials.isValid });
    const reply = await this.ask(operationId, { ...input, credentials });
    const isRefusedInOther =
      reply.status === 401 && input.credentials === undefined && authHeader !== this.learned.authHeader;
    if (isRefusedInOther) {
      this.#refusedInOther.add(operationId);
      return this.call(operationId, input);
    }
    this.record(reply);
    if (reply.failure === 'timeout') this.#hung.push(reply);
    return reply;
  }

  /** Records a reply, so that checks judge it. */
  record(reply: Reply): void {
    this.remember(reply);
    this.#collecting.getStore()?.push(reply);
  }

  /** Adds a reply that is not evidence of the check under way. */
  remember(reply: Reply): void {
    this.replies.push(reply);
    const { operation } = reply.request;
    const known = this.#repliesOf.get(operation);
    if (known === undefined) this.#repliesOf.set(operation, [reply]);
    else known.push(reply);
  }

  // The earlier reply to the same caller, if the operation hung twice. Throws for other callers.
  #hungBefore(operationId: OperationId, { isValid, headers }: Credentials): Reply | undefined {
    const hung = this.#hung.filter(
      ({ request }) => request.operation === operationId && request.isAuthenticated === isValid,
    );
    if (hung.length < 2 || this.target.isTidying) return undefined;
    const isSame = ({ request }: Reply) => {
      const { 'Content-Type': _, ...sent } = request.headers;
      return isDeepStrictEqual(sent, headers);
    };
    const same = isValid ? undefined : hung.find(isSame);
    if (same !== undefined) return same;
    const reason = say`${own(operationId)} timed out ${hung.length} times, so it was not called again.`;
    throw new Inconclusive('TIMEOUT', reason, `${operationId}.is-served`);
  }

  /** Calls an operation without recording the reply, so that no check judges it. */
  async ask(operationId: OperationId, input: CallInput = {}): Promise<Reply> {
    const operation = this.operations.get(operationId) as Operation;
    const credentials = input.credentials ?? this.own;
    const content = contentOf(input, this.#nextTurn(`body of ${operationId}`));
    const query = queryOf(operationId, input.query, this.#nextTurn(`query of ${operationId}`));
    const reply = await this.target.send({
      operation: operationId,
      method: operation.method,
      path: fillPath(operation.path, input.path ?? {}) + query,
      headers: { ...credentials.headers, ...content.headers },
      body: content.body,
      isAuthenticated: credentials.isValid,
      onKeptConnection: input.onKeptConnection ?? false,
    });
    return reply;
  }

  /** Does some work and collects the replies to its own calls, even if it fails. */
  async collect(work: () => Promise<unknown>): Promise<{ replies: Reply[]; error?: unknown }> {
    const replies: Reply[] = [];
    const failure = await this.#collecting.run(replies, work).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    return { replies, ...failure };
  }

  /** The replies of an operation so far. */
  repliesOf(operationId: OperationId): Reply[] {
    return [...(this.#repliesOf.get(operationId) ?? [])];
  }

  /** The successful replies of an operation to valid callers so far. */
  successesOf(operationId: OperationId): Reply[] {
    return this.repliesOf(operationId).filter(({ request, isSuccess }) => isSuccess && request.isAuthenticated);
  }

  /** A new name, also usable as a path segment. It carries the run's id, unless its shape cannot. */
  newName(shape: NameShape = usualShape): string {
    this.#names++;
    return shape.make(this.runId, this.#names);
  }

  /** An id that nothing has. */
  unknownId(): string {
    return `${this.newName()}-none`;
  }

  /** Throws {@link Inconclusive} unless the user allows writes. */
  requireWrites(): void {
    if (!this.settings.allowWrites)
      throw new Inconclusive('WRITES', say`The check writes, and this run may only read.`);
  }

  /**
   * The name of the query parameter of the tree deletion. Throws {@link Inconclusive} unless the user allows deletions
   * and gives the name.
   */
  requireDestruction(): string {
    this.requireWrites();
    const { allowDestructive, treePathParameter } = this.settings;
    if (!allowDestructive) throw new Inconclusive('DESTRUCTIVE', say`The check deletes, and this run may not delete.`);
    if (treePathParameter !== undefined) return treePathParameter;
    throw new Inconclusive(
      'TREE_PARAMETER',
      say`The name of the query parameter of the tree deletion is open, and a target that ignores a wrong one may delete everything.`,
    );
  }

  /** Records that a change of this kind became visible after pauses of `pausedMs`. */
  noteDelay(kind: keyof Learned['delaysMs'], pausedMs: number): void {
    this.learned.delaysMs[kind] = Math.max(this.learned.delaysMs[kind], pausedMs);
  }

  /** The longest time in milliseconds until any change became visible. */
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
    this.moveLog.close();
    await Promise.allSettled(this.#closers.splice(0).map(async (closer) => closer()));
  }
}

/** How to open a session. */
interface SessionOptions {
  tool: string;
  signal?: AbortSignal | undefined;
  /** Why the session stops once `signal` is aborted, unless the signal's reason is a sentence. */
  reason: Sentence;
  /** Where moves are recorded. Default: a new file in the temporary directory. */
  moveLog?: string | undefined;
  /** Default: the clock of the current work. */
  clock?: Clock | undefined;
}

/** Opens a session for some work, and closes it. Once `signal` is aborted, no further request is sent. */
export async function inSession<Result>(
  settings: Settings,
  { tool, signal, reason, moveLog, clock = currentClock() }: SessionOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = new Session(settings, tool, moveLog, clock);
  const stop = () => session.target.stop(signal?.reason instanceof Sentence ? signal.reason : reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  try {
    return await byClock(clock, () => work(session));
  } finally {
    signal?.removeEventListener('abort', stop);
    await session.close();
  }
}
