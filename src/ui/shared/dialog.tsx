import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ComponentChildren;
}

/** A native dialog: Escape closes it; focus stays in it and then returns to where it was. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      {isOpen && (
        <>
          <div class="dialog-head">
            <h2>{title}</h2>
            <Button label="Close" onClick={onClose} />
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}

interface ButtonProps {
  label: string;
  title?: string;
  children(close: () => void): ComponentChildren;
}

export function DialogButton({ label, title = label, children }: ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button label={label} onClick={() => setOpen(true)} />
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        {isOpen && children(close)}
      </Dialog>
    </>
  );
}

/** Buttons below a button. Choosing one, Escape and leaving it close it. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (details.current?.open) details.current.open = false;
  };
  return (
    <details
      class="menu"
      ref={details}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.stopPropagation();
        close();
        details.current.querySelector('summary')?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !details.current?.contains(relatedTarget)) close();
      }}
    >
      <summary>{label}</summary>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys press the buttons, which click */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys press the buttons inside it */}
      <div class="items" onClick={({ target }) => target instanceof Element && target.closest('button, a') && close()}>
        {children}
      </div>
    </details>
  );
}
