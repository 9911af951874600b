/** The twin of `src/workbench/prism.ts` for pages: Prism is too large for them, and needs Node. */
export const canGenerate = false;

/** Never called, as {@link canGenerate} says. */
export function loadPrism(): Promise<never> {
  return Promise.reject(new Error('Prism does not run in a page.'));
}
