import { useShortcuts } from './keys.ts';
import { goTo, place } from './url-state.ts';

/** Keys that select the next and the previous thing in a list that is not a table. Its links have `data-id`. */
export function useSteps(view: string): void {
  const step = (by: number) => {
    const links = [...document.querySelectorAll<HTMLElement>('.list [data-id]')].filter((link) =>
      link.checkVisibility(),
    );
    const at = links.findIndex(({ dataset }) => dataset.id === place.value.selected);
    const next = links[Math.max(0, Math.min(at + by, links.length - 1))];
    if (next?.dataset.id === undefined) return;
    next.scrollIntoView({ block: 'nearest' });
    next.focus({ preventScroll: true });
    goTo(view, next.dataset.id);
  };
  useShortcuts([
    { keys: 'j', does: 'Next in the list', run: () => step(1) },
    { keys: 'k', does: 'Previous in the list', run: () => step(-1) },
  ]);
}
