import { computed } from '@preact/signals';
import { type AuthHeader, authHeadersOf } from '../../../openapi/contract/security.ts';
import { controlState } from '../shared/control.ts';
import { keptSignal } from '../shared/kept.ts';
import { sandboxData } from '../shared/sandbox-data.ts';
import { chosenSandbox, sandboxes } from '../shared/sandboxes.ts';
import { applied } from './contract.ts';

/** Who calls: an organization by its id, or one of these. */
export const callers = { typed: 'typed', none: 'none', wrong: 'wrong' } as const;

// Who calls stays until the tab is closed, as the admin token does.

/** The choice; undefined until somebody chooses: the page's sandbox is used then, or the first one. */
export const choice = keptSignal<string | undefined>('agent-platform-caller', undefined);

export const typedKey = keptSignal('agent-platform-caller-key', '');

/** The names of the security schemes that carry the key. */
export const authHeaderChoice = keptSignal('agent-platform-caller-header', '');

/** Who calls. A chosen sandbox may have been removed. */
export const caller = computed(() => {
  const { value: chosen } = choice;
  const isThere = Object.hasOwn(callers, chosen ?? '') || sandboxes.value.some(({ id }) => id === chosen);
  if (chosen !== undefined && isThere) return chosen;
  return (chosenSandbox.value ?? sandboxes.value[0])?.id ?? callers.typed;
});

/** The organization that calls; undefined if unknown. */
export const callingSandbox = computed(() => sandboxes.value.find(({ id }) => id === caller.value));

// Looks like a key, but is not one.
const wrongKey = 'this-is-no-key';

/** The key to send; undefined for none. */
export const key = computed<string | undefined>(() => {
  if (caller.value === callers.none) return undefined;
  if (caller.value === callers.wrong) return wrongKey;
  if (caller.value === callers.typed) return typedKey.value === '' ? undefined : typedKey.value;
  return sandboxData.value.get(caller.value)?.keys[0];
});

/** Whether the caller's key is still loading. */
export const isKeyComing = computed(
  () =>
    controlState.value === 'unknown' ||
    (controlState.value === 'ready' && sandboxes.value.length === 0) ||
    (callingSandbox.value !== undefined && !sandboxData.value.has(caller.value)),
);

/** The ways to send a key. */
export const allAuthHeaders = computed<readonly AuthHeader[]>(() =>
  applied.value ? authHeadersOf(applied.value) : [],
);

/** The chosen ways: one of them, or all. */
export const authHeaders = computed(() => {
  if (authHeaderChoice.value === 'all') return allAuthHeaders.value;
  return [allAuthHeaders.value.find(({ name }) => name === authHeaderChoice.value) ?? allAuthHeaders.value[0]].filter(
    (authHeader) => authHeader !== undefined,
  );
});
