import type { Profile } from '../../openapi/contract/profile.ts';
import type { Organization } from './organizations.ts';
import type { PartChange, Recorder, StorePartKind } from './recorder.ts';

/** The origin of an organization: the seed, or a sandbox that was opened at run time. */
export type Origin =
  | ({ readonly kind: 'seed' } & (InSeed | Lost))
  /** `copied` is the copied organization of the seed; absent if the sandbox started empty. */
  | ({ readonly kind: 'sandbox'; readonly streamName: string; readonly copied?: Identity } & (Partial<InSeed> | Lost));

/** The organization's index in the seed. In a different seed it may be a different organization. */
interface InSeed {
  readonly index: number;
  readonly isLost?: never;
}

/** The organization is no longer in the seed. */
interface Lost {
  readonly isLost: true;
  readonly index?: never;
}

/** What identifies an organization across seeds. */
export interface Identity {
  readonly id: string;
  readonly name: string;
}

/** An organization of the store with its keys. */
export interface Sandbox {
  readonly organization: Organization;
  readonly origin: Origin;
  /** Its keys at the start. */
  readonly firstKeys: readonly string[];
  readonly keys: Set<string>;
  /** Absent: it uses the common profile. */
  readonly ownProfile?: Profile | undefined;
  /** The number of its latest use: the smaller, the longer it has been idle. */
  lastUse: number;
}

/** A sandbox to be added to the store. */
export type NewSandbox = Pick<Sandbox, 'organization' | 'origin'> & {
  keys: readonly string[];
  firstKeys?: readonly string[] | undefined;
  ownProfile?: Profile | undefined;
};

export interface StoreRecorder extends Recorder {
  note(part: PartChange<StorePartKind>): void;
  /** An organization was added, or replaced the one with the same id. */
  notePut(sandbox: Sandbox): void;
  noteRemoved(organizationId: string): void;
}

/** The only mutable state of a mock: its organizations and their keys. */
export class Store {
  /** The organizations of the seed in their initial state. They never change. */
  readonly templates: readonly Organization[];
  readonly #sandboxes = new Map<string, Sandbox>();
  readonly #byKey = new Map<string, Sandbox>();
  /** Revoked keys. They open nothing any more. */
  readonly #revoked = new Set<string>();
  #uses = 0;
  #openedCount = 0;
  #ownProfileCount = 0;
  #recorder: StoreRecorder | undefined;

  constructor(newSandboxes: readonly NewSandbox[], templates: readonly Organization[] = []) {
    this.templates = templates;
    for (const sandbox of newSandboxes) this.put(sandbox);
  }

  get organizations(): readonly Organization[] {
    return this.sandboxes.map(({ organization }) => organization);
  }

  get sandboxes(): readonly Sandbox[] {
    return [...this.#sandboxes.values()];
  }

  /** All keys, grouped by organization. */
  get keys(): string[] {
    return this.sandboxes.flatMap(({ keys }) => [...keys]);
  }

  /** The number of sandboxes: organizations that were opened in addition to the seed's. */
  get openedCount(): number {
    return this.#openedCount;
  }

  get hasOwnProfiles(): boolean {
    return this.#ownProfileCount > 0;
  }

  get revokedKeys(): readonly string[] {
    return [...this.#revoked];
  }

  /** Gets every change; undefined if nothing records them. */
  get recorder(): StoreRecorder | undefined {
    return this.#recorder;
  }

  set recorder(recorder: StoreRecorder | undefined) {
    this.#recorder = recorder;
    for (const { organization } of this.#sandboxes.values()) organization.recorder = recorder;
  }

  organizationOf(key: string): Organization | undefined {
    const sandbox = this.#byKey.get(key);
    if (sandbox === undefined) return undefined;
    sandbox.lastUse = ++this.#uses;
    return sandbox.organization;
  }

  /** The sandbox of a key. Does not count as a use. */
  ownerOf(key: string): Sandbox | undefined {
    return this.#byKey.get(key);
  }

  sandbox(organizationId: string): Sandbox | undefined {
    return this.#sandboxes.get(organizationId);
  }

  /** The organization with this id, or else all with this name. */
  named(idOrName: string): Sandbox[] {
    const one = this.sandbox(idOrName);
    return one === undefined ? this.sandboxes.filter(({ organization }) => organization.name === idOrName) : [one];
  }

  isRevoked(key: string): boolean {
    return this.#revoked.has(key);
  }

  /** Adds an organization, or replaces the one with the same id. */
  put({ organization, origin, keys, firstKeys = keys, ownProfile }: NewSandbox): void {
    const earlier = this.#sandboxes.get(organization.id);
    for (const key of earlier?.keys ?? []) this.#byKey.delete(key);
    if (earlier !== undefined) earlier.organization.recorder = undefined;
    const sandbox: Sandbox = { organization, origin, firstKeys, ownProfile, keys: new Set(), lastUse: ++this.#uses };
    this.#count(earlier, -1);
    this.#count(sandbox, 1);
    this.#sandboxes.set(organization.id, sandbox);
    for (const key of keys) this.#give(sandbox, key);
    this.#recorder?.notePut(sandbox);
    organization.recorder = this.#recorder;
  }

  remove({ organization, keys }: Sandbox): void {
    const { id } = organization;
    for (const key of keys) this.#byKey.delete(key);
    organization.recorder = undefined;
    this.#recorder?.noteRemoved(id);
    this.#count(this.#sandboxes.get(id), -1);
    this.#sandboxes.delete(id);
  }

  #count(sandbox: Sandbox | undefined, by: 1 | -1): void {
    if (sandbox?.origin.kind === 'sandbox') this.#openedCount += by;
    if (sandbox?.ownProfile !== undefined) this.#ownProfileCount += by;
  }

  /** Gives an organization one more key. The key must be free. */
  issue(sandbox: Sandbox, key: string): void {
    this.#give(sandbox, key);
    this.#recorder?.noteIn(sandbox.organization, { kind: 'keys', id: key, value: true });
  }

  #give(sandbox: Sandbox, key: string): void {
    sandbox.keys.add(key);
    this.#byKey.set(key, sandbox);
    if (this.#revoked.delete(key)) this.#recorder?.note({ kind: 'revoked keys', id: key, value: undefined });
  }

  revoke(key: string): void {
    const owner = this.#byKey.get(key);
    owner?.keys.delete(key);
    this.#byKey.delete(key);
    this.#revoked.add(key);
    if (owner !== undefined) this.#recorder?.noteIn(owner.organization, { kind: 'keys', id: key, value: undefined });
    this.#recorder?.note({ kind: 'revoked keys', id: key, value: true });
  }

  /** Sets the number of a sandbox's latest use. Further uses have larger ones. */
  noteUse(sandbox: Sandbox, lastUse: number): void {
    sandbox.lastUse = lastUse;
    this.#uses = Math.max(this.#uses, lastUse);
  }

  /** Whether one of these keys belongs to another sandbox. */
  isTaken(keys: readonly string[], own: Sandbox): boolean {
    return keys.some((key) => (this.#byKey.get(key) ?? own) !== own);
  }

  /** Copies from an earlier store when each sandbox was last used, and whether it was written to. */
  rememberUses(earlier: Store): void {
    this.#uses = Math.max(this.#uses, earlier.#uses);
    for (const [id, sandbox] of this.#sandboxes) {
      const before = earlier.sandbox(id) ?? sandbox;
      sandbox.lastUse = before.lastUse;
      sandbox.organization.isWritten = before.organization.isWritten;
    }
  }

  /** Whether `isThere` holds for another organization that `own` may know of. */
  isForeign(own: Organization, isThere: (organization: Organization) => boolean): boolean {
    return this.#neighboursOf(own).some(isThere);
  }

  /** Another organization for which `isThere` holds and that shares with `own`. A sandbox shares nothing. */
  sharing(own: Organization, isThere: (organization: Organization) => boolean): Organization | undefined {
    if (this.#sandboxes.get(own.id)?.origin.kind === 'sandbox') return undefined;
    return this.#neighboursOf(own).find(isThere);
  }

  // A sandbox is isolated: its neighbours are the other organizations of the seed as they were at the start.
  #neighboursOf(own: Organization): readonly Organization[] {
    const origin = this.#sandboxes.get(own.id)?.origin;
    if (origin?.kind === 'sandbox') return this.templates.filter((_, index) => index !== origin.index);
    return this.sandboxes
      .filter((sandbox) => sandbox.origin.kind === 'seed' && sandbox.organization !== own)
      .map(({ organization }) => organization);
  }
}
