import { useSyncExternalStore } from 'react';

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** The steps of the address after `#/`. Ids can contain any characters, so each step is decoded by itself. */
export function useRoute(): string[] {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decoded);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

export function toDrive(id: string): string {
  return `#/drives/${encodeURIComponent(id)}`;
}
