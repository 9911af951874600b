import { signal } from '@preact/signals';

const sentence = signal('');
const shownMs = 4_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says one sentence to screen readers, and shows it for a moment. It replaces the previous one immediately. */
export function announce(text: string): void {
  clearTimeout(timer);
  sentence.value = text;
  timer = setTimeout(() => {
    sentence.value = '';
  }, shownMs);
}

/** The one live region of the page. */
export function LiveRegion() {
  return (
    <div class="live-region" role="status" aria-live="polite">
      {sentence.value}
    </div>
  );
}
