import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useShortcuts } from './keys.ts';
import { isNarrow } from './narrow.ts';
import { goTo, linkTo, place } from './url-state.ts';

interface DetailProps {
  /** What a screen reader calls it. */
  label: string;
  title: ComponentChildren;
  /** What is selected after it was closed: empty for nothing. */
  closeTo?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** What is selected in a list, in full, beside or below it, or in its place where there is little room. */
export function Detail({ label, title, closeTo = '', actions, children }: DetailProps) {
  const close = useRef<HTMLAnchorElement>(null);
  const { view, selected } = place.value;
  useShortcuts([{ keys: 'Escape', does: 'Close the details', run: () => goTo(view, closeTo) }], [view, closeTo]);
  // If it takes the place of the list, the focus would be lost with the list; closing it gives the focus back.
  useEffect(() => {
    if (isNarrow()) close.current?.focus();
    return () => requestAnimationFrame(() => view === place.value.view && focusOn(selected));
  }, []);
  return (
    <section class="detail" aria-label={label}>
      <div class="detail-head">
        <h3>
          <bdi>{title}</bdi>
        </h3>
        {actions}
        <a ref={close} class="close" href={linkTo(view, closeTo)}>
          Close
        </a>
      </div>
      {children}
    </section>
  );
}

type MissingProps = Record<'title' | 'why' | 'instead', string> & { closeTo?: string };

/** What is selected and is not there, and a link to what is there instead. */
export function Missing({ title, why, instead, closeTo = '' }: MissingProps) {
  return (
    <Detail label={title} title={title} closeTo={closeTo}>
      <div class="empty">
        <p>{why}</p>
        <a href={linkTo(place.value.view, closeTo)}>{instead}</a>
      </div>
    </Detail>
  );
}

/** Gives the focus to what was selected, or to what is left without it, unless it is elsewhere. */
function focusOn(selected: string): void {
  if (document.activeElement !== document.body) return;
  const links = [...document.querySelectorAll<HTMLElement>('[data-id]')];
  const isIt = ({ dataset }: HTMLElement) => dataset.id?.replace(/^\//, '') === selected;
  const first = document.querySelector<HTMLElement>('.row-link[tabindex="0"]') ?? document.getElementById('main');
  (links.find(isIt) ?? first)?.focus();
}
