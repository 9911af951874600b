import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ListedFault } from '../../workbench/faults/fault.ts';
import { faults, loadFaults, stopFaults } from '../shared/faults.ts';
import { createLive } from '../shared/live.ts';
import { NeedsControl } from '../shared/needs-control.tsx';
import { Empty, Notice } from '../shared/parts.tsx';
import { chosenSandbox } from '../shared/sandboxes.ts';
import { UndoButton, UndoTrouble } from '../shared/undo.tsx';
import { linkTo, place } from '../shared/url-state.ts';
import { FaultCard } from './fault-card.tsx';
import { AddFault, ChangeFault } from './fault-form.tsx';
import { problem, run } from './run.ts';

/** Faults: the deviations that the mock injects. */
export function FaultsView() {
  return (
    <NeedsControl what="Faults">
      <Faults />
    </NeedsControl>
  );
}

const isLoaded = signal(false);

const refreshMs = 250;
let isWaiting = false;

// Any call may have matched a fault and any change may concern one: reload the counts.
function refreshSoon(): void {
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => {
    isWaiting = false;
    void loadFaults().catch(() => undefined);
  }, refreshMs);
}

const live = createLive({
  path: '/requests/live',
  onEvent: refreshSoon,
  onOpen: async () => {
    await loadFaults();
    isLoaded.value = true;
  },
  onRefused: (message) => {
    problem.value = message;
  },
});

/** The faults that affect the chosen sandbox: its own, and those for all. */
function shownFaults(): readonly ListedFault[] {
  const sandbox = chosenSandbox.value?.id;
  return faults.value.filter(({ organizationId }) => [undefined, organizationId].includes(sandbox) || !organizationId);
}

function Faults() {
  useEffect(live.open, []);
  const shown = shownFaults();
  const id = place.value.selected;
  const selected = faults.value.find((fault) => fault.id === id);
  return (
    <div class={`faults ${id === '' ? '' : 'has-fault'}`}>
      <section class="fault-list" aria-label="Faults">
        <Toolbar shown={shown} />
        {shown.length === 0 ? <NoFaults /> : <FaultList shown={shown} selected={id} />}
      </section>
      <section class="fault-work" aria-label={id === '' ? 'Add a fault' : `Fault ${id}`}>
        {id === '' && <AddFault />}
        {selected !== undefined && <ChangeFault key={id} fault={selected} />}
        {id !== '' && selected === undefined && isLoaded.value && <Gone id={id} />}
      </section>
    </div>
  );
}

function Toolbar({ shown }: { shown: readonly ListedFault[] }) {
  return (
    <div class="toolbar">
      <div class="row">
        <UndoButton />
        <button type="button" disabled={shown.length === 0} onClick={() => run(() => stopFaults(shown))}>
          {shown.length > 1 ? `Stop all ${shown.length}` : 'Stop all'}
        </button>
        {place.value.selected !== '' && <a href={linkTo('faults')}>Add a fault</a>}
        <span class={`stream ${live.state.value}`}>{live.state.value === 'live' ? 'Live' : 'Connecting'}</span>
      </div>
      <UndoTrouble />
      {problem.value !== '' && <Notice kind="error">{problem.value}</Notice>}
    </div>
  );
}

function FaultList({ shown, selected }: { shown: readonly ListedFault[]; selected: string }) {
  return (
    <>
      <ol class="cards">
        {shown.map((fault) => (
          <li key={fault.id}>
            <FaultCard fault={fault} isSelected={fault.id === selected} />
          </li>
        ))}
      </ol>
      {shown.length > 1 && <p class="muted">Delays add up. Of the other faults that match, only the first applies.</p>}
    </>
  );
}

function NoFaults() {
  if (!isLoaded.value) return <p class="loading">Loading…</p>;
  return (
    <Empty title="No faults">
      <p>The mock responds normally. Add a fault to see how your frontend handles slow, wrong and lost responses.</p>
    </Empty>
  );
}

function Gone({ id }: { id: string }) {
  return (
    <Empty title={`There is no fault ${id}`}>
      <p>It was stopped, or the mock was reset.</p>
      <a href={linkTo('faults')}>Add a fault</a>
    </Empty>
  );
}
