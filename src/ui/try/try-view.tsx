import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { controlState, isReachable, isTokenRefused } from '../shared/control.ts';
import { OptionsOf } from '../shared/form.tsx';
import { keep, readKept } from '../shared/kept.ts';
import { TokenForm } from '../shared/needs-control.tsx';
import { loadOpenPoints } from '../shared/open-point-list.tsx';
import { Notice, Path } from '../shared/parts.tsx';
import { loadSandboxData } from '../shared/sandbox-data.ts';
import { goTo, linkTo, place } from '../shared/url-state.ts';
import { callingSandbox, isKeyComing, key } from './caller.ts';
import { ConnectionBar } from './connection-bar.tsx';
import { applied, contractError, loadContract, operations, operationsByTag } from './contract.ts';
import { OperationForm } from './operation-form.tsx';

// The operation that was shown last, for a link to the view alone.
const lastPlace = 'agent-platform-try-last';

/** A form for each operation of the contract in use, and the response beside it. */
export function TryView() {
  useSignalEffect(() => {
    if (controlState.value === 'ready') loadOpenPoints(callingSandbox.value?.id).catch(() => undefined);
  });
  useSignalEffect(() => {
    const { id } = callingSandbox.value ?? {};
    if (isReachable.value && id !== undefined) loadSandboxData(id).catch(() => undefined);
  });
  useSignalEffect(() => {
    // Again when the mock responds again: it may have been started anew.
    if (isReachable.value && !isKeyComing.value) void loadContract(key.value ?? '');
  });
  const byId = (id: string) => operations.value.find(({ operationId }) => operationId === id);
  const named = byId(place.value.selected);
  useEffect(() => {
    if (named !== undefined) keep(lastPlace, named.operationId);
  }, [named]);
  const shown = named ?? byId(readKept(lastPlace, '')) ?? operations.value[0];
  if (applied.value === undefined || shown === undefined) {
    if (contractError.value !== '') return <Notice kind="error">{contractError.value}</Notice>;
    return <p class="loading">Loading the contract…</p>;
  }
  return (
    <div class="try view">
      <ConnectionBar />
      {controlState.value === 'asks' && (
        <details open={isTokenRefused.value}>
          <summary>Show keys and ids</summary>
          <TokenForm what="The list of keys and ids" />
        </details>
      )}
      <div class="work">
        <OperationList shown={shown} />
        <OperationForm key={shown.operationId} operation={shown} contract={applied.value} />
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
            {own.map(({ operationId, method, path, definition }) => (
              <a
                key={operationId}
                href={linkTo('try', operationId)}
                title={definition.summary}
                aria-current={operationId === shown.operationId ? 'true' : undefined}
              >
                <span class={`method ${method}`}>{method}</span> <Path path={path} />
              </a>
            ))}
          </div>
        ))}
      </nav>
      <select
        class="operations-menu"
        aria-label="Operation"
        value={shown.operationId}
        onChange={({ currentTarget }) => goTo('try', currentTarget.value)}
      >
        {[...operationsByTag.value].map(([tag, own]) => (
          <optgroup key={tag} label={tag}>
            <OptionsOf all={own.map(({ operationId, method, path }) => [operationId, `${method} ${path}`])} />
          </optgroup>
        ))}
      </select>
    </>
  );
}
