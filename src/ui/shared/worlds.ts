import { computed, signal } from '@preact/signals';
import { readControl } from './control.ts';
import { place, replaceQuery } from './url-state.ts';

/** One organization, as the control plane lists it. */
export interface World {
  id: string;
  name: string;
  kind: 'seed' | 'world';
  keyIds: readonly string[];
  holds: { agents: number; drives: number; mcpServers: number };
  hasOwnProfile: boolean;
}

/** All organizations; empty until they are loaded, or where there is no control plane. */
export const worlds = signal<readonly World[]>([]);

/** The organization to which the page is limited; undefined for all. Its id stands in the address. */
export const chosenWorld = computed(() => worlds.value.find(({ id }) => id === place.value.query.world));

export function chooseWorld(id: string): void {
  replaceQuery({ world: id });
}

export async function loadWorlds(): Promise<void> {
  worlds.value = await readControl<World[]>('/organizations');
}

/** The name of an organization, for people; its id where it is gone. */
export function nameOfWorld(id: string): string {
  return worlds.value.find((world) => world.id === id)?.name ?? id;
}
