/** The kinds of records that an organization keeps by id and as a list. */
export type RecordKind = 'agents' | 'drives' | 'mcpServers';

/** The kinds of parts of an organization: its records, their places in its lists, its files and its keys. */
export type PartKind = RecordKind | `listed ${RecordKind}` | 'files' | 'keys';

/** The kinds of parts of a store besides its organizations. */
export type StorePartKind = 'revoked keys' | 'retired keys' | 'promised';

/** One part that was added or replaced; without a value, it was removed. Values are immutable. */
export interface PartChange<Kind extends string = PartKind | StorePartKind> {
  readonly kind: Kind;
  readonly id: string;
  /** The drive of a file. */
  readonly drive?: string;
  readonly value: object | true | undefined;
}

/** Receives changes as they happen. */
export interface Recorder {
  /** A change of an organization; without a part, one of its counters changed. */
  noteIn(organization: { readonly id: string }, part?: PartChange<PartKind>): void;
}
