import { packageVersion } from '../../../openapi/contract/package-version.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import type { RecordChange, StoreChange } from '../../domain/recorder.ts';
import type { Store, StoreRecorder, Tenant } from '../../domain/store.ts';
import type { Engine } from '../../engine/engine.ts';
import { allChanges, countChanges, headOf, putChanges, type SavedChange } from '../../engine/saved-changes.ts';
import { StartError } from '../../workbench/start-error.ts';
import { closeState, codeOf, type FileFacts, type OpenState } from './open-state.ts';

// A small file is not made again for less.
const leastAddedBytes = 1_048_576;

/**
 * Keeps the state of an engine in a file. Changes are collected while a call is carried out, and written as one line before
 * its answer leaves: so a call is in the file as a whole or not at all. Where the whole store was replaced, or where much
 * was added, the file is made again.
 */
export class KeptState implements StoreRecorder {
  readonly #engine: Engine;
  readonly #open: OpenState;
  readonly #askedProfile: Profile;
  readonly #onLost: (error: StartError) => void;
  #changes: SavedChange[] = [];
  readonly #touched = new Set<{ readonly id: string }>();
  /** What the file holds. */
  #store: Store | undefined;
  #clockMs: number | undefined;
  #worlds = '';
  #mostAddedBytes = leastAddedBytes;
  #lost: StartError | undefined;
  #isClosed = false;

  /** `askedProfile`: what the options ask for. `onLost` is called once, when the file can no longer be written. */
  constructor(engine: Engine, open: OpenState, askedProfile: Profile, onLost: (error: StartError) => void) {
    this.#engine = engine;
    this.#open = open;
    this.#askedProfile = askedProfile;
    this.#onLost = onLost;
  }

  /** Takes the state of the engine for what the file holds. */
  goOn(): void {
    this.#follow();
    const { made } = this.#open.file.lengths;
    this.#mostAddedBytes = Math.max(leastAddedBytes, made);
  }

  /** Saves for the first time. Throws a {@link StartError} if that is not possible. */
  begin(): void {
    const error = this.save();
    if (error === undefined) return;
    const reason = codeOf(error.cause);
    const text = `${this.#open.name} cannot be written (${reason}). Remedy this, or choose another file.`;
    throw new StartError('FILE_UNWRITABLE', text, { cause: error.cause });
  }

  note(change: StoreChange): void {
    this.#collect(change);
  }

  noteIn(organization: { readonly id: string }, change?: RecordChange): void {
    this.#touched.add(organization);
    if (change === undefined) this.#saveSoon();
    else this.#collect({ ...change, in: organization.id });
  }

  notePut(tenant: Tenant): void {
    this.#touched.add(tenant.organization);
    for (const change of putChanges(tenant)) this.#collect(change);
  }

  /** Hands all changes to the system. What is in its way, if anything: then nothing may be answered any more. */
  save(): StartError | undefined {
    if (this.#lost !== undefined || this.#isClosed) return this.#lost;
    try {
      if (this.#engine.store !== this.#store) this.#makeAgain();
      else if (this.#isChanged()) this.#add();
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
    closeState(this.#open);
  }

  // Reading is not written down, but which world was idle for how long should be known the next time.
  #saveUses(): void {
    for (const { organization } of this.#engine.store.tenants) this.#touched.add(organization);
    this.save();
  }

  #isChanged(): boolean {
    return this.#changes.length > 0 || this.#touched.size > 0 || this.#engine.clock.fixedAtMs !== this.#clockMs;
  }

  #collect(change: SavedChange): void {
    this.#saveSoon();
    this.#changes.push(change);
  }

  // For changes that no answer follows. Those of one call are made without a break.
  #saveSoon(): void {
    if (this.#changes.length === 0) queueMicrotask(() => this.save());
  }

  #add(): void {
    const { file } = this.#open;
    const changes = [...this.#changes, ...this.#movedOn()];
    file.add(changes);
    this.#follow();
    if (file.lengths.added > this.#mostAddedBytes) this.#makeSmaller();
  }

  /** What moves on with every change. */
  #movedOn(): SavedChange[] {
    const { store, clock, tenants } = this.#engine;
    const counts = [...this.#touched].flatMap((organization) => {
      const tenant = store.tenant(organization.id);
      return tenant?.organization === organization ? countChanges(tenant) : [];
    });
    const { fixedAtMs } = clock;
    const isMoved = fixedAtMs !== this.#clockMs;
    const isOpened = JSON.stringify(tenants.progress) !== this.#worlds;
    return [
      ...counts,
      ...(isMoved ? [{ do: 'clock' as const, fixedAtMs }] : []),
      ...(isOpened ? [{ do: 'worlds' as const, ...tenants.progress }] : []),
    ];
  }

  #makeAgain(): void {
    const { file } = this.#open;
    file.replace(this.#values());
    this.#mostAddedBytes = Math.max(leastAddedBytes, file.lengths.made);
    this.#follow();
  }

  // Everything is in the file already: where there is no room for another one now, there may be later.
  #makeSmaller(): void {
    try {
      this.#makeAgain();
    } catch {
      this.#mostAddedBytes *= 2;
    }
  }

  *#values(): Generator<unknown> {
    const facts: FileFacts = { writtenBy: packageVersion(), askedProfile: this.#askedProfile };
    yield { ...facts, ...headOf(this.#engine) };
    for (const change of allChanges(this.#engine)) yield [change];
    // What follows was added.
    yield [];
  }

  /** The file holds the state as it is now. */
  #follow(): void {
    const { store, clock, tenants } = this.#engine;
    if (store !== this.#store) {
      if (this.#store !== undefined) this.#store.recorder = undefined;
      store.recorder = this;
      this.#store = store;
    }
    this.#changes = [];
    this.#touched.clear();
    this.#clockMs = clock.fixedAtMs;
    this.#worlds = JSON.stringify(tenants.progress);
  }

  #lose(error: unknown): void {
    const { name } = this.#open;
    this.#lost = new StartError(
      'STATE_LOST',
      `The state can no longer be written to ${name} (${codeOf(error)}), so the mock stops. The file holds everything that was answered before. Remedy this, and start the mock again.`,
      { cause: error },
    );
    this.#onLost(this.#lost);
  }
}
