import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { CopyButton } from './copy.tsx';
import { linkTo } from './url-state.ts';

/** What an empty view shows: what is missing, and what to do. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** A sentence that needs attention. Screen readers read an `error` immediately, a `note` when they are done. */
export function Notice({ kind, children }: { kind: 'error' | 'note'; children: ComponentChildren }) {
  const own = useRef<HTMLDivElement>(null);
  // It may appear outside of the window, below what was pressed.
  useEffect(() => {
    if (kind === 'error') own.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={own} class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** The status of a response. Colour and number show its class. */
export function Status({ status }: { status: number }) {
  return <span class={`status s${Math.floor(status / 100)}`}>{status === 0 ? 'none' : status}</span>;
}

/** How good something is, for colours. */
export type Tone = 'good' | 'warn' | 'bad' | 'none';

export function Tag({ tone = 'none', title, children }: { tone?: Tone; title?: string; children: ComponentChildren }) {
  return (
    <span class={`tag ${tone}`} title={title}>
      {children}
    </span>
  );
}

interface ConfirmProps {
  /** What the button does, and the text that asks for the second click. */
  label: string;
  confirm: string;
  /** What a reader should know before the second click. */
  about?: string;
  isDisabled?: boolean;
  onConfirm(): void;
}

/** A button for what destroys something: it needs a second click. Leaving it and Escape cancel the first one. */
export function ConfirmButton({ label, confirm, about, isDisabled = false, onConfirm }: ConfirmProps) {
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (isDisabled) setAsking(false);
  }, [isDisabled]);
  const click = ({ detail }: MouseEvent) => {
    // A double-click must not confirm what nobody could read.
    if (isAsking && detail > 1) return;
    setAsking(!isAsking);
    if (isAsking) onConfirm();
  };
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isAsking) return;
    event.stopPropagation();
    setAsking(false);
  };
  return (
    <>
      <Button
        label={isAsking ? confirm : label}
        class={isAsking ? 'danger asks' : 'danger'}
        disabled={isDisabled}
        onClick={click}
        onKeyDown={cancel}
        onBlur={() => setAsking(false)}
      />
      {isAsking && about !== undefined && <Notice kind="note">{about}</Notice>}
    </>
  );
}

/** Names with their values; those without a value are left out. */
export function Facts({ of: facts }: { of: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(facts)
        .filter(([, value]) => value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A text to copy, such as a command, with its button. */
export function Command({ text, what = 'command' }: { text: string; what?: string }) {
  return (
    <div class="command">
      <Pre text={text} />
      <CopyButton what={what} text={() => text} />
    </div>
  );
}

export function Folded({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <ul class="points">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}

/** Links to things of a view, by their ids. */
export function Links({ view, ids }: { view: string; ids: readonly string[] }) {
  return (
    <span class="row">
      {ids.map((id) => (
        <a key={id} href={linkTo(view, id)}>
          {id}
        </a>
      ))}
    </span>
  );
}

/** A sentence of the contract: text between backticks is code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((piece, index) => (index % 2 === 0 ? piece : <code key={index}>{piece}</code>))}</>;
}

/** Text that scrolls; its lines do not break. */
export function Pre({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <pre tabIndex={0}>{text}</pre>
  );
}

/** A path that may break before a slash. */
export function Path({ path }: { path: string }) {
  return (
    <span class="mono">
      {path.split(/(?=\/)/).map((segment, index) => (
        <span key={index}>
          <wbr />
          {segment}
        </span>
      ))}
    </span>
  );
}
