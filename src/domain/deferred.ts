/** A deferred task is due after this many further calls of the organization, or after {@link lagMs}. */
export const lagCalls = 3;
export const lagMs = 500;

/** A deferred change: a creation appears in its list, or the files of a deleted tree disappear. */
export type Task =
  | { readonly kind: 'listDrive' | 'listMcpServer'; readonly id: string }
  | { readonly kind: 'deleteFiles'; readonly driveId: string; readonly files: readonly PlacedFile[] };

/** A file, with its path at the time of the tree deletion. */
export interface PlacedFile {
  readonly id: string;
  readonly path: string;
}

/** A task, and the call and time at which it is due, whichever comes first. */
interface DeferredTask {
  readonly dueCall: number;
  readonly dueMs: number;
  readonly task: Task;
}

/** All deferred tasks, as data. */
export interface DeferredState {
  /** The number of calls counted: those for which a task was waiting. */
  readonly calls: number;
  readonly tasks: readonly DeferredTask[];
}

/** Tasks that run a little later. Calls are counted too, so that they also run under a fixed clock. */
export class Deferred {
  #calls: number;
  readonly #tasks: DeferredTask[];
  readonly #note: () => void;

  /** `note` is called for every change of the state. */
  constructor({ calls, tasks }: DeferredState = { calls: 0, tasks: [] }, note: () => void = () => undefined) {
    this.#calls = calls;
    this.#tasks = [...tasks];
    this.#note = note;
  }

  /** Defers a task of the current call, which is not counted yet. */
  later(nowMs: number, task: Task): void {
    this.#tasks.push({ dueCall: this.#calls + 1 + lagCalls, dueMs: nowMs + lagMs, task });
    this.#note();
  }

  /** Counts one more call that was not refused, if a task waits for it: other calls, mostly reads, change nothing. */
  countCall(): void {
    if (this.#tasks.length === 0) return;
    this.#calls++;
    this.#note();
  }

  /** Removes and returns the tasks that are due before the next call. */
  takeDue(nowMs: number): readonly Task[] {
    if (this.#tasks.length === 0) return none;
    const isDue = ({ dueCall, dueMs }: DeferredTask) => this.#calls >= dueCall || nowMs >= dueMs;
    const firstLeft = this.#tasks.findIndex((task) => !isDue(task));
    if (firstLeft === 0) return none;
    this.#note();
    return this.#tasks.splice(0, firstLeft < 0 ? this.#tasks.length : firstLeft).map(({ task }) => task);
  }

  state(): DeferredState {
    return { calls: this.#calls, tasks: [...this.#tasks] };
  }
}

const none: readonly Task[] = [];
