import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** What an empty view shows: what is missing, and what to do. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** A sentence that needs attention. Screen readers read an `error` immediately. */
export function Notice({ kind, children }: { kind: 'error' | 'note'; children: ComponentChildren }) {
  return (
    <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : undefined}>
      {children}
    </div>
  );
}

/** The status of a response. Colour and number show its class. */
export function Status({ status }: { status: number }) {
  return <span class={`status s${Math.floor(status / 100)}`}>{status === 0 ? 'none' : status}</span>;
}

interface ConfirmProps {
  /** What the button does, and the text that asks for the second click. */
  label: string;
  confirm: string;
  isDisabled?: boolean;
  onConfirm(): void;
}

/** A button that needs a second click, since what it does cannot be undone. Leaving it cancels the first click. */
export function ConfirmButton({ label, confirm, isDisabled = false, onConfirm }: ConfirmProps) {
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (isDisabled) setAsking(false);
  }, [isDisabled]);
  const click = () => {
    setAsking(!isAsking);
    if (isAsking) onConfirm();
  };
  return (
    <button
      type="button"
      class={isAsking ? 'danger' : ''}
      disabled={isDisabled}
      onClick={click}
      onBlur={() => setAsking(false)}
    >
      {isAsking ? confirm : label}
    </button>
  );
}
