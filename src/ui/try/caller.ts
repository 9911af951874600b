import { computed, signal } from '@preact/signals';
import { type Carrier, carriersOf } from '../../../openapi/contract/security.ts';
import { controlState } from '../shared/control.ts';
import { worldData } from '../shared/world-data.ts';
import { chosenWorld, worlds } from '../shared/worlds.ts';
import { played } from './contract.ts';

/** Who calls: an organization by its id, or one of these. */
export const callers = { typed: 'typed', none: 'none', wrong: 'wrong' } as const;

/** What was chosen; undefined until somebody chooses: then the world of the page, or the first one. */
export const choice = signal<string | undefined>(undefined);

/** A key that was typed. It stays in memory only. */
export const typedKey = signal('');

/** The names of the security schemes that carry the key. */
export const carrierChoice = signal('');

/** Who calls. */
export const caller = computed(() => {
  if (choice.value !== undefined) return choice.value;
  return (chosenWorld.value ?? worlds.value[0])?.id ?? callers.typed;
});

/** The organization that calls; undefined where none is known. */
export const callingWorld = computed(() => worlds.value.find(({ id }) => id === caller.value));

// Looks like a key, and is none.
const wrongKey = 'this-is-no-key';

/** The key to send; undefined for none. */
export const key = computed<string | undefined>(() => {
  if (caller.value === callers.none) return undefined;
  if (caller.value === callers.wrong) return wrongKey;
  if (caller.value === callers.typed) return typedKey.value === '' ? undefined : typedKey.value;
  return worldData.value.get(caller.value)?.keys[0];
});

/** Whether the key of the organization that calls is still on its way. */
export const isKeyComing = computed(
  () =>
    controlState.value === 'unknown' ||
    (controlState.value === 'ready' && worlds.value.length === 0) ||
    (callingWorld.value !== undefined && !worldData.value.has(caller.value)),
);

/** The ways to send a key. */
export const allCarriers = computed<readonly Carrier[]>(() => (played.value ? carriersOf(played.value) : []));

/** The ways that are chosen: one of them, or all. */
export const carriers = computed(() => {
  if (carrierChoice.value === 'all') return allCarriers.value;
  return [allCarriers.value.find(({ name }) => name === carrierChoice.value) ?? allCarriers.value[0]].filter(
    (carrier) => carrier !== undefined,
  );
});
