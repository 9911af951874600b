type Listener = (operationId: string) => void;

/** Tells whoever listens of each call of the admin API that changed something, and of code that does the same. */
export class Changes {
  readonly #listeners = new Set<Listener>();

  tell(operationId: string): void {
    for (const listener of this.#listeners) listener(operationId);
  }

  /** Calls the listener with the operation of each change until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
