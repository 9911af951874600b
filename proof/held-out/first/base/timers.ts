/** Timers that end with the server. */
export class Timers {
  #running = new Set<NodeJS.Timeout>();

  after(ms: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#running.delete(timer);
      action();
    }, ms);
    this.#running.add(timer);
  }

  every(ms: number, action: () => void): void {
    this.#running.add(setInterval(action, ms));
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  stop(): void {
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
