import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

// A button that is disabled while it works loses the focus: it gets it back, so that its key works again.

let focused: Element | undefined;

addEventListener('focusin', ({ target }) => {
  focused = target instanceof Element ? target : undefined;
});
// Who clicks elsewhere takes the focus away on purpose.
addEventListener('pointerdown', () => (focused = undefined), { capture: true });

function giveBack(): void {
  if (document.activeElement !== document.body || !(focused instanceof HTMLButtonElement) || focused.disabled) return;
  if (focused.isConnected) focused.focus({ preventScroll: true });
}

new MutationObserver(giveBack).observe(document.body, { subtree: true, attributeFilter: ['disabled'] });

/** Gives the focus of an element to another one, by its selector, when it is removed: otherwise keys lead nowhere. */
export function usePassedFocus(from: RefObject<HTMLElement | null>, to: string): void {
  useLayoutEffect(
    () => () => {
      if (from.current?.contains(document.activeElement)) document.querySelector<HTMLElement>(to)?.focus();
    },
    [],
  );
}
