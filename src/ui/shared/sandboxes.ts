import { computed, signal } from '@preact/signals';
import type { ShownOrganization } from '../../app/admin-api/organization-handlers.ts';
import { readControl } from './control.ts';
import { place, replaceQuery } from './url-state.ts';

/** One organization, as the admin API lists it. */
export type Sandbox = ShownOrganization;

/** All organizations; empty until they are loaded, or if there is no admin API. */
export const sandboxes = signal<readonly Sandbox[]>([]);

/** The id in the address of the organization to which the page is limited; empty for all. */
export const chosenId = computed(() => place.value.query.sandbox ?? '');

/** That organization; undefined for all. */
export const chosenSandbox = computed(() => sandboxes.value.find(({ id }) => id === chosenId.value));

/** Whether that organization was removed: the data of all others would be taken for its data. */
export const isSandboxGone = computed(
  () => chosenId.value !== '' && sandboxes.value.length > 0 && chosenSandbox.value === undefined,
);

export function chooseSandbox(id: string): void {
  replaceQuery({ sandbox: id });
}

export async function loadSandboxes(): Promise<void> {
  sandboxes.value = await readControl<Sandbox[]>('/organizations');
}

/** The name of an organization; its id if it was removed. */
export function nameOfSandbox(id: string): string {
  return sandboxes.value.find((sandbox) => sandbox.id === id)?.name ?? id;
}
