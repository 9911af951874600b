import { computed, signal } from '@preact/signals';
import { readControl } from './control.ts';
import { place, replaceQuery } from './url-state.ts';

/** One organization, as the admin API lists it. */
export interface Sandbox {
  id: string;
  name: string;
  kind: 'seed' | 'sandbox';
  keyIds: readonly string[];
  holds: { agents: number; drives: number; mcpServers: number };
  hasOwnProfile: boolean;
}

/** All organizations; empty until they are loaded, or if there is no admin API. */
export const sandboxes = signal<readonly Sandbox[]>([]);

/** The organization to which the page is limited; undefined for all. Its id is in the address. */
export const chosenSandbox = computed(() => sandboxes.value.find(({ id }) => id === place.value.query.sandbox));

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
