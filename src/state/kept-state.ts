/*
 * The state in a file. `rows.ts` has the database tables; `state-file.ts` the lock, refused files, and changes by
 * others; `saved-state.ts` converts a state to rows and back. Each record, list, file and key tells its store's
 * recorder when it changes (`src/domain/recorder.ts`). Changes are written before a response leaves, by `save` of
 * `EdgeContext`: called in `src/http/server.ts`, and in `edge-context.ts` after each change by the admin API or
 * from code. `test/mock/kept-state.test.ts` compares the results.
 */
import { packageVersion } from '../../lib/package-version.ts';
import { differingChoices, type Profile } from '../../openapi/contract/profile.ts';
import { StartError } from '../app/start-error.ts';
import type { PartChange, PartKind, StorePartKind } from '../domain/recorder.ts';
import type { Sandbox, Store, StoreRecorder } from '../domain/store.ts';
import type { Engine } from '../engine/engine.ts';
import type { RowChange } from './rows.ts';
import {
  canBeRemade,
  mockRow,
  type OpenState,
  organizationRow,
  organizationRows,
  partName,
  progressOf,
  stateRows,
} from './saved-state.ts';
import { FileChanged, reasonOf, type StateFile } from './state-file.ts';

/**
 * Keeps the state of an engine in a file. The changes of a call are collected and written in one transaction before its
 * response leaves, so a call is in the file completely or not at all.
 */
export class KeptState implements StoreRecorder {
  readonly #engine: Engine;
  readonly #file: StateFile;
  readonly #askedProfile: Profile;
  readonly #onLost: (error: StartError) => void;
  /** In order. The rows of a whole organization are generated when they are written. */
  #changes: Iterable<RowChange>[] = [];
  readonly #touched = new Set<{ readonly id: string }>();
  /** What the file holds, and which organizations have no rows in it because they can be recreated. */
  #store: Store | undefined;
  #progress = '';
  #clockMs: number | undefined;
  readonly #remade = new WeakSet<object>();
  #lost: StartError | undefined;
  #isClosed = false;

  /** `askedProfile` comes from the options. `onLost` is called once, when the file can no longer be written. */
  constructor(engine: Engine, open: OpenState, askedProfile: Profile, onLost: (error: StartError) => void) {
    this.#engine = engine;
    this.#file = open.file;
    this.#askedProfile = askedProfile;
    this.#onLost = onLost;
    const { askedProfile: before } = open.saved?.start ?? {};
    // If the profile changed at startup, there is a new store: everything is rewritten with the one now asked for.
    if (before === undefined || Object.keys(differingChoices(before, askedProfile)).length > 0) return;
    for (const { organization } of engine.store.sandboxes) if (organization.isAsMade) this.#remade.add(organization);
    this.#follow();
  }

  /** Saves for the first time. Throws a {@link StartError} if that is not possible. */
  begin(): void {
    const error = this.save();
    if (error === undefined) return;
    if (error.cause instanceof StartError) throw error.cause;
    const text = `${this.#file.name} cannot be written (${reasonOf(error.cause)}). Fix this, or choose a different file.`;
    throw new StartError('FILE_UNWRITABLE', text, { cause: error.cause });
  }

  note(part: PartChange<StorePartKind>): void {
    this.#collect([toRowChange(part)]);
  }

  noteIn(organization: { readonly id: string }, part?: PartChange<PartKind>): void {
    this.#touched.add(organization);
    this.#collect(part === undefined ? [] : [toRowChange(part, organization.id)]);
  }

  notePut(sandbox: Sandbox): void {
    this.#collect(this.#putWhole(sandbox));
  }

  noteRemoved(organizationId: string): void {
    this.#collect([{ drop: organizationId }]);
  }

  /** Passes all changes to the system. Returns an error if that fails: then no response may leave any more. */
  save(): StartError | undefined {
    if (this.#lost !== undefined || this.#isClosed) return this.#lost;
    try {
      const isAfresh = this.#engine.store !== this.#store;
      const isTouched = this.#touched.size > 0 || this.#changes.length > 0;
      if (!isAfresh && !isTouched && this.#clockMs === this.#engine.clock.fixedAtMs) return undefined;
      this.#file.write(isAfresh ? this.#everything() : this.#pending(), isAfresh);
      this.#follow();
    } catch (error) {
      this.#lose(error);
    }
    return this.#lost;
  }

  /** Saves for the last time, and closes the file. */
  close(): void {
    if (this.#isClosed) return;
    if (this.#store !== undefined) {
      // Reads are not saved, but the next start should know how long each sandbox was idle.
      for (const { organization } of this.#engine.store.sandboxes) this.#touched.add(organization);
      this.#file.flushNext();
      this.save();
    }
    this.#isClosed = true;
    if (this.#store !== undefined) this.#store.recorder = undefined;
    this.#file.close();
  }

  // Saves soon in case no response follows. A call makes all its changes synchronously.
  #collect(changes: Iterable<RowChange>): void {
    if (this.#changes.length === 0) queueMicrotask(() => this.save());
    this.#changes.push(changes);
  }

  *#everything(): Generator<RowChange> {
    const about = { writtenBy: packageVersion(), askedProfile: this.#askedProfile };
    for (const put of stateRows(this.#engine, about)) yield { put };
    for (const sandbox of this.#engine.store.sandboxes) this.#noteRemade(sandbox);
  }

  // Collected changes may repeat parts of an organization that is written as a whole; the result is the same.
  *#pending(): Generator<RowChange> {
    const { store } = this.#engine;
    const sandboxes = [...this.#touched]
      .map((organization) => {
        const sandbox = store.sandbox(organization.id);
        return sandbox?.organization === organization ? sandbox : undefined;
      })
      .filter((sandbox) => sandbox !== undefined);
    for (const sandbox of sandboxes)
      if (this.#remade.has(sandbox.organization) && !sandbox.organization.isAsMade) yield* this.#putWhole(sandbox);
    for (const changes of this.#changes) yield* changes;
    for (const sandbox of sandboxes) yield { put: organizationRow(sandbox) };
    const progress = progressOf(this.#engine);
    if (JSON.stringify(progress) !== this.#progress) yield { put: mockRow('progress', progress) };
  }

  *#putWhole(sandbox: Sandbox): Generator<RowChange> {
    yield { empty: sandbox.organization.id };
    for (const put of organizationRows(sandbox)) yield { put };
    this.#noteRemade(sandbox);
  }

  #noteRemade({ organization, origin }: Sandbox): void {
    if (canBeRemade(organization, origin)) this.#remade.add(organization);
    else this.#remade.delete(organization);
  }

  /** Notes that the file holds the current state. */
  #follow(): void {
    const { store } = this.#engine;
    if (store !== this.#store) {
      if (this.#store !== undefined) this.#store.recorder = undefined;
      store.recorder = this;
      this.#store = store;
    }
    this.#changes = [];
    this.#touched.clear();
    this.#clockMs = this.#engine.clock.fixedAtMs;
    this.#progress = JSON.stringify(progressOf(this.#engine));
  }

  #lose(error: unknown): void {
    const text =
      error instanceof FileChanged
        ? error.message
        : `The state can no longer be written to ${this.#file.name} (${reasonOf(error)}), so the mock stops. The file holds everything that was acknowledged before. Fix this and restart the mock.`;
    this.#lost = new StartError('STATE_LOST', text, { cause: error });
    this.#onLost(this.#lost);
  }
}

function toRowChange(part: PartChange, organization = ''): RowChange {
  const name = partName(part, organization);
  const { value } = part;
  return value === undefined ? { remove: name } : { put: { ...name, value } };
}
