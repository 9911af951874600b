import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ConfirmButton, Empty } from '../shared/parts.tsx';
import { goTo, linkTo } from '../shared/url-state.ts';
import { changeRecord, run } from './actions.ts';
import { sections, shownSection } from './records.ts';

interface DetailProps {
  title: string;
  kind: string;
  id: string;
  children: ComponentChildren;
}

/** One record in full, beside the tree. */
export function Detail({ title, kind, id, children }: DetailProps) {
  const close = useRef<HTMLAnchorElement>(null);
  // If it replaces the tree, the focus would be lost with the tree.
  useEffect(() => {
    if (matchMedia('(max-width: 860px)').matches) close.current?.focus();
  }, []);
  return (
    <section class="detail" aria-label={`${kind} ${title}`}>
      <p>
        <a ref={close} href={linkTo('state', shownSection.value)}>
          Close
        </a>
      </p>
      <h3 class="call">{title}</h3>
      <p class="muted">
        {kind} <code>{id}</code>
      </p>
      {children}
    </section>
  );
}

interface DeleteProps {
  /** The record in words: `the agent Support`. */
  what: string;
  /** The text that asks for the second click. */
  confirm: string;
  path: string;
  /** What is selected afterwards. */
  next: string;
}

/** Deletes the shown record. */
export function DeleteButton({ what, confirm, path, next }: DeleteProps) {
  const remove = async () => {
    await changeRecord({ what: `Delete ${what}`, method: 'DELETE', path });
    goTo('state', next);
  };
  return <ConfirmButton label="Delete" confirm={confirm} onConfirm={() => run(remove)} />;
}

/** Shown instead of a record that does not exist. */
export function NoRecord() {
  return (
    <section class="detail" aria-label="Record">
      <Empty title="There is no such record">
        <p>It may have been deleted, or it belongs to a different sandbox.</p>
        <p>
          <a href={linkTo('state', shownSection.value)}>Show all {sections[shownSection.value].toLowerCase()}</a>
        </p>
      </Empty>
    </section>
  );
}
