// No types of Node: those of the package reach here, and a page has none.
import type { MockHandle } from '../../workbench/edge/mock-handle.ts';
import type { StartError } from '../../workbench/start-error.ts';

// Older settings of TypeScript lack it; elsewhere it is the same symbol.
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
  /** Where the admin API is; undefined when there is none. */
  readonly adminUrl: string | undefined;
  /** The certificate, in PEM, if the mock serves HTTPS: what clients can be told to trust. */
  readonly certificate: string | undefined;
  /** Where the state is kept; undefined when it is in memory only. */
  readonly state: StateFacts | undefined;
  /** Resolves when the state can no longer be kept. The mock has then ended all connections, because no response may leave. */
  readonly lost: Promise<StartError>;
  /** Ends open connections and stops listening. */
  close(): Promise<void>;
  /** The same, at the end of a block with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
