import { signal } from '@preact/signals';
import { type Inputs, useLayoutEffect } from 'preact/hooks';
import { keptSignal } from './kept.ts';

/** One shortcut, for the whole page or for the current view. */
export interface Shortcut {
  /** A key such as `j`, two such as `g t`, or one with Ctrl, `Ctrl+Enter`. */
  keys: string;
  does: string;
  run(): void;
}

/** Whether single-key shortcuts work. Users of speech input turn them off. */
export const hasSingleKeys = keptSignal('agent-platform-keys', true, 'localStorage');

/** The shortcuts that work now. The help lists them. */
export const shortcuts = signal<readonly Shortcut[]>([]);

/** Adds shortcuts while the component is shown, before it is painted: they must work once it is visible. */
export function useShortcuts(added: readonly Shortcut[], inputs: Inputs = []): void {
  useLayoutEffect(() => {
    shortcuts.value = [...shortcuts.value, ...added];
    return () => {
      shortcuts.value = shortcuts.value.filter((one) => !added.includes(one));
    };
  }, inputs);
}

let keyBefore = '';

/**
 * Runs the shortcut of a key. Single keys do nothing in fields and dialogs. Keys that are not a shortcut are left to
 * the browser. The second key of two may come late: a busy page must not lose it.
 */
function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.metaKey) return;
  const isSingle = !event.ctrlKey;
  if (isSingle && (!hasSingleKeys.value || isTyping(event.target))) return;
  const key = isSingle ? event.key : `Ctrl+${event.key}`;
  const pair = `${keyBefore} ${key}`;
  const found = shortcuts.value.find(({ keys }) => keys === pair) ?? shortcuts.value.find(({ keys }) => keys === key);
  keyBefore = key;
  if (found === undefined) return;
  event.preventDefault();
  found.run();
}

function isTyping(target: EventTarget | null): boolean {
  const fields = 'input:not([type=checkbox], [type=radio]), select, textarea, dialog, [contenteditable]';
  return target instanceof Element && target.closest(fields) !== null;
}

addEventListener('keydown', onKeyDown);
