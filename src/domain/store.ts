import type { Organization } from './organizations.ts';
import { Templates } from './templates.ts';

/** Where an organization comes from: the seed, or a copy of one of the seed's that was opened at run time. */
export type Origin =
  | { readonly kind: 'seed'; readonly index: number }
  /** `index` is that of the copied one; absent when it began empty. */
  | { readonly kind: 'world'; readonly index?: number; readonly streamName: string };

/** An organization of the store with its keys. */
export interface Resident {
  readonly organization: Organization;
  readonly origin: Origin;
  /** The keys that it began with. */
  readonly firstKeys: readonly string[];
  readonly keys: Set<string>;
  /** The number of its latest use; the smallest is idle for the longest time. */
  lastUse: number;
}

/** What comes into the store. */
export type Arrival = Pick<Resident, 'organization' | 'origin'> & {
  keys: readonly string[];
  firstKeys?: readonly string[] | undefined;
};

/** All state of a mock: its organizations and their keys. Nothing else changes. */
export class Store {
  readonly templates: Templates;
  readonly #residents = new Map<string, Resident>();
  readonly #byKey = new Map<string, Resident>();
  /** Keys that were taken back: they open nothing any more. */
  readonly #revoked = new Set<string>();
  #uses = 0;
  #worldCount = 0;

  constructor(arrivals: readonly Arrival[], templates: Templates = new Templates([])) {
    this.templates = templates;
    for (const arrival of arrivals) this.put(arrival);
  }

  get organizations(): readonly Organization[] {
    return this.residents.map(({ organization }) => organization);
  }

  get residents(): readonly Resident[] {
    return [...this.#residents.values()];
  }

  /** Every key, organization by organization. */
  get keys(): string[] {
    return this.residents.flatMap(({ keys }) => [...keys]);
  }

  /** How many organizations were opened beside those of the seed. */
  get worldCount(): number {
    return this.#worldCount;
  }

  get revokedKeys(): readonly string[] {
    return [...this.#revoked];
  }

  organizationOf(key: string): Organization | undefined {
    const resident = this.#byKey.get(key);
    if (resident === undefined) return undefined;
    resident.lastUse = ++this.#uses;
    return resident.organization;
  }

  /** Whose a key is. Asking is no use of it. */
  ownerOf(key: string): Resident | undefined {
    return this.#byKey.get(key);
  }

  resident(organizationId: string): Resident | undefined {
    return this.#residents.get(organizationId);
  }

  isRevoked(key: string): boolean {
    return this.#revoked.has(key);
  }

  /** Takes an organization in, in place of the one with the same id. */
  put({ organization, origin, keys, firstKeys = keys }: Arrival): void {
    const earlier = this.#residents.get(organization.id);
    for (const key of earlier?.keys ?? []) this.#byKey.delete(key);
    this.#worldCount += Number(origin.kind === 'world') - Number(earlier?.origin.kind === 'world');
    const resident: Resident = { organization, origin, firstKeys, keys: new Set(), lastUse: ++this.#uses };
    this.#residents.set(organization.id, resident);
    for (const key of keys) this.issue(resident, key);
  }

  remove({ organization, keys, origin }: Resident): void {
    for (const key of keys) this.#byKey.delete(key);
    if (this.#residents.delete(organization.id) && origin.kind === 'world') this.#worldCount--;
  }

  /** Gives an organization one more key, which must not be another's. */
  issue(resident: Resident, key: string): void {
    resident.keys.add(key);
    this.#byKey.set(key, resident);
    this.#revoked.delete(key);
  }

  /** Takes a key back, for good. */
  revoke(key: string): void {
    this.#byKey.get(key)?.keys.delete(key);
    this.#byKey.delete(key);
    this.#revoked.add(key);
  }

  /** Whether one of these keys is another organization's. */
  isTaken(keys: readonly string[], own: Resident): boolean {
    return keys.some((key) => (this.#byKey.get(key) ?? own) !== own);
  }

  /** Takes over from an earlier store which organization was idle for how long. */
  rememberUses(earlier: Store): void {
    this.#uses = Math.max(this.#uses, earlier.#uses);
    for (const [id, resident] of this.#residents) resident.lastUse = earlier.resident(id)?.lastUse ?? resident.lastUse;
  }

  /** Whether an organization that `own` may know of, but is not, holds what `isThere` looks for. */
  isForeign(own: Organization, isThere: (organization: Organization) => boolean): boolean {
    return this.#neighboursOf(own).some(isThere);
  }

  // A world stands alone: around it are the other organizations of the seed as they were at the start.
  #neighboursOf(own: Organization): readonly Organization[] {
    const origin = this.#residents.get(own.id)?.origin;
    if (origin?.kind === 'world') return this.templates.allBut(origin.index);
    return this.residents
      .filter((resident) => resident.origin.kind === 'seed' && resident.organization !== own)
      .map(({ organization }) => organization);
  }
}
