/** How many further calls of the organization something deferred waits for, unless {@link lagMs} is over before. */
export const lagCalls = 3;
export const lagMs = 500;

interface Task {
  dueCall: number;
  dueMs: number;
  run: () => void;
}

/** What happens a little later: counted in calls, so that it comes to pass under a standing clock too. */
export class Deferred {
  readonly #tasks: Task[] = [];
  #calls = 0;

  later(nowMs: number, run: () => void): void {
    this.#tasks.push({ dueCall: this.#calls + lagCalls, dueMs: nowMs + lagMs, run });
  }

  /** Notes one more call and runs what is due. */
  countCall(nowMs: number): void {
    this.#calls++;
    if (this.#tasks.length === 0) return;
    while (isDue(this.#tasks[0], this.#calls, nowMs)) this.#tasks.shift()?.run();
  }
}

function isDue(task: Task | undefined, calls: number, nowMs: number): boolean {
  return task !== undefined && (calls > task.dueCall || nowMs >= task.dueMs);
}
