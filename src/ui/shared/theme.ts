import { effect, signal } from '@preact/signals';

const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const kept = 'agent-platform-theme';

/** The chosen colours; `system` follows the machine. */
export const theme = signal<Theme>(themes.find((one) => one === localStorage.getItem(kept)) ?? 'system');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(kept, theme.value);
});

export const themeNames: readonly (readonly [Theme, string])[] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];
