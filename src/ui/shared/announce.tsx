import { signal } from '@preact/signals';

const sentence = signal('');
const pauseMs = 2_000;
let spokenAtMs = -Infinity;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says one sentence to screen readers, and shows it for a moment. Only the last of several in a row is said. */
export function announce(text: string): void {
  clearTimeout(timer);
  const waitMs = Math.max(0, spokenAtMs + pauseMs - performance.now());
  timer = setTimeout(() => {
    spokenAtMs = performance.now();
    sentence.value = text;
    timer = setTimeout(() => {
      sentence.value = '';
    }, 4_000);
  }, waitMs);
}

/** The one live region of the page. */
export function LiveRegion() {
  return (
    <div class="live-region" role="status" aria-live="polite">
      {sentence.value}
    </div>
  );
}
