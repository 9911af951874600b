import { signal } from '@preact/signals';

const spoken = signal('');
const shown = signal('');
const shownMs = 4_000;
const timers = new Map<unknown, ReturnType<typeof setTimeout>>();

/** Says one sentence to screen readers: what others see where they look. It replaces the previous one. */
export function announce(text: string): void {
  show(spoken, text);
}

/** The same, and shows it for a moment: for what cannot be seen anywhere else. */
export function warn(text: string): void {
  show(shown, text);
}

function show(place: { value: string }, text: string): void {
  clearTimeout(timers.get(place));
  place.value = text;
  timers.set(
    place,
    setTimeout(() => {
      place.value = '';
    }, shownMs),
  );
}

export function LiveRegion() {
  return (
    <div role="status" aria-live="polite">
      <span class="unseen">{spoken.value}</span>
      {shown.value !== '' && <span class="live-region">{shown.value}</span>}
    </div>
  );
}
