import { headerWith } from '../../../openapi/contract/security.ts';
import { sandboxes } from '../shared/sandboxes.ts';
import { allAuthHeaders, authHeaderChoice, authHeaders, caller, callers, choice, typedKey } from './caller.ts';

/** The caller, and how the key is sent. */
export function CallerChoice() {
  return (
    <fieldset class="caller">
      <legend>Caller</legend>
      <label>
        Key
        <select
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
      </label>
      {caller.value === callers.typed && <TypedKey />}
      {caller.value !== callers.none && <AuthHeaderChoice />}
    </fieldset>
  );
}

function TypedKey() {
  return (
    <label>
      API key
      <input
        value={typedKey.value}
        autocomplete="off"
        spellcheck={false}
        placeholder="printed when the mock starts"
        onInput={({ currentTarget }) => {
          typedKey.value = currentTarget.value;
        }}
      />
    </label>
  );
}

function AuthHeaderChoice() {
  return (
    <label>
      Auth header
      <select
        value={authHeaderChoice.value === 'all' ? 'all' : authHeaders.value[0]?.name}
        onChange={({ currentTarget }) => {
          authHeaderChoice.value = currentTarget.value;
        }}
      >
        {allAuthHeaders.value.map((authHeader) => (
          <option key={authHeader.name} value={authHeader.name}>
            {headerWith(authHeader, '')
              .join(': ')
              .replace(/[: ]+$/, '')}
          </option>
        ))}
        <option value="all">Both headers</option>
      </select>
    </label>
  );
}
