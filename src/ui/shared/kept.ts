import { effect, type Signal, signal } from '@preact/signals';

/** Where the browser keeps values: until the tab is closed, or for good. */
type Keeper = 'sessionStorage' | 'localStorage';

/** A kept value of JSON; `initial` if there is none, or the browser keeps nothing, as in a frame without an origin. */
export function readKept<T>(name: string, initial: T, keeper: Keeper = 'sessionStorage'): T {
  try {
    return JSON.parse(globalThis[keeper].getItem(name) ?? '') as T;
  } catch {
    return initial;
  }
}

export function keep(name: string, value: unknown, keeper: Keeper = 'sessionStorage'): void {
  try {
    globalThis[keeper].setItem(name, JSON.stringify(value));
  } catch {
    // It lasts until the page is loaded again.
  }
}

export function keptSignal<T>(name: string, initial: T, keeper?: Keeper): Signal<T> {
  const value = signal(readKept(name, initial, keeper));
  effect(() => keep(name, value.value, keeper));
  return value;
}
