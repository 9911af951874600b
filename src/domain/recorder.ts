/** The kinds of records that an organization has by their ids, and in a list. */
export type RecordKind = 'agents' | 'drives' | 'mcpServers';

/** What an organization consists of, one by one: its records, their places in its lists, its files and its keys. */
export type PartKind = RecordKind | `listed ${RecordKind}` | 'files' | 'keys';

/** What a store consists of besides its organizations. */
export type StorePartKind = 'revoked keys' | 'retired keys' | 'promised';

/** One part that was added or replaced; without a value, it was removed. A value never changes any more. */
export interface PartChange<Kind extends string = PartKind | StorePartKind> {
  readonly kind: Kind;
  readonly id: string;
  /** The drive of a file. */
  readonly drive?: string;
  readonly value: object | true | undefined;
}

/** Gets changes when they happen. */
export interface Recorder {
  /** A change of an organization; without a part, something that it counts moved on. */
  noteIn(organization: { readonly id: string }, part?: PartChange<PartKind>): void;
}
