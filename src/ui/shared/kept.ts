/** What the browser keeps for the page; undefined where it keeps nothing, as in a frame without an origin. */
export function readKept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It lasts until the page is closed.
  }
}
