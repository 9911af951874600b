import { computed, signal } from '@preact/signals';
import type { Fault, ListedFault } from '../../app/faults/fault.ts';
import { ControlError, callControl, readControl } from './control.ts';
import { placeOf } from './state-undo.ts';
import { createStore } from './store.ts';
import { offerUndo } from './undo.tsx';

/** All faults of the mock, in their order; empty until they are loaded. */
export const faults = signal<readonly ListedFault[]>([]);

/** The faults that may still apply to a call. */
export const activeFaults = computed(() => faults.value.filter(isActive));

/** Whether a fault may still apply to a call. */
export function isActive({ isEnabled, isUsedUp }: ListedFault): boolean {
  return isEnabled && !isUsedUp;
}

/** The faults, loaded again at each change and each call: any call may have matched one, code may have added one. */
export const faultStore = createStore({ load: loadFaults, isChange: () => true });

async function loadFaults(): Promise<void> {
  const loaded = await readControl<ListedFault[]>('/faults');
  // Unchanged faults must not cause a redraw.
  if (JSON.stringify(loaded) !== JSON.stringify(faults.value)) faults.value = loaded;
}

/** The settings of a fault. */
export function withoutCounts({ matched: _, applied: __, isUsedUp: ___, ...fault }: ListedFault): Fault {
  return fault;
}

/** Adds a fault again that was removed, with its counts: one that was used up stays so. */
export async function restoreFault({ isUsedUp: _, ...body }: ListedFault): Promise<void> {
  await callControl('/faults', { method: 'POST', body });
}

/** Adds a fault; can be undone. Returns the fault with the id that the mock gave it. */
export async function addFault(fault: Fault): Promise<ListedFault> {
  const added = await readControl<ListedFault>('/faults', { method: 'POST', body: fault });
  offerFaultUndo(`Add ${added.id}`, () => remove(added.id), added.id);
  await faultStore.refresh();
  return added;
}

const changeable = ['organizationId', 'operations', 'isEnabled', 'effect', 'moment', 'when'] as const;

/** Changes a fault; can be undone. Removes fields that `fault` does not have. */
export async function changeFault(before: ListedFault, fault: Fault): Promise<void> {
  await patchFault(before.id, fault);
  offerFaultUndo(`Change ${before.id}`, () => patchFault(before.id, before), before.id);
  await faultStore.refresh();
}

async function patchFault(id: string, fault: Fault): Promise<void> {
  const body = Object.fromEntries(changeable.map((name) => [name, fault[name] ?? null]));
  await callControl(placeOf('faults', id), { method: 'PATCH', body });
}

/** Turns a fault off or on; can be undone. */
export async function turnFault(fault: ListedFault, isEnabled: boolean): Promise<void> {
  const turn = async (to: boolean) => {
    await callControl(placeOf('faults', fault.id), { method: 'PATCH', body: { isEnabled: to } });
  };
  await turn(isEnabled);
  offerFaultUndo(`Turn ${isEnabled ? 'on' : 'off'} ${fault.id}`, () => turn(!isEnabled), fault.id);
  await faultStore.refresh();
}

/** Removes faults; can be undone: they return at the end of the list. */
export async function removeFaults(removed: readonly ListedFault[]): Promise<void> {
  for (const { id } of removed) await remove(id);
  const [only] = removed;
  offerFaultUndo(removed.length === 1 ? `Remove ${only?.id}` : `Remove ${removed.length} faults`, async () => {
    for (const fault of removed) await restoreFault(fault);
  });
  await faultStore.refresh();
}

/** Somebody else may have removed it already. */
async function remove(id: string): Promise<void> {
  try {
    await callControl(placeOf('faults', id), { method: 'DELETE' });
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 404)) throw error;
  }
}

/** Offers to undo a change in Faults, while the fault `needed` is there. */
function offerFaultUndo(what: string, act: () => Promise<void>, needed?: string): void {
  const undo = async () => {
    await act();
    await faultStore.refresh();
    return [];
  };
  const isPossible = () => needed === undefined || faults.value.some(({ id }) => id === needed);
  offerUndo({ view: 'faults', what, isPossible, undo });
}
