import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { HelpButton } from './help.tsx';
import { announce, LiveRegion } from './shared/announce.tsx';
import { controlState, index, isReachable, loadIndex, server } from './shared/control.ts';
import { activeFaults, loadFaults, stopFaults } from './shared/faults.ts';
import { useShortcuts } from './shared/keys.ts';
import { Notice } from './shared/parts.tsx';
import { chooseSandbox, chosenSandbox, loadSandboxes, sandboxes } from './shared/sandboxes.ts';
import { goTo, linkTo, place } from './shared/url-state.ts';
import { type View, views } from './views.ts';

/** The whole page: header, navigation, and the one view that the address names. */
export function Frame() {
  const view = views.find(({ hash }) => hash === place.value.view) ?? (views[0] as View);
  useShortcuts(
    views.map(({ name, hash, letter }) => ({ keys: `g ${letter}`, does: `Go to ${name}`, run: () => goTo(hash) })),
  );
  useEffect(() => void loadIndex(), []);
  useSignalEffect(() => {
    if (server === 'mock' && controlState.value === 'ready')
      loadSandboxes().catch((error: Error) => announce(error.message));
  });
  useEffect(() => {
    document.title = `${view.name} · Agent Platform ${server}`;
  }, [view]);
  const { component: Shown } = view;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <Top view={view} />
      <Unreachable />
      <main id="main" tabIndex={-1} key={view.hash}>
        <h2 class="unseen">{view.name}</h2>
        <Shown />
      </main>
      <LiveRegion />
    </>
  );
}

function Top({ view }: { view: View }) {
  const { version = '' } = index.value ?? {};
  return (
    <header class="top">
      <h1>
        Agent Platform {server} <small>{version}</small>
      </h1>
      <nav aria-label="Views">
        {views.map(({ name, hash }) => (
          <a key={hash} href={linkTo(hash)} aria-current={hash === view.hash ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <div class="tools">
        <ActiveFaults />
        <SandboxChoice />
        <HelpButton />
      </div>
    </header>
  );
}

const faultsEveryMs = 3_000;

/** How many faults are active, in every view, so that nobody mistakes the effect of a fault for a bug of theirs. */
function ActiveFaults() {
  const isReady = server === 'mock' && controlState.value === 'ready';
  useEffect(() => {
    if (!isReady) return undefined;
    const load = () => {
      if (!document.hidden) loadFaults().catch(() => undefined);
    };
    load();
    const timer = setInterval(load, faultsEveryMs);
    return () => clearInterval(timer);
  }, [isReady]);
  const { length } = activeFaults.value;
  if (length === 0) return null;
  return (
    <div class="active-faults">
      <a href={linkTo('faults')}>{length === 1 ? '1 active fault' : `${length} active faults`}</a>
      <button type="button" onClick={() => stopFaults(activeFaults.value).catch((error) => announce(error.message))}>
        Stop {length === 1 ? 'it' : 'all'}
      </button>
    </div>
  );
}

function SandboxChoice() {
  if (sandboxes.value.length === 0) return null;
  return (
    <label>
      Sandbox
      <select
        value={chosenSandbox.value?.id ?? ''}
        onChange={({ currentTarget }) => chooseSandbox(currentTarget.value)}
      >
        <option value="">All</option>
        {sandboxes.value.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Unreachable() {
  if (isReachable.value) return null;
  return (
    <Notice kind="error">
      The {server} does not respond. This view may be out of date.{' '}
      <button type="button" onClick={() => void loadIndex()}>
        Try again
      </button>
    </Notice>
  );
}
