import { signal } from '@preact/signals';
import { readControl } from './control.ts';

interface Named {
  id: string;
  name?: string;
}

/** What one organization holds, as far as the page needs it: a part of its snapshot. */
export interface WorldData {
  keys: readonly string[];
  agents: readonly (Named & { revisions: readonly { id: string }[] })[];
  drives: readonly (Named & { files: readonly { id: string; path: string }[] })[];
  mcpServers: readonly Named[];
}

/** By organization; missing until it is loaded. */
export const worldData = signal<ReadonlyMap<string, WorldData>>(new Map());

/** Loads what an organization holds now. */
export async function loadWorldData(organizationId: string): Promise<void> {
  const data = await readControl<WorldData>(`/snapshot?organization=${encodeURIComponent(organizationId)}`);
  worldData.value = new Map(worldData.value).set(organizationId, data);
}
