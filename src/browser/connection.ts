import type { Connection } from '../app/connection.ts';

/** The client's end of one exchange. It closes when the client aborts, or no longer reads the response. */
export class PageConnection implements Connection {
  readonly isInProcess = true;
  readonly #request: Request;
  // In Node, a signal follows another one only while both requests live: this one and the one it was made from.
  readonly origin: unknown;
  readonly #listeners = new Set<() => void>();
  #isClosed = false;

  constructor(request: Request, origin: unknown) {
    this.#request = request;
    this.origin = origin;
    if (this.#signal.aborted) this.close();
    else this.#signal.addEventListener('abort', this.close, { once: true });
  }

  get destroyed(): boolean {
    return this.#isClosed;
  }

  /** Whether it closed because the client aborted, and what the client gave as the reason. */
  get aborted(): { reason: unknown } | undefined {
    return this.#signal.aborted ? { reason: this.#signal.reason } : undefined;
  }

  get #signal(): AbortSignal {
    return this.#request.signal;
  }

  once(_: 'close', listener: () => void): void {
    this.#listeners.add(listener);
  }

  off(_: 'close', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  readonly close = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#signal.removeEventListener('abort', this.close);
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  };
}

/** What `fetch` rejects with when the connection is lost. Its cause says why. */
export class LostConnection extends TypeError {
  constructor(cause: unknown) {
    super('Failed to fetch', { cause });
  }
}
