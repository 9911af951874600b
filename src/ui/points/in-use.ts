import { computed, signal } from '@preact/signals';
import type { ShownOpenPoint } from '../../workbench/admin-api/shown-open-point.ts';
import { readControl } from '../shared/control.ts';
import { createFollowed } from '../shared/followed.ts';
import { scopeOf } from '../shared/open-points.ts';
import { chosenSandbox, loadSandboxes, sandboxes } from '../shared/sandboxes.ts';
import type { Choices } from './choices.ts';
import type { InUse } from './take-back.ts';

interface Held {
  organization: string | undefined;
  points: readonly ShownOpenPoint[];
  /** Whether the organization has its own profile; undefined for all. */
  hasOwnProfile: boolean | undefined;
}

const held = signal<Held | undefined>(undefined);

/** The open points for the chosen sandbox, or for all; undefined until they are loaded. */
export const shown = computed(() => (held.value?.organization === chosenSandbox.value?.id ? held.value : undefined));

/** The choices in use there. */
export const choicesInUse = computed<Choices>(() => choicesOf(({ now }) => now));

/** The default choices. */
export const defaults = computed<Choices>(() => choicesOf((point) => point.default));

function choicesOf(choiceOf: (point: ShownOpenPoint) => string | number): Choices {
  return Object.fromEntries((shown.value?.points ?? []).map((point) => [point.id, choiceOf(point)]));
}

/** Whose choices are shown, in words. */
export const whose = computed(() => chosenSandbox.value?.name ?? 'all sandboxes');

/** The other organizations, which a change for all leaves alone. */
export const withOwnProfile = computed(() => sandboxes.value.filter(({ hasOwnProfile }) => hasOwnProfile));

/** The open points of the chosen sandbox, reloaded when anybody changes something through the admin API. */
export const followed = createFollowed({ load, isChange: ({ name }) => name === 'change' });

async function load(): Promise<void> {
  await loadSandboxes();
  const organization = chosenSandbox.value?.id;
  const [points, { hasOwnProfile }] = await Promise.all([
    readControl<ShownOpenPoint[]>(`/open-points${scopeOf(organization)}`),
    readInUse(organization),
  ]);
  held.value = { organization, points, hasOwnProfile };
}

/** The profile of an organization or, if undefined, of all. */
export function readInUse(organization: string | undefined): Promise<InUse> {
  return readControl<InUse>(`/settings${scopeOf(organization)}`);
}
