import type { ListedFault } from '../../workbench/faults/fault.ts';
import { announce } from './announce.tsx';
import { callControl, readControl } from './control.ts';
import { withoutCounts } from './faults.ts';
import { differences, type Fields, type Parts, putTogether, takeApart, takeBack } from './state-parts.ts';
import { offerUndo } from './undo.tsx';

interface Change<T> {
  /** What is done, in words. */
  what: string;
  /** The organization that changes; undefined if several may. */
  organization?: string | undefined;
  /** The place of the only record that changes, including its contents; by default any record may. */
  place?: (result: T) => string;
  /** Whether it also removes settings: faults and own profiles. */
  hasSettings?: boolean;
  act(): Promise<T>;
}

/**
 * Changes the state so that it can be undone, using the difference between snapshots before and after. So each record
 * is restored exactly, and changes by others to other records stay.
 */
export async function changeState<T>({ what, organization, place, hasSettings, act }: Change<T>): Promise<T> {
  const before = await readParts(organization);
  const settings = hasSettings ? await readSettings(before, organization) : undefined;
  const result = await act();
  try {
    const only = place?.(result);
    const touches = (each: string) => only === undefined || each === only || each.startsWith(`${only}/`);
    const delta = differences(before, await readParts(organization), touches);
    const undo = async (isForced: boolean) => {
      const { parts, conflicts } = takeBack(await readParts(organization), delta);
      if (conflicts.length > 0 && !isForced) return conflicts;
      await writeParts(parts, organization);
      // The state is restored by now, whatever happens to the settings.
      await settings
        ?.restore()
        .catch((error: Error) => announce(`Some faults or profiles could not be restored. ${error.message}`));
      return [];
    };
    if (delta.size > 0 || settings !== undefined) offerUndo({ view: 'state', what, undo });
  } catch (error) {
    announce(`${what}: done, but it cannot be undone. ${(error as Error).message}`);
  }
  return result;
}

function scopeOf(organization: string | undefined): string {
  return organization === undefined ? '' : `?organization=${encodeURIComponent(organization)}`;
}

async function readParts(organization: string | undefined): Promise<Parts> {
  const state = await readControl<Fields>(`/snapshot${scopeOf(organization)}`);
  return takeApart(organization === undefined ? state : { organizations: [state], revokedKeys: [] });
}

async function writeParts(parts: Parts, organization: string | undefined): Promise<void> {
  const state = putTogether(parts);
  const [only] = state.organizations as readonly Fields[];
  await callControl(`/snapshot${scopeOf(organization)}`, {
    method: 'PUT',
    body: organization === undefined ? state : only,
  });
}

interface Settings {
  profile: Fields;
  hasOwnProfile?: boolean;
  faults: readonly ListedFault[];
}

/** What a reset removes besides the state. Restored faults count from zero. */
async function readSettings(parts: Parts, organization: string | undefined): Promise<{ restore(): Promise<void> }> {
  const ids = organization === undefined ? (parts.get('#organizations') as readonly string[]) : [organization];
  const read = (id?: string) => readControl<Settings>(`/settings${scopeOf(id)}`);
  const { faults } = await read(organization);
  const own = new Map<string, Fields>();
  for (const id of ids) {
    const { hasOwnProfile, profile } = await read(id);
    if (hasOwnProfile) own.set(id, profile);
  }
  return {
    restore: async () => {
      const there = new Set((await read(organization)).faults.map(({ id }) => id));
      for (const fault of faults)
        if (!there.has(fault.id)) await callControl('/faults', { method: 'POST', body: withoutCounts(fault) });
      for (const [id, profile] of own)
        if (!(await read(id)).hasOwnProfile)
          await callControl(`/settings${scopeOf(id)}`, { method: 'PATCH', body: { profile } });
    },
  };
}
