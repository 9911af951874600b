import type { Organization } from './organizations.ts';

/** All state of a mock: its organizations and their keys. Nothing else changes. */
export class Store {
  readonly organizations: readonly Organization[];
  readonly #byKey: ReadonlyMap<string, Organization>;

  constructor(entries: readonly { organization: Organization; keys: readonly string[] }[]) {
    this.organizations = entries.map((entry) => entry.organization);
    this.#byKey = new Map(entries.flatMap(({ organization, keys }) => keys.map((key) => [key, organization])));
  }

  /** Every key with the name of its organization. */
  get keys(): string[] {
    return [...this.#byKey.keys()];
  }

  organizationOf(key: string): Organization | undefined {
    return this.#byKey.get(key);
  }

  /** Whether any organization but `own` holds what `isThere` looks for. */
  isForeign(own: Organization, isThere: (organization: Organization) => boolean): boolean {
    return this.organizations.some((organization) => organization !== own && isThere(organization));
  }
}
