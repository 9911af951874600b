/** A listener of the user. Its errors, also those of its promise, go to `onError`: nothing else must fail. */
export function guarded<T>(listener: (value: T) => unknown, onError: (error: unknown) => void): (value: T) => void {
  return (value) => void (async () => listener(value))().catch(onError);
}
