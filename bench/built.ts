/** The package as it is built. */
export type Api = typeof import('../src/index.ts');

/** Loads the package as it is built: what ships is what is measured. */
export async function loadBuilt(): Promise<Api> {
  return (await import(new URL('../dist/src/index.js', import.meta.url).href)) as Api;
}
