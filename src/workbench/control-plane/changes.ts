import { isRefusal } from '../../domain/refusal.ts';
import type { ControlContext, ControlHandler } from './control.ts';

type Listener = (operationId: string) => void;

/** Tells whoever listens of each call of the control plane that changed something. */
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

type Handlers = Readonly<Record<string, ControlHandler<ControlContext>>>;

/** The same handlers, whose changes are told. */
export function tellingChanges(handlers: Handlers): Handlers {
  const telling = Object.entries(handlers).map(([operationId, handle]): [string, Handlers[string]] => [
    operationId,
    (input, context) => {
      const result = handle(input, context);
      if (!input.isRead && !isRefusal(result)) context.changes.tell(operationId);
      return result;
    },
  ]);
  return Object.fromEntries(telling);
}
