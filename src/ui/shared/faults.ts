import { computed, signal } from '@preact/signals';
import type { Fault, ListedFault } from '../../app/faults/fault.ts';
import { ControlError, callControl, readControl } from './control.ts';
import { placeOf } from './state-undo.ts';
import { createStore } from './store.ts';
import { inTurn, offerUndo } from './undo.tsx';

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

export function withoutCounts({ matched: _, applied: __, isUsedUp: ___, ...fault }: ListedFault): Fault {
  return fault;
}

/** Adds a fault again that was removed, with its counts: one that was used up stays so. */
export async function restoreFault({ isUsedUp: _, ...body }: ListedFault): Promise<void> {
  await callControl('/faults', { method: 'POST', body });
}

/** Adds a fault; can be undone. Returns the fault with the id that the mock gave it. */
export function addFault(fault: Fault): Promise<ListedFault> {
  return changeFaults({
    what: ({ id }) => `Add ${id}`,
    needed: ({ id }) => id,
    act: () => readControl<ListedFault>('/faults', { method: 'POST', body: fault }),
    undo: ({ id }) => remove(id),
  });
}

const changeable = ['organizationId', 'operations', 'isEnabled', 'effect', 'moment', 'when'] as const;

/** Changes a fault; can be undone. Removes fields that `fault` does not have. */
export function changeFault(before: ListedFault, fault: Fault): Promise<void> {
  return changeFaults({
    what: () => `Change ${before.id}`,
    needed: () => before.id,
    act: () => patchFault(before.id, fault),
    undo: () => patchFault(before.id, before),
  });
}

async function patchFault(id: string, fault: Fault): Promise<void> {
  const body = Object.fromEntries(changeable.map((name) => [name, fault[name] ?? null]));
  await callControl(placeOf('faults', id), { method: 'PATCH', body });
}

export function turnFault({ id }: ListedFault, isEnabled: boolean): Promise<void> {
  const turn = async (to: boolean) => {
    await callControl(placeOf('faults', id), { method: 'PATCH', body: { isEnabled: to } });
  };
  return changeFaults({
    what: () => `Turn ${isEnabled ? 'on' : 'off'} ${id}`,
    needed: () => id,
    act: () => turn(isEnabled),
    undo: () => turn(!isEnabled),
  });
}

/** Removes faults; can be undone: they return at the end of the list. */
export function removeFaults(removed: readonly ListedFault[]): Promise<void> {
  return changeFaults({
    what: () => (removed.length === 1 ? `Remove ${removed[0]?.id}` : `Remove ${removed.length} faults`),
    act: async () => {
      for (const { id } of removed) await remove(id);
    },
    undo: async () => {
      for (const fault of removed) await restoreFault(fault);
    },
  });
}

/** Somebody else may have removed it already. */
async function remove(id: string): Promise<void> {
  try {
    await callControl(placeOf('faults', id), { method: 'DELETE' });
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 404)) throw error;
  }
}

interface FaultChange<T> {
  act(): Promise<T>;
  /** What was done, in words. */
  what(made: T): string;
  /** The id of the fault that must be there for undoing it. */
  needed?(made: T): string;
  undo(made: T): Promise<void>;
}

/** Makes a change that can be undone in Faults, and shows the new faults. */
function changeFaults<T>({ what, needed, act, undo }: FaultChange<T>): Promise<T> {
  return inTurn(async () => {
    const made = await act();
    const id = needed?.(made);
    offerUndo({
      ...{ view: 'faults', what: what(made) },
      isPossible: () => id === undefined || faults.value.some((fault) => fault.id === id),
      undo: async () => {
        await undo(made);
        await faultStore.refresh();
        return [];
      },
    });
    await faultStore.refresh();
    return made;
  });
}
