import { computed, signal } from '@preact/signals';
import type { Fault, ListedFault } from '../../workbench/faults/fault.ts';
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

/** A fault that can be added again, with counts from zero. */
export function withoutCounts({ matched: _, applied: __, isUsedUp: ___, ...fault }: ListedFault): Fault {
  return fault;
}

/** Adds a fault; can be undone. Returns the fault with the id that the mock gave it. */
export async function addFault(fault: Fault): Promise<ListedFault> {
  const added = await readControl<ListedFault>('/faults', { method: 'POST', body: fault });
  offerUndo({ view: 'faults', what: `Add ${added.id}`, undo: () => undoing(() => remove(added.id)) });
  await faultStore.refresh();
  return added;
}

const changeable = ['organizationId', 'operations', 'isEnabled', 'effect', 'moment', 'when'] as const;

/** Changes a fault; can be undone. Removes fields that `fault` does not have. */
export async function changeFault(before: ListedFault, fault: Fault): Promise<void> {
  await patchFault(before.id, fault);
  offerUndo({ view: 'faults', what: `Change ${before.id}`, undo: () => undoing(() => patchFault(before.id, before)) });
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
  const what = `Turn ${isEnabled ? 'on' : 'off'} ${fault.id}`;
  offerUndo({ view: 'faults', what, undo: () => undoing(() => turn(!isEnabled)) });
  await faultStore.refresh();
}

/** Stops faults for good; can be undone: they return at the end of the list, with counts from zero. */
export async function stopFaults(stopped: readonly ListedFault[]): Promise<void> {
  for (const { id } of stopped) await remove(id);
  const [only] = stopped;
  const what = stopped.length === 1 ? `Stop ${only?.id}` : `Stop ${stopped.length} faults`;
  const addAll = async () => {
    for (const fault of stopped) await callControl('/faults', { method: 'POST', body: withoutCounts(fault) });
  };
  offerUndo({ view: 'faults', what, undo: () => undoing(addAll) });
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

async function undoing(act: () => Promise<void>): Promise<[]> {
  await act();
  await faultStore.refresh();
  return [];
}
