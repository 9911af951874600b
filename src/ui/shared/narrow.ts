/** Whether the page shows its panes one below the other, or one at a time; `page.css` has the same width. */
export const isNarrow = () => matchMedia('(max-width: 860px)').matches;

/** Scrolls to a result that a narrow page has below what caused it, once it is drawn. */
export function showWhereNarrow(selector: string): void {
  if (isNarrow()) requestAnimationFrame(() => document.querySelector(selector)?.scrollIntoView({ block: 'start' }));
}
