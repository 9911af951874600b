/** How many further calls of the organization something deferred waits for, unless {@link lagMs} is over before. */
export const lagCalls = 3;
export const lagMs = 500;

/** What is still to happen: a creation shows in its list, or the files of a deleted tree go. */
export type Task =
  | { readonly kind: 'listDrive' | 'listMcpServer'; readonly id: string }
  | { readonly kind: 'deleteFiles'; readonly driveId: string; readonly files: readonly PlacedFile[] };

/** A file where it was when its tree was deleted. */
export interface PlacedFile {
  readonly id: string;
  readonly path: string;
}

/** A task and when it is due: after so many calls, or at a time. */
export interface DeferredTask {
  readonly dueCall: number;
  readonly dueMs: number;
  readonly task: Task;
}

/** All that is deferred. */
export interface DeferredState {
  readonly calls: number;
  readonly tasks: readonly DeferredTask[];
}

/** What happens a little later: counted in calls, so that it comes to pass under a standing clock too. */
export class Deferred {
  readonly #tasks: DeferredTask[];
  #calls: number;

  constructor({ calls, tasks }: DeferredState = { calls: 0, tasks: [] }) {
    this.#calls = calls;
    this.#tasks = [...tasks];
  }

  later(nowMs: number, task: Task): void {
    this.#tasks.push({ dueCall: this.#calls + lagCalls, dueMs: nowMs + lagMs, task });
  }

  /** Notes one more call, and takes out what is due now. */
  countCall(nowMs: number): readonly Task[] {
    this.#calls++;
    if (this.#tasks.length === 0) return none;
    const isDue = ({ dueCall, dueMs }: DeferredTask) => this.#calls > dueCall || nowMs >= dueMs;
    const firstLeft = this.#tasks.findIndex((task) => !isDue(task));
    return this.#tasks.splice(0, firstLeft < 0 ? this.#tasks.length : firstLeft).map(({ task }) => task);
  }

  state(): DeferredState {
    return { calls: this.#calls, tasks: [...this.#tasks] };
  }
}

const none: readonly Task[] = [];
