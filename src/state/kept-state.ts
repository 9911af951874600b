/*
 * The state in a file: `rows.ts` has the tables of the database; `state-file.ts` what is refused, the lock, and what
 * others did to the file; `saved-state.ts` which rows a state has, and a state made of them. Each record, list, file
 * and key tells the recorder of its store when it changes (`src/domain/recorder.ts`). It is written before a response
 * leaves: `save` of `EdgeContext`, called in `src/node/mock/send-answer.ts`, in `edge-context.ts` after each change by
 * the admin API, and in `mock-handle.ts`. `test/kept-state.test.ts` compares.
 */
import { packageVersion } from '../../openapi/contract/package-version.ts';
import { differingChoices, type Profile } from '../../openapi/contract/profile.ts';
import type { PartChange, PartKind, StorePartKind } from '../domain/recorder.ts';
import type { Sandbox, Store, StoreRecorder } from '../domain/store.ts';
import type { Engine } from '../engine/engine.ts';
import { StartError } from '../workbench/start-error.ts';
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
 * Keeps the state of an engine in a file. Changes are collected while a call is carried out, and written in one transaction
 * before its response leaves: so a call is in the file as a whole or not at all.
 */
export class KeptState implements StoreRecorder {
  readonly #engine: Engine;
  readonly #file: StateFile;
  readonly #askedProfile: Profile;
  readonly #onLost: (error: StartError) => void;
  /** In their order. Those of a whole organization are made when they are written. */
  #changes: Iterable<RowChange>[] = [];
  readonly #touched = new Set<{ readonly id: string }>();
  /** What the file holds, and which organizations have no rows there because they can be remade. */
  #store: Store | undefined;
  #progress = '';
  #clockMs: number | undefined;
  readonly #remade = new WeakSet<object>();
  #lost: StartError | undefined;
  #isClosed = false;

  /** `askedProfile`: what the options ask for. `onLost` is called once, when the file can no longer be written. */
  constructor(engine: Engine, open: OpenState, askedProfile: Profile, onLost: (error: StartError) => void) {
    this.#engine = engine;
    this.#file = open.file;
    this.#askedProfile = askedProfile;
    this.#onLost = onLost;
    const { askedProfile: before } = open.saved?.start ?? {};
    // Else everything is written anew with what is asked for now.
    if (before !== undefined && Object.keys(differingChoices(before, askedProfile)).length === 0) this.#goOn();
  }

  // Where the start brought another profile, it has made another store.
  #goOn(): void {
    for (const { organization } of this.#engine.store.sandboxes)
      if (organization.isAsMade) this.#remade.add(organization);
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

  /** Hands all changes to the system. Returns what prevents it, if anything: then no response may leave any more. */
  save(): StartError | undefined {
    if (this.#lost !== undefined || this.#isClosed) return this.#lost;
    try {
      const isAfresh = this.#engine.store !== this.#store;
      if (!isAfresh && !this.#isChanged()) return undefined;
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
    if (this.#store !== undefined) this.#saveUses();
    this.#isClosed = true;
    if (this.#store !== undefined) this.#store.recorder = undefined;
    this.#file.close();
  }

  // Reading is not written down, but which sandbox was idle for how long should be known the next time.
  #saveUses(): void {
    for (const { organization } of this.#engine.store.sandboxes) this.#touched.add(organization);
    this.#file.flushNext();
    this.save();
  }

  #isChanged(): boolean {
    return this.#touched.size > 0 || this.#changes.length > 0 || this.#clockMs !== this.#engine.clock.fixedAtMs;
  }

  // Saves soon where no response follows. The changes of one call are made without a break.
  #collect(changes: Iterable<RowChange>): void {
    if (this.#changes.length === 0) queueMicrotask(() => this.save());
    this.#changes.push(changes);
  }

  *#everything(): Generator<RowChange> {
    const about = { writtenBy: packageVersion(), askedProfile: this.#askedProfile };
    for (const put of stateRows(this.#engine, about)) yield { put };
    for (const sandbox of this.#engine.store.sandboxes) this.#noteRemade(sandbox);
  }

  // What was collected may repeat a part of an organization that is written as a whole, with the same end.
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

  /** The file holds the state as it is now. */
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
