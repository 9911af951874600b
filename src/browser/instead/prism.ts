/** The twin of `src/app/prism.ts` for pages: Prism is too large for them, and needs Node. */
export function whyNotGenerated(): string {
  return 'Only a mock that listens over HTTP generates bodies. Request a code that has an example, without dynamic.';
}

/** Never called: see {@link whyNotGenerated}. */
export function loadPrism(): Promise<never> {
  return Promise.reject(new Error('Prism does not run in a page.'));
}
