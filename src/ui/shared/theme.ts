import { effect, signal } from '@preact/signals';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const kept = 'agent-platform-theme';

/** The chosen colours; `system` follows the machine. */
export const theme = signal<Theme>(themes.find((one) => one === localStorage.getItem(kept)) ?? 'system');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(kept, theme.value);
});

/** The next colours, in turn. */
export function turnTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] as Theme;
}
