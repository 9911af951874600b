import type { Profile } from '../../openapi/contract/profile.ts';
import type { Organization } from './organizations.ts';
import type { PartChange, Recorder, StorePartKind } from './recorder.ts';
import { Templates } from './templates.ts';

/** The origin of an organization: the seed, or a world that was opened at run time. */
export type Origin =
  | ({ readonly kind: 'seed' } & (InSeed | Lost))
  /** `copied` is the copied organization of the seed; absent when the world started empty. */
  | ({ readonly kind: 'world'; readonly streamName: string; readonly copied?: Identity } & (Partial<InSeed> | Lost));

/** Where the seed has the organization. Another seed may have another one there. */
interface InSeed {
  readonly index: number;
  readonly isLost?: never;
}

/** The seed no longer has the organization. */
interface Lost {
  readonly isLost: true;
  readonly index?: never;
}

/** By what an organization is known in any seed. */
export interface Identity {
  readonly id: string;
  readonly name: string;
}

/** An organization of the store with its keys. */
export interface Tenant {
  readonly organization: Organization;
  readonly origin: Origin;
  /** Its keys at the start. */
  readonly firstKeys: readonly string[];
  readonly keys: Set<string>;
  /** Absent: it plays the profile of all. */
  readonly ownProfile?: Profile | undefined;
  /** The number of its latest use. The smallest number has been idle for the longest time. */
  lastUse: number;
}

/** A tenant to be added to the store. */
export type NewTenant = Pick<Tenant, 'organization' | 'origin'> & {
  keys: readonly string[];
  firstKeys?: readonly string[] | undefined;
  ownProfile?: Profile | undefined;
};

/** Is told of all changes of a store. */
export interface StoreRecorder extends Recorder {
  note(part: PartChange<StorePartKind>): void;
  /** An organization was added, or replaced the one with the same id. */
  notePut(tenant: Tenant): void;
  noteRemoved(organizationId: string): void;
}

/** The only mutable state of a mock: its organizations and their keys. */
export class Store {
  readonly templates: Templates;
  readonly #tenants = new Map<string, Tenant>();
  readonly #byKey = new Map<string, Tenant>();
  /** Revoked keys. They open nothing any more. */
  readonly #revoked = new Set<string>();
  #uses = 0;
  #openedCount = 0;
  #ownProfileCount = 0;
  #recorder: StoreRecorder | undefined;

  constructor(newTenants: readonly NewTenant[], templates: Templates = new Templates([])) {
    this.templates = templates;
    for (const tenant of newTenants) this.put(tenant);
  }

  get organizations(): readonly Organization[] {
    return this.tenants.map(({ organization }) => organization);
  }

  get tenants(): readonly Tenant[] {
    return [...this.#tenants.values()];
  }

  /** Every key, organization by organization. */
  get keys(): string[] {
    return this.tenants.flatMap(({ keys }) => [...keys]);
  }

  /** The number of worlds: organizations that were opened besides those of the seed. */
  get openedCount(): number {
    return this.#openedCount;
  }

  /** Whether any organization has a profile of its own. */
  get hasOwnProfiles(): boolean {
    return this.#ownProfileCount > 0;
  }

  get revokedKeys(): readonly string[] {
    return [...this.#revoked];
  }

  /** Who is told of every change; undefined when nobody is. */
  get recorder(): StoreRecorder | undefined {
    return this.#recorder;
  }

  set recorder(recorder: StoreRecorder | undefined) {
    this.#recorder = recorder;
    for (const { organization } of this.#tenants.values()) organization.recorder = recorder;
  }

  organizationOf(key: string): Organization | undefined {
    const tenant = this.#byKey.get(key);
    if (tenant === undefined) return undefined;
    tenant.lastUse = ++this.#uses;
    return tenant.organization;
  }

  /** The tenant of a key. Does not count as a use. */
  ownerOf(key: string): Tenant | undefined {
    return this.#byKey.get(key);
  }

  tenant(organizationId: string): Tenant | undefined {
    return this.#tenants.get(organizationId);
  }

  /** The organization with this id, or else with this name. */
  named(idOrName: string): Tenant | undefined {
    return this.tenant(idOrName) ?? this.tenants.find(({ organization }) => organization.name === idOrName);
  }

  isRevoked(key: string): boolean {
    return this.#revoked.has(key);
  }

  /** Adds an organization, or replaces the one with the same id. */
  put({ organization, origin, keys, firstKeys = keys, ownProfile }: NewTenant): void {
    const earlier = this.#tenants.get(organization.id);
    for (const key of earlier?.keys ?? []) this.#byKey.delete(key);
    if (earlier !== undefined) earlier.organization.recorder = undefined;
    const tenant: Tenant = { organization, origin, firstKeys, ownProfile, keys: new Set(), lastUse: ++this.#uses };
    this.#count(earlier, -1);
    this.#count(tenant, 1);
    this.#tenants.set(organization.id, tenant);
    for (const key of keys) this.#give(tenant, key);
    this.#recorder?.notePut(tenant);
    organization.recorder = this.#recorder;
  }

  remove({ organization, keys }: Tenant): void {
    const { id } = organization;
    for (const key of keys) this.#byKey.delete(key);
    organization.recorder = undefined;
    this.#recorder?.noteRemoved(id);
    this.#count(this.#tenants.get(id), -1);
    this.#tenants.delete(id);
  }

  #count(tenant: Tenant | undefined, by: 1 | -1): void {
    if (tenant?.origin.kind === 'world') this.#openedCount += by;
    if (tenant?.ownProfile !== undefined) this.#ownProfileCount += by;
  }

  /** Gives an organization one more key. The key must be free. */
  issue(tenant: Tenant, key: string): void {
    this.#give(tenant, key);
    this.#recorder?.noteIn(tenant.organization, { kind: 'keys', id: key, value: true });
  }

  #give(tenant: Tenant, key: string): void {
    tenant.keys.add(key);
    this.#byKey.set(key, tenant);
    if (this.#revoked.delete(key)) this.#recorder?.note({ kind: 'revoked keys', id: key, value: undefined });
  }

  /** Revokes a key permanently. */
  revoke(key: string): void {
    const owner = this.#byKey.get(key);
    owner?.keys.delete(key);
    this.#byKey.delete(key);
    this.#revoked.add(key);
    if (owner !== undefined) this.#recorder?.noteIn(owner.organization, { kind: 'keys', id: key, value: undefined });
    this.#recorder?.note({ kind: 'revoked keys', id: key, value: true });
  }

  /** Sets the number of a tenant's latest use. Further uses have larger ones. */
  noteUse(tenant: Tenant, lastUse: number): void {
    tenant.lastUse = lastUse;
    this.#uses = Math.max(this.#uses, lastUse);
  }

  /** Whether one of these keys belongs to another tenant. */
  isTaken(keys: readonly string[], own: Tenant): boolean {
    return keys.some((key) => (this.#byKey.get(key) ?? own) !== own);
  }

  /** Copies from an earlier store how long each tenant has been idle, and which were written to. */
  rememberUses(earlier: Store): void {
    this.#uses = Math.max(this.#uses, earlier.#uses);
    for (const [id, tenant] of this.#tenants) {
      const before = earlier.tenant(id) ?? tenant;
      tenant.lastUse = before.lastUse;
      tenant.organization.isWritten = before.organization.isWritten;
    }
  }

  /** Whether another organization that `own` may know of has what `isThere` looks for. */
  isForeign(own: Organization, isThere: (organization: Organization) => boolean): boolean {
    return this.#neighboursOf(own).some(isThere);
  }

  /** Another organization that has what `isThere` looks for, and shares it with `own`. A world shares nothing. */
  sharing(own: Organization, isThere: (organization: Organization) => boolean): Organization | undefined {
    if (this.#tenants.get(own.id)?.origin.kind === 'world') return undefined;
    return this.#neighboursOf(own).find(isThere);
  }

  // A world is isolated: its neighbours are the other organizations of the seed as they were at the start.
  #neighboursOf(own: Organization): readonly Organization[] {
    const origin = this.#tenants.get(own.id)?.origin;
    if (origin?.kind === 'world') return this.templates.allBut(origin.index);
    return this.tenants
      .filter((tenant) => tenant.origin.kind === 'seed' && tenant.organization !== own)
      .map(({ organization }) => organization);
  }
}
