/** What the browser keeps for the page; undefined where it keeps nothing, as in a frame without an origin. */
export function readKept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** What the browser keeps for this tab until it is closed, as a value of JSON; `initial` if there is nothing. */
export function readTab<T>(name: string, initial: T): T {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '') as T;
  } catch {
    return initial;
  }
}

export function keepInTab(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // It lasts until the page is loaded again.
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It lasts until the page is closed.
  }
}
