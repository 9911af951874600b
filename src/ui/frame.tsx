import { effect, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { HelpButton } from './help.tsx';
import { LiveRegion, warn } from './shared/announce.tsx';
import { Button } from './shared/button.tsx';
import { type ControlError, controlState, index, isReachable, loadIndex, server } from './shared/control.ts';
import { activeFaults, faultStore, removeFaults } from './shared/faults.ts';
import { BareSelect } from './shared/form.tsx';
import { keptSignal } from './shared/kept.ts';
import { useShortcuts } from './shared/keys.ts';
import { NeedsControl } from './shared/needs-control.tsx';
import { Notice } from './shared/parts.tsx';
import { RestartNote, watchRestarts } from './shared/restart.tsx';
import { chooseSandbox, chosenId, chosenSandbox, loadSandboxes, sandboxes } from './shared/sandboxes.ts';
import { goTo, linkTo, place } from './shared/url-state.ts';
import { plural } from './shared/words.ts';
import { type View, views } from './views.ts';

/** The whole page: header, navigation, and the one view that the address names. */
export function Frame() {
  const view = views.find(({ hash }) => hash === place.value.view) ?? (views[0] as View);
  useShortcuts(
    views.map(({ name, hash, letter }) => ({ keys: `g ${letter}`, does: `Go to ${name}`, run: () => goTo(hash) })),
  );
  useEffect(() => void loadIndex(), []);
  useEffect(watchRestarts, []);
  useSignalEffect(() => {
    // Again for each that is chosen: it may be newer than the list.
    void chosenId.value;
    if (server === 'mock' && controlState.value === 'ready')
      // If the token is refused, the view asks for it again.
      loadSandboxes().catch(({ status, message }: ControlError) => status !== 401 && warn(message));
  });
  useEffect(() => {
    document.title = `${view.name} · Agent Platform ${server}`;
  }, [view]);
  const { component: Shown } = view;
  return (
    <>
      <Button label="Skip to content" class="skip" onClick={() => document.getElementById('main')?.focus()} />
      <Top view={view} />
      {!isReachable.value && (
        <Notice kind="error">
          The {server} does not respond. This view may be out of date.{' '}
          <Button label="Try again" onClick={() => void loadIndex()} />
        </Notice>
      )}
      <RestartNote />
      <main id="main" tabIndex={-1} key={view.hash}>
        <h2 class="unseen">{view.name}</h2>
        {view.needsControl ? (
          <NeedsControl what={view.name}>
            <Shown />
          </NeedsControl>
        ) : (
          <Shown />
        )}
      </main>
      <LiveRegion />
    </>
  );
}

const themes = { system: '◐', light: '☀', dark: '☾' } as const;
type Theme = keyof typeof themes;

/** The chosen colours; `system` follows the machine. */
const theme = keptSignal<Theme>('agent-platform-theme', 'system', 'localStorage');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

function turnTheme(): void {
  const names = Object.keys(themes) as Theme[];
  theme.value = names[(names.indexOf(theme.value) + 1) % names.length] as Theme;
}

function Top({ view }: { view: View }) {
  const themeName = `Theme: ${theme.value}`;
  return (
    <header class="top">
      <h1>
        Agent Platform {server} <small>{index.value?.version}</small>
      </h1>
      <nav aria-label="Views">
        {views.map(({ name, hash }) => (
          <a key={hash} href={linkTo(hash)} aria-current={hash === view.hash ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <BareSelect
        class="views-menu"
        label="View"
        value={view.hash}
        options={views.map(({ name, hash }) => [hash, name])}
        onChange={(hash) => goTo(hash)}
      />
      <div class="tools">
        <ActiveFaults />
        <SandboxChoice />
        <Button label={themes[theme.value]} class="icon" aria-label={themeName} title={themeName} onClick={turnTheme} />
        <HelpButton />
      </div>
    </header>
  );
}

/** How many faults are active, in every view, so that nobody mistakes the effect of a fault for a bug of theirs. */
function ActiveFaults() {
  const isReady = server === 'mock' && controlState.value === 'ready';
  useEffect(() => (isReady ? faultStore.follow() : undefined), [isReady]);
  const { length } = activeFaults.value;
  if (length === 0) return null;
  return (
    <div class="active-faults">
      <a href={linkTo('faults')} aria-label={plural(length, 'active fault')}>
        {length} <span class="long">{length === 1 ? 'active fault' : 'active faults'}</span>
      </a>
      <Button
        label={`Remove ${length === 1 ? 'it' : 'all'}`}
        class="long"
        onClick={() => removeFaults(activeFaults.value).catch(({ message }) => warn(message))}
      />
    </div>
  );
}

function SandboxChoice() {
  if (sandboxes.value.length === 0) return null;
  return (
    <BareSelect
      label="Sandbox"
      value={chosenSandbox.value?.id ?? ''}
      options={[['', 'All sandboxes'], ...sandboxes.value.map(({ id, name }) => [id, name] as const)]}
      onChange={chooseSandbox}
    />
  );
}
