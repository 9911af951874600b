import { index } from '../shared/control.ts';
import { CopyButton } from '../shared/copy.tsx';
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
        <select
          aria-label="Key"
          value={caller.value}
          onChange={({ currentTarget }) => {
            choice.value = currentTarget.value;
          }}
        >
          {sandboxes.value.map(({ id, name }) => (
            <option key={id} value={id}>
              Key of {name}
            </option>
          ))}
          <option value={callers.typed}>A different key</option>
          <option value={callers.wrong}>A wrong key</option>
          <option value={callers.none}>No key</option>
        </select>
        <KeyShown />
      </span>
      {caller.value !== callers.none && <AuthHeaderChoice />}
    </div>
  );
}

function KeyShown() {
  if (caller.value === callers.typed)
    return (
      <input
        value={typedKey.value}
        aria-label="API key"
        autocomplete="off"
        spellcheck={false}
        placeholder="printed when the mock starts"
        onInput={({ currentTarget }) => {
          typedKey.value = currentTarget.value;
        }}
      />
    );
  if (key.value === undefined) return null;
  return (
    <>
      <code>{key.value}</code>
      <CopyButton what="key" label="Copy" text={() => key.value ?? ''} />
    </>
  );
}

function AuthHeaderChoice() {
  return (
    <select
      aria-label="Auth header"
      value={authHeaderChoice.value === 'all' ? 'all' : authHeaders.value[0]?.name}
      onChange={({ currentTarget }) => {
        authHeaderChoice.value = currentTarget.value;
      }}
    >
      {allAuthHeaders.value.map(({ name, scheme }) => (
        <option key={name} value={name}>
          {scheme === 'bearer' ? 'Authorization: Bearer' : 'X-API-Key'}
        </option>
      ))}
      <option value="all">Both headers</option>
    </select>
  );
}
