import { useSignalEffect } from '@preact/signals';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { controlState, isTokenRefused } from '../shared/control.ts';
import { TokenForm } from '../shared/needs-control.tsx';
import { Notice } from '../shared/parts.tsx';
import { loadSandboxData } from '../shared/sandbox-data.ts';
import { goTo, linkTo, place } from '../shared/url-state.ts';
import { callingSandbox, isKeyComing, key } from './caller.ts';
import { applied, contractError, loadContract, operations, operationsByTag } from './contract.ts';
import { OperationForm } from './operation-form.tsx';

/** A form for each operation of the contract in use. */
export function TryView() {
  useSignalEffect(() => {
    const { id } = callingSandbox.value ?? {};
    if (id !== undefined) loadSandboxData(id).catch(() => undefined);
  });
  useSignalEffect(() => {
    if (!isKeyComing.value) void loadContract(key.value ?? '');
  });
  const operation = operations.value.find(({ operationId }) => operationId === place.value.selected);
  const shown = operation ?? operations.value[0];
  if (contractError.value !== '') return <Notice kind="error">{contractError.value}</Notice>;
  if (applied.value === undefined || shown === undefined) return <p class="loading">Loading the contract…</p>;
  return (
    <div class="try">
      <OperationList shown={shown} />
      <div class="work">
        {controlState.value === 'asks' && (
          <details class="unlock" open={isTokenRefused.value}>
            <summary>Show keys and ids</summary>
            <TokenForm what="The list of keys and ids" />
          </details>
        )}
        <OperationForm key={shown.operationId} operation={shown} document={applied.value} />
      </div>
    </div>
  );
}

/** All operations: a list beside the form, or a menu if there is no room. */
function OperationList({ shown }: { shown: Operation }) {
  return (
    <>
      <nav class="operations" aria-label="Operations">
        {[...operationsByTag.value].map(([tag, own]) => (
          <div key={tag}>
            <h3>{tag}</h3>
            <ul>
              {own.map((operation) => (
                <li key={operation.operationId}>
                  <OperationLink operation={operation} isShown={operation === shown} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <label class="operations-menu">
        Operation
        <select value={shown.operationId} onChange={({ currentTarget }) => goTo('try', currentTarget.value)}>
          {[...operationsByTag.value].map(([tag, own]) => (
            <optgroup key={tag} label={tag}>
              {own.map(({ operationId, definition }) => (
                <option key={operationId} value={operationId}>
                  {definition.summary}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
    </>
  );
}

function OperationLink({ operation, isShown }: { operation: Operation; isShown: boolean }) {
  const { operationId, method, definition } = operation;
  return (
    <a href={linkTo('try', operationId)} aria-current={isShown ? 'true' : undefined}>
      <span class={`method ${method}`}>{method}</span> {definition.summary ?? operationId}
    </a>
  );
}
