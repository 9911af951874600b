/** What the heap holds that is still in use, in bytes. Needs `--expose-gc`. */
export function heapBytes(): number {
  if (globalThis.gc === undefined) throw new Error('Start Node with --expose-gc.');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
