// No Node types here: the package's types include this file, and pages have none.
import type { MockHandle } from '../app/edge/edge-context.ts';
import type { StartError } from '../app/start-error.ts';

// Older TypeScript settings lack this symbol; where it exists, this declares the same one.
declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Where the state of a mock is kept. */
export interface StateFacts {
  readonly file: string;
  /** Whether the mock resumed from an existing state. */
  readonly isContinued: boolean;
}

/** A mock that is listening. */
export interface Mock extends MockHandle {
  /** The base URL, with the version segment: `http://127.0.0.1:4010/v0.1`. */
  readonly url: string;
  /** Where the admin API is; undefined if there is none. */
  readonly adminUrl: string | undefined;
  /** Where the state is kept; undefined if it is in memory only. */
  readonly state: StateFacts | undefined;
  /** Resolves when the state can no longer be saved. All connections were closed then: no response may leave. */
  readonly lost: Promise<StartError>;
  /** Closes open connections and stops listening. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
