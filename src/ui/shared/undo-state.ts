import type { ListedFault } from '../../app/faults/fault.ts';
import type { InUse } from '../points/take-back.ts';
import { warn } from './announce.tsx';
import { callControl, readControl, scopeOf } from './control.ts';
import { restoreFault } from './faults.ts';
import type { Fields } from './json.ts';
import { takeBack } from './state-undo.ts';
import { inTurn, offerUndo } from './undo.tsx';

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
 * Changes the state so that it can be undone, by what differs between the snapshots before and after. So records are
 * restored exactly, and changes by others stay.
 */
export function changeState<T>({ what, organization, place, hasSettings, act }: Change<T>): Promise<T> {
  return inTurn(async () => {
    const before = await readState(organization);
    const settings = hasSettings ? await readSettings(before, organization) : undefined;
    const result = await act();
    try {
      const after = await readState(organization);
      const only = place?.(result);
      const undo = async (isForced: boolean) => {
        const { state, conflicts } = takeBack(before, after, await readState(organization), only);
        if (conflicts.length > 0 && !isForced) return conflicts;
        const [one] = state.organizations as readonly Fields[];
        const body = organization === undefined ? state : one;
        await callControl(`/snapshot${scopeOf(organization)}`, { method: 'PUT', body });
        // The state is restored by now, whatever happens to the settings.
        const told = ({ message }: Error) => warn(`Some faults or profiles could not be restored. ${message}`);
        await settings?.restore().catch(told);
        return [];
      };
      offerUndo({ view: 'state', what, undo });
    } catch (error) {
      warn(`${what}: done, but it cannot be undone. ${(error as Error).message}`);
    }
    return result;
  });
}

async function readState(organization: string | undefined): Promise<Fields> {
  const state = await readControl<Fields>(`/snapshot${scopeOf(organization)}`);
  return organization === undefined ? state : { organizations: [state], revokedKeys: [] };
}

/** What a reset removes besides the state. */
async function readSettings(state: Fields, organization: string | undefined): Promise<{ restore(): Promise<void> }> {
  const ids = (state.organizations as readonly { id: string }[]).map(({ id }) => id);
  const read = (id?: string) => readControl<InUse>(`/settings${scopeOf(id)}`);
  // Settings list no latencies among the faults.
  const readFaults = () => readControl<readonly ListedFault[]>(`/faults${scopeOf(organization)}`);
  const faults = await readFaults();
  const own = new Map<string, InUse['profile']>();
  for (const id of ids) {
    const { hasOwnProfile, profile } = await read(id);
    if (hasOwnProfile) own.set(id, profile);
  }
  return {
    restore: async () => {
      const there = new Set((await readFaults()).map(({ id }) => id));
      for (const fault of faults) if (!there.has(fault.id)) await restoreFault(fault);
      for (const [id, profile] of own)
        if (!(await read(id)).hasOwnProfile)
          await callControl(`/settings${scopeOf(id)}`, { method: 'PATCH', body: { profile } });
    },
  };
}
