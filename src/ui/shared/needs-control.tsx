import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { controlState, giveToken, isTokenRefused, server, whyNone } from './control.ts';
import { usePassedFocus } from './keep-focus.ts';
import { Empty, Notice } from './parts.tsx';
import { isSandboxGone } from './sandboxes.ts';
import { linkTo, place } from './url-state.ts';

/** Shows its children if the admin API can be used, and the chosen sandbox exists; otherwise what is needed for that. */
export function NeedsControl({ what, children }: { what: string; children: ComponentChildren }) {
  if (controlState.value === 'ready' && isSandboxGone.value)
    return (
      <Empty title="This sandbox no longer exists.">
        <a href={linkTo(place.value.view, '', { sandbox: '' })}>Show all sandboxes</a>
      </Empty>
    );
  if (controlState.value === 'ready') return <>{children}</>;
  if (controlState.value === 'unknown') return <p class="loading">Connecting to the {server}…</p>;
  if (controlState.value === 'asks') return <TokenForm what={what} />;
  return (
    <Empty title={`${what} needs the admin API`}>
      <p>{whyNone.value}</p>
    </Empty>
  );
}

/** Asks for the token of `--admin-token`. */
export function TokenForm({ what }: { what: string }) {
  const own = useRef<HTMLFormElement>(null);
  usePassedFocus(own, '#main');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get('token');
    giveToken(String(given).trim());
  };
  return (
    <Empty title={`${what} needs the admin token`}>
      <form ref={own} class="form" onSubmit={submit}>
        <p>This mock was started with --admin-token. The page keeps the token until this tab is closed.</p>
        {isTokenRefused.value && <Notice kind="error">The mock rejected this token. Try again.</Notice>}
        <label class="field">
          Token
          <input name="token" type="password" required autocomplete="off" />
        </label>
        <Button label="Use this token" type="submit" class="primary" />
      </form>
    </Empty>
  );
}
