import { computed, signal } from '@preact/signals';
import type { Fault, ListedFault } from '../../app/faults/fault.ts';
import { callControl, isGone, readControl } from './control.ts';
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
  const act = () => readControl<ListedFault>('/faults', { method: 'POST', body: fault });
  return change(act, ({ id }) => ({ what: `Add ${id}`, needed: id, undo: () => remove(id) }));
}

const changeable = ['organizationId', 'operations', 'isEnabled', 'effect', 'moment', 'when'] as const;

/** Changes a fault; can be undone. Removes fields that `fault` does not have. */
export function changeFault(before: ListedFault, fault: Fault): Promise<unknown> {
  const bodyOf = (one: Fault) => Object.fromEntries(changeable.map((name) => [name, one[name] ?? null]));
  return patch(before.id, 'Change', bodyOf(fault), bodyOf(before));
}

export function turnFault({ id }: ListedFault, isEnabled: boolean): Promise<unknown> {
  return patch(id, `Turn ${isEnabled ? 'on' : 'off'}`, { isEnabled }, { isEnabled: !isEnabled });
}

function patch(id: string, verb: string, then: object, before: object): Promise<unknown> {
  const send = (body: object) => callControl(placeOf('faults', id), { method: 'PATCH', body });
  return change(
    () => send(then),
    () => ({ what: `${verb} ${id}`, needed: id, undo: () => send(before) }),
  );
}

/** Removes faults; can be undone: they return at the end of the list. */
export function removeFaults(removed: readonly ListedFault[]): Promise<void> {
  const act = async () => {
    for (const { id } of removed) await remove(id);
  };
  const undo = async () => {
    for (const fault of removed) await restoreFault(fault);
  };
  return change(act, () => ({
    what: `Remove ${removed.length === 1 ? removed[0]?.id : `${removed.length} faults`}`,
    undo,
  }));
}

/** Somebody else may have removed it already. */
async function remove(id: string): Promise<void> {
  try {
    await callControl(placeOf('faults', id), { method: 'DELETE' });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

interface Made {
  /** What was done, in words. */
  what: string;
  /** The id of the fault that must be there for undoing it. */
  needed?: string;
  undo(): Promise<unknown>;
}

/** Makes a change that can be undone in Faults, and shows the new faults. */
function change<T>(act: () => Promise<T>, describe: (result: T) => Made): Promise<T> {
  return inTurn(async () => {
    const result = await act();
    const { what, needed, undo } = describe(result);
    offerUndo({
      ...{ view: 'faults', what },
      isPossible: () => needed === undefined || faults.value.some(({ id }) => id === needed),
      undo: async () => {
        await undo();
        await faultStore.refresh();
        return [];
      },
    });
    await faultStore.refresh();
    return result;
  });
}
