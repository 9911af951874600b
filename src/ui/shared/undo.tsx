import { computed, signal } from '@preact/signals';
import { announce } from './announce.tsx';
import { Button } from './button.tsx';
import { useShortcuts } from './keys.ts';
import { Notice } from './parts.tsx';
import { chooseSandbox, isSandboxGone, loadSandboxes } from './sandboxes.ts';
import { place } from './url-state.ts';

export interface Undoable {
  /** The view that offers to undo it. */
  view: string;
  /** What was done, in words: `Delete the drive Logos`. */
  what: string;
  /** Whether what it concerns is still there, so that undoing it means something. Default: it is. */
  isPossible?(): boolean;
  /**
   * Undoes the change and returns an empty list. If others changed the same things since, it does nothing and returns
   * what they changed, unless forced. If it fails, it throws an error with a sentence to show.
   */
  undo(isForced: boolean): Promise<readonly string[]>;
}

const mostKept = 50;
const kept = signal<readonly Undoable[]>([]);
const isRunning = signal(false);
const conflicts = signal<readonly string[]>([]);
const problem = signal('');

/** The number of changes undone. A view that shows such data reloads it when this changes. */
export const undoneCount = signal(0);

/** The latest change of the view that is shown; undefined if there is none to undo. */
const latest = computed(() =>
  kept.value.findLast(({ view, isPossible }) => view === place.value.view && isPossible?.() !== false),
);

/** Remembers a change made on the page, so that it can be undone, latest first. */
export function offerUndo(undoable: Undoable): void {
  kept.value = [...kept.value, undoable].slice(-mostKept);
  forgetTrouble();
}

/** Forgets all changes: what they concern is gone. */
export function forgetUndo(): void {
  kept.value = [];
  forgetTrouble();
}

function forgetTrouble(): void {
  conflicts.value = [];
  problem.value = '';
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Makes a change once those under way are done and can be undone: each sees the result of the one before it, and Undo
 * never undoes the one before instead.
 */
export function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const next = last.then(act, act);
  last = next.catch(() => undefined);
  return next;
}

/** Undoes the latest change. `forced`: this change, including what others did to the same things. */
async function undoLatest(forced?: Undoable): Promise<void> {
  if (isRunning.value) return;
  isRunning.value = true;
  const { view } = place.value;
  try {
    await inTurn(async () => {
      const undoable = forced ?? latest.value;
      if (undoable !== undefined && view === place.value.view) await undo(undoable, forced !== undefined);
    });
  } catch (error) {
    problem.value = (error as Error).message;
  } finally {
    isRunning.value = false;
  }
}

async function undo(undoable: Undoable, isForced: boolean): Promise<void> {
  forgetTrouble();
  conflicts.value = await undoable.undo(isForced);
  if (conflicts.value.length > 0) return;
  kept.value = kept.value.filter((one) => one !== undoable);
  undoneCount.value++;
  announce(`Undone: ${undoable.what}.`);
  // The chosen sandbox may have been what was opened.
  await loadSandboxes().catch(() => undefined);
  if (isSandboxGone.value) chooseSandbox('');
}

/** The button that undoes the latest change of this view; `u` does the same. If it cannot, it says why. */
export function Undo() {
  useShortcuts([{ keys: 'u', does: 'Undo the latest change', run: () => void undoLatest() }]);
  const what = latest.value?.what;
  return (
    <>
      <Button
        label={what === undefined ? 'Undo' : `Undo: ${what}`}
        class="undo"
        aria-disabled={what === undefined || isRunning.value}
        title={what}
        onClick={() => void undoLatest()}
      />
      <Trouble />
    </>
  );
}

function Trouble() {
  if (problem.value !== '') return <Notice kind="error">Not undone: {problem.value}</Notice>;
  if (conflicts.value.length === 0) return null;
  return (
    <Notice kind="error">
      <p>Not undone. Others have since changed: {listed(conflicts.value)}. Undo would overwrite that.</p>
      <div class="row">
        <Button label="Undo anyway" class="danger" onClick={() => void undoLatest(latest.value)} />
        <Button label="Cancel" onClick={forgetTrouble} />
      </div>
    </Notice>
  );
}

const mostNamed = 5;

function listed(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  return names.slice(0, mostNamed).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
