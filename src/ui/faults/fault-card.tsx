import type { ListedFault } from '../../workbench/faults/fault.ts';
import { isActive, stopFaults, turnFault } from '../shared/faults.ts';
import { nameOfSandbox } from '../shared/sandboxes.ts';
import { linkTo } from '../shared/url-state.ts';
import { effectWords } from './effects.ts';
import { run } from './run.ts';
import { callsWords, momentWords } from './words.ts';

/** One fault in the list: its effect, the calls it applies to, its counts, and its switches. */
export function FaultCard({ fault, isSelected }: { fault: ListedFault; isSelected: boolean }) {
  const { id, isEnabled, matched, applied } = fault;
  const stand = standWords(fault);
  return (
    <article class={`card ${stand === 'active' ? 'is-active' : ''}`} aria-label={`Fault ${id}`}>
      <h3>
        <a href={linkTo('faults', id)} aria-current={isSelected ? 'true' : undefined}>
          {effectWords(fault)}
        </a>{' '}
        <span class="stand">{stand}</span>
      </h3>
      <p>{scopeWords(fault)}</p>
      <p class="muted">
        <code>{id}</code> applied to {applied} of {matched} {matched === 1 ? 'call' : 'calls'}
      </p>
      <div class="row">
        <button type="button" aria-label={`Stop ${id}`} onClick={() => run(() => stopFaults([fault]))}>
          Stop
        </button>
        <button
          type="button"
          aria-label={`Turn ${isEnabled ? 'off' : 'on'} ${id}`}
          onClick={() => run(() => turnFault(fault, !isEnabled))}
        >
          Turn {isEnabled ? 'off' : 'on'}
        </button>
        <a href={linkTo('traffic', '', { filter: `fault:${id}` })} aria-label={`Matched calls: ${id}`}>
          Matched calls
        </a>
      </div>
    </article>
  );
}

function scopeWords(fault: ListedFault): string {
  const { organizationId } = fault;
  const sandbox = organizationId === undefined ? 'in all sandboxes' : `in ${nameOfSandbox(organizationId)}`;
  return [`Applies to ${callsWords(fault)}`, sandbox, momentWords(fault)].filter((each) => each !== '').join(', ');
}

function standWords(fault: ListedFault): 'active' | 'off' | 'used up' {
  if (isActive(fault)) return 'active';
  return fault.isEnabled ? 'used up' : 'off';
}
