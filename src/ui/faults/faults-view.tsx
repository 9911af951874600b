import { useEffect } from 'preact/hooks';
import type { ListedFault } from '../../app/faults/fault.ts';
import { createAction } from '../shared/action.tsx';
import { Button } from '../shared/button.tsx';
import { Detail, Missing } from '../shared/detail.tsx';
import { faultStore, faults, isActive, removeFaults, turnFault } from '../shared/faults.ts';
import { LiveMark } from '../shared/live-mark.tsx';
import { Empty, Tag } from '../shared/parts.tsx';
import { chosenSandbox, nameOfSandbox } from '../shared/sandboxes.ts';
import { Undo } from '../shared/undo.tsx';
import { linkTo, place } from '../shared/url-state.ts';
import { operations } from '../try/contract.ts';
import { callsWords, effectWords, momentWords } from './effects.ts';
import { AddFault, ChangeFault } from './fault-form.tsx';

const { run, Problem } = createAction();

/** Faults: the deviations that the mock injects. */
export function FaultsView() {
  useEffect(faultStore.follow, []);
  const sandbox = chosenSandbox.value?.id;
  // Those for all sandboxes affect the chosen one too.
  const shown = faults.value.filter(({ organizationId: own }) => !sandbox || !own || own === sandbox);
  const id = place.value.selected;
  return (
    <div class="view faults">
      <div class="toolbar">
        <Button
          label={shown.length > 1 ? `Remove all ${shown.length}` : 'Remove all'}
          class="danger"
          disabled={shown.length === 0}
          onClick={() => run(() => removeFaults(shown))}
        />
        <Undo />
        {id !== '' && <a href={linkTo('faults')}>Add a fault</a>}
        <LiveMark of={faultStore} />
        <Problem />
      </div>
      <div class="panes">
        <section class="list" aria-label="Faults">
          {shown.length === 0 ? <NoFaults /> : <FaultList shown={shown} selected={id} />}
        </section>
        {id === '' ? (
          <section class="detail" aria-label="Add a fault">
            <AddFault />
          </section>
        ) : (
          <Selected key={id} id={id} />
        )}
      </div>
    </div>
  );
}

function Selected({ id }: { id: string }) {
  const fault = faults.value.find((each) => each.id === id);
  if (fault === undefined && faultStore.loadedAt.value === '') return null;
  if (fault === undefined)
    return (
      <Missing title={`There is no fault ${id}`} why="It was removed, or the mock was reset." instead="Add a fault" />
    );
  return (
    <Detail label={`Fault ${id}`} title={`Change ${id}`}>
      <ChangeFault fault={fault} />
    </Detail>
  );
}

function FaultList({ shown, selected }: { shown: readonly ListedFault[]; selected: string }) {
  return (
    <>
      {shown.map((fault) => (
        <FaultCard key={fault.id} fault={fault} isSelected={fault.id === selected} />
      ))}
      {shown.length > 1 && (
        <p class="muted card">Delays add up. Of the other faults that match, only the first applies.</p>
      )}
    </>
  );
}

/** One fault: its effect, the calls it applies to, its counts, and its switches. */
function FaultCard({ fault, isSelected }: { fault: ListedFault; isSelected: boolean }) {
  const { id, isEnabled, matched, applied, organizationId } = fault;
  const stand = isActive(fault) ? 'active' : isEnabled ? 'used up' : 'off';
  const sandbox = organizationId === undefined ? 'in all sandboxes' : `in ${nameOfSandbox(organizationId)}`;
  const reads = operations.value.filter(({ isRead }) => isRead).map(({ operationId }) => operationId);
  const scope = [`Applies to ${callsWords(fault)}`, sandbox, momentWords(fault, reads)].filter((each) => each !== '');
  const turn = isEnabled ? 'off' : 'on';
  return (
    <article class={isSelected ? 'card selected' : 'card'} aria-label={`Fault ${id}`}>
      <h3>
        <a href={linkTo('faults', id)} data-id={id} aria-current={isSelected ? 'true' : undefined}>
          {effectWords(fault)}
        </a>{' '}
        <Tag tone={stand === 'active' ? 'bad' : 'none'}>{stand}</Tag>
      </h3>
      <p>{scope.join(', ')}</p>
      <div class="row">
        <Button label="Remove" aria-label={`Remove ${id}`} onClick={() => run(() => removeFaults([fault]))} />
        <Button
          label={`Turn ${turn}`}
          aria-label={`Turn ${turn} ${id}`}
          onClick={() => run(() => turnFault(fault, !isEnabled))}
        />
        <a href={linkTo('traffic', '', { fault: id })} aria-label={`Matched calls: ${id}`}>
          Matched calls
        </a>
        <span class="muted">
          <code>{id}</code>{' '}
          {matched === 0 ? 'no calls yet' : `applied to ${applied} of ${matched} ${matched === 1 ? 'call' : 'calls'}`}
        </span>
      </div>
    </article>
  );
}

function NoFaults() {
  if (faultStore.loadedAt.value === '') return <p class="loading">Loading…</p>;
  return (
    <Empty title="No faults">
      <p>The mock responds normally. Add a fault to see how your frontend handles slow, wrong and lost responses.</p>
    </Empty>
  );
}
