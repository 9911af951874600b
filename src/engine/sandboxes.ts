// Here and in `src/domain/store.ts`: which key opens which sandbox.

import { mockHeaders } from '../../openapi/contract/mock-headers.ts';
import type { Organization, Runtime } from '../domain/organizations.ts';
import { continueRandom, createRandom, type Random, type RandomState } from '../domain/random.ts';
import type { StorePartKind } from '../domain/recorder.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Origin, Sandbox, Store } from '../domain/store.ts';
import { remake } from './restore.ts';

/** The rules for sandboxes: organizations opened in addition to the seed's, each with separate state. */
export interface SandboxRules {
  /** Whether an unknown key opens its own sandbox. */
  hasOpenKeys: boolean;
  /** The maximum number. One more replaces the least recently used one, unchanged ones first. */
  limit: number;
}

export interface SandboxOptions {
  name?: string | undefined;
  /** Default: a generated key. */
  key?: string | undefined;
  /** The id or name of the seed's organization to copy. Default: the first. Null: the sandbox starts empty. */
  copyOf?: string | null | undefined;
}

/** An opened sandbox, and the ids of the sandboxes retired for it. */
interface OpenedSandbox {
  sandbox: Sandbox;
  key: string;
  retired: readonly string[];
}

/** The parts of the engine that sandboxes use. A change of profile replaces them. */
interface SandboxHost {
  readonly runtime: Runtime;
  readonly store: Store;
}

/** The state from which further sandboxes are opened. */
export interface SandboxesProgress {
  /** The number of sandboxes opened. */
  readonly count: number;
  /** The state of the stream of generated keys. */
  readonly keys: RandomState;
}

/** What is known about sandboxes besides their contents, as data. */
interface SandboxesState extends SandboxesProgress {
  readonly retiredKeys: readonly string[];
  /** The ids of sandboxes that were opened explicitly. */
  readonly promised: readonly string[];
}

const rememberedKeys = 10_000;
const openable = /^[\x21-\x2b\x2d-\x7e]{1,256}$/;

/** Opens sandboxes and retires idle ones. */
export class Sandboxes {
  readonly rules: SandboxRules;
  readonly #host: SandboxHost;
  #keys: Random;
  #count = 0;
  /** The keys of the most recently retired sandboxes. */
  readonly #retiredKeys = new Set<string>();
  /** The ids of sandboxes that were opened explicitly, so somebody relies on them. */
  readonly #promised = new Set<string>();
  /** The headers for the first response of each new sandbox, by its id. */
  readonly #notices = new Map<string, Record<string, string>>();

  constructor(host: SandboxHost, rules: SandboxRules) {
    this.#host = host;
    this.rules = rules;
    this.#keys = keyStream(host.runtime);
  }

  /** Starts over: generated keys repeat from the first one. */
  reset(): void {
    this.#keys = keyStream(this.#host.runtime);
    this.#count = 0;
    this.#retiredKeys.clear();
    this.#promised.clear();
    this.#notices.clear();
  }

  /** The number of sandboxes opened, and the state of the stream of generated keys. */
  get progress(): SandboxesProgress {
    return { count: this.#count, keys: this.#keys.state() };
  }

  /** Everything known about sandboxes. */
  state(): SandboxesState {
    return { ...this.progress, retiredKeys: [...this.#retiredKeys], promised: [...this.#promised] };
  }

  /** Takes over an earlier state. */
  restore({ count, keys, retiredKeys, promised }: SandboxesState): void {
    this.reset();
    this.#count = count;
    this.#keys = continueRandom(keys);
    for (const id of promised) this.#promised.add(id);
    for (const key of retiredKeys) this.#retiredKeys.add(key);
  }

  /** Remembers the keys of a sandbox that is gone. */
  rememberRetired(keys: Iterable<string>, id: string): void {
    for (const key of keys) {
      this.#retiredKeys.add(key);
      this.#note('retired keys', key, true);
    }
    this.#notices.delete(id);
    if (this.#promised.delete(id)) this.#note('promised', id, undefined);
    for (const key of this.#retiredKeys) {
      if (this.#retiredKeys.size <= rememberedKeys) return;
      this.#retiredKeys.delete(key);
      this.#note('retired keys', key, undefined);
    }
  }

  #note(kind: StorePartKind, id: string, value: true | undefined): void {
    this.#host.store.recorder?.note({ kind, id, value });
  }

  open({ name, key, copyOf }: SandboxOptions): OpenedSandbox | Refusal {
    const { store } = this.#host;
    if (key !== undefined && store.ownerOf(key) !== undefined) {
      return refuse('conflict', 'Another organization has this key. Choose a different key, or omit it.');
    }
    const index = copyOf === null ? undefined : this.#templateIndex(copyOf);
    if (index !== undefined && index < 0) {
      const names = store.templates.map((template) => JSON.stringify(template.name)).join(', ');
      return refuse('notFound', `The seed has no such organization. It has ${names}; copyOf takes an id or a name.`);
    }
    this.#count++;
    const chosen = key ?? this.makeKey();
    const opened = this.#add(name ?? `Sandbox ${this.#count}`, chosen, index);
    // The caller relies on its key, which opens no other sandbox.
    const { id } = opened.sandbox.organization;
    this.#promised.add(id);
    this.#note('promised', id, true);
    return opened;
  }

  /** Opens a sandbox for an unknown key, if the rules allow it. */
  openFor(key: string): Organization | undefined {
    const { store } = this.#host;
    if (!this.rules.hasOpenKeys || !openable.test(key) || store.isRevoked(key)) return undefined;
    const word = this.#retiredKeys.has(key) ? 'reopened' : 'opened';
    const { sandbox, retired } = this.#add(
      `Sandbox ${++this.#count}`,
      key,
      store.templates.length === 0 ? undefined : 0,
    );
    this.#notices.set(sandbox.organization.id, {
      [mockHeaders.sandbox]: word,
      ...(retired.length === 0 ? {} : { [mockHeaders.retiredSandboxes]: retired.join(', ') }),
    });
    return sandbox.organization;
  }

  /** Why a key that was known is not known any more. */
  whyUnknown(key: string): string | undefined {
    if (this.#host.store.isRevoked(key)) return 'The API key was revoked.';
    // Values of a header that is sent twice arrive with these between them, and no key has a space.
    if (key.includes(', ')) return 'The request has several API keys, or the same one twice.';
    if (this.rules.hasOpenKeys && !openable.test(key))
      return 'This API key cannot open a sandbox: it must have 1 to 256 printable ASCII characters, without spaces or commas.';
    if (!this.#retiredKeys.has(key)) return undefined;
    return `The sandbox of this API key was retired to make room for a newer one: the limit is ${this.rules.limit}.`;
  }

  /** The headers that announce a new sandbox, for its first response only. */
  takeNotice({ id }: Organization): Record<string, string> | undefined {
    if (this.#notices.size === 0) return undefined;
    const notice = this.#notices.get(id);
    this.#notices.delete(id);
    return notice;
  }

  #add(name: string, key: string, index: number | undefined): OpenedSandbox {
    const { store } = this.#host;
    const retired = this.#retireIdle();
    const { organization, origin } = this.#make(name, key, index);
    store.put({ organization, origin, keys: [key] });
    return { sandbox: store.sandbox(organization.id) as Sandbox, key, retired };
  }

  // The same key makes the same sandbox, unless its id is taken, by an earlier owner of the key or by chance.
  #make(name: string, key: string, index: number | undefined): { organization: Organization; origin: Origin } {
    const { store, runtime } = this.#host;
    const template = index === undefined ? undefined : store.templates[index];
    const copied =
      index === undefined || template === undefined ? {} : { index, copied: { id: template.id, name: template.name } };
    for (let attempt = 1; ; attempt++) {
      const streamName = attempt === 1 ? `sandbox/${key}` : `sandbox/${key}/${attempt}`;
      const origin = { kind: 'sandbox' as const, streamName, ...copied };
      // Its origin is in the seed.
      const organization = remake(store, runtime, name, origin) as Organization;
      if (store.sandbox(organization.id) === undefined) return { organization, origin };
    }
  }

  #retireIdle(): string[] {
    const { store } = this.#host;
    const excess = store.openedCount + 1 - this.rules.limit;
    if (excess <= 0) return [];
    const opened = store.sandboxes.filter(({ origin }) => origin.kind === 'sandbox');
    // An unchanged sandbox can be recreated.
    const isChanged = ({ organization: { id, isWritten }, ownProfile }: Sandbox) =>
      Number(isWritten || ownProfile !== undefined || this.#promised.has(id));
    const order = (one: Sandbox, other: Sandbox) => isChanged(one) - isChanged(other) || one.lastUse - other.lastUse;
    const idle = opened.sort(order).slice(0, excess);
    for (const sandbox of idle) {
      this.rememberRetired(sandbox.keys, sandbox.organization.id);
      store.remove(sandbox);
    }
    return idle.map(({ organization }) => organization.id);
  }

  #templateIndex(wanted: string | undefined): number | undefined {
    const { store } = this.#host;
    if (wanted === undefined) return store.templates.length === 0 ? undefined : 0;
    const isMeant = ({ id, name }: Organization) => id === wanted || name === wanted;
    // Under the current profile a template may have a different id from the organization that was made from it.
    const ofSeed = store.sandboxes.find(({ origin, organization }) => origin.kind === 'seed' && isMeant(organization));
    return ofSeed?.origin.index ?? store.templates.findIndex(isMeant);
  }

  /** Generates a key that is not in use. */
  makeKey(): string {
    const { store } = this.#host;
    for (;;) {
      const letters = Array.from({ length: 3 }, () => this.#keys.uint32().toString(36).padStart(7, '0')).join('');
      const key = `key-${letters}`;
      if (store.ownerOf(key) === undefined && !store.isRevoked(key)) return key;
    }
  }
}

function keyStream({ randomSeed }: Runtime): Random {
  return createRandom(`${randomSeed}/keys`);
}
