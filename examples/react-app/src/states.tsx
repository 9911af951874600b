/** What a screen shows besides data: loading, slow, stopped, failed and unknown. */
import type { ReactNode } from 'react';
import type { Failure } from './failure.ts';
import { type Read, useIsSlow, type Write } from './use-api.ts';

/** What was read, with its state. What was read before stays, also while it is read again or when that fails. */
export function Shown<Data>({
  read,
  what,
  children,
}: {
  read: Read<Data>;
  what: string;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, isFetching, isPending, refetch, stop } = read;
  return (
    <>
      {data !== undefined && children(data)}
      {isFetching && <Waiting text={`Loading ${what}…`} onStop={stop} />}
      {error && !isFetching && (
        <Trouble text={`Cannot load ${what}. ${whyOf(error)}`}>
          <TryAgain onClick={() => refetch()} />
        </Trouble>
      )}
      {isPending && !isFetching && (
        <Trouble text={`Stopped waiting for ${what}.`}>
          <TryAgain onClick={() => refetch()} />
        </Trouble>
      )}
    </>
  );
}

function TryAgain({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" onClick={onClick}>
      Try again
    </button>
  );
}

/** How a write ended. `unsure` is shown when nobody knows whether it was done, and leads to where that can be seen. */
export function Outcome<Input, Output>({
  write,
  what,
  done,
  unsure,
}: {
  write: Write<Input, Output>;
  what: (input: Input) => string;
  done: (output: Output, input: Input) => ReactNode;
  unsure: (input: Input) => ReactNode;
}) {
  const { status, error, data, variables, stop } = write;
  if (variables === undefined || status === 'idle') return null;
  if (status === 'pending') return <Waiting text={`${what(variables)}: sent…`} onStop={stop} />;
  if (status === 'success') return <p role="status">{done(data as Output, variables)}</p>;
  if (error?.kind !== 'lost') return <Trouble text={`${what(variables)}: not done. ${error && whyOf(error)}`} />;
  return (
    <Trouble text={`${what(variables)}: no usable response, so nobody knows whether it was done.`}>
      {unsure(variables)}
    </Trouble>
  );
}

function Waiting({ text, onStop }: { text: string; onStop: () => void }) {
  const isSlow = useIsSlow();
  return (
    <div className="waiting">
      <p role="status">{isSlow ? `${text} This takes longer than usual.` : text}</p>
      {isSlow && (
        <button type="button" onClick={onStop}>
          Stop waiting
        </button>
      )}
    </div>
  );
}

export function Trouble({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div role="alert">
      <p>{text}</p>
      {children}
    </div>
  );
}

function whyOf({ kind, status, reason }: Failure): string {
  if (kind === 'signedOut') return 'You are not signed in, or no longer (401).';
  if (kind === 'refused') return `The server refuses it (${status})${reason === undefined ? '.' : `: ${reason}`}`;
  return status === undefined ? 'No complete response arrived.' : `The server has a problem (${status}).`;
}
