import { type AuthHeader, headerWith } from '../../../openapi/contract/security.ts';
import { Button } from '../shared/button.tsx';
import { index } from '../shared/control.ts';
import { CopyButton } from '../shared/copy.tsx';
import { BareSelect } from '../shared/form.tsx';
import { sandboxes } from '../shared/sandboxes.ts';
import { allAuthHeaders, authHeaderChoice, authHeaders, caller, callers, choice, key, typedKey } from './caller.ts';

/** Where the mock is and who calls it: what a frontend needs, to copy. */
export function ConnectionBar() {
  const { baseUrl = '' } = index.value ?? {};
  return (
    <div class="connection">
      <span class="pair">
        <span class="muted">Base URL</span> <code>{baseUrl}</code>
        <CopyButton what="base URL" label="Copy" text={() => baseUrl} />
      </span>
      <span class="pair">
        <BareSelect
          label="Key"
          value={caller.value}
          options={[
            ...sandboxes.value.map(({ id, name }) => [id, `Key of ${name}`] as const),
            [callers.typed, 'A different key'],
            [callers.wrong, 'A wrong key'],
            [callers.none, 'No key'],
          ]}
          onChange={(next) => (choice.value = next)}
        />
        <KeyShown />
      </span>
      {caller.value !== callers.none && <AuthHeaderChoice />}
    </div>
  );
}

function KeyShown() {
  if (caller.value === callers.typed)
    return (
      <>
        <input
          value={typedKey.value}
          aria-label="API key"
          aria-describedby="key-kept"
          autocomplete="off"
          spellcheck={false}
          placeholder="API key"
          onInput={({ currentTarget }) => {
            typedKey.value = currentTarget.value;
          }}
        />
        <Button label="Forget" disabled={typedKey.value === ''} onClick={() => (typedKey.value = '')} />
        <small id="key-kept">kept until this tab is closed</small>
      </>
    );
  if (key.value === undefined) return null;
  return (
    <>
      <code>{key.value}</code>
      <CopyButton what="key" label="Copy" text={() => key.value ?? ''} />
    </>
  );
}

/** `Authorization: Bearer`, or the name of a header alone. */
function headerWords(header: AuthHeader): string {
  const [name, value] = headerWith(header, '').map((part) => part.trim());
  return value === '' ? `${name}` : `${name}: ${value}`;
}

function AuthHeaderChoice() {
  return (
    <BareSelect
      label="Auth header"
      value={authHeaderChoice.value === 'all' ? 'all' : (authHeaders.value[0]?.name ?? '')}
      options={[
        ...allAuthHeaders.value.map((each) => [each.name, headerWords(each)] as const),
        ['all', 'Both headers'],
      ]}
      onChange={(next) => (authHeaderChoice.value = next)}
    />
  );
}
