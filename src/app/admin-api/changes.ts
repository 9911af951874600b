type Listener = (operationId: string) => void;

/** Notifies listeners of each change made through the admin API or from code. */
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
