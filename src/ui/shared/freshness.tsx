import { isReachable } from './control.ts';
import type { Followed } from './followed.ts';
import { Notice } from './parts.tsx';

/** Whether changes show automatically, and a button to reload if they do not. */
export function Freshness({ of: { liveState, loadedAt, staleReason, refresh } }: { of: Followed }) {
  const isLive = liveState.value === 'live' && staleReason.value === '';
  return (
    <>
      <span class={isLive ? 'fresh is-live' : 'fresh'}>
        {isLive ? 'Live' : loadedAt.value === '' ? 'Loading' : `As of ${loadedAt.value}`}
      </span>
      <button type="button" onClick={() => void refresh()}>
        Refresh
      </button>
    </>
  );
}

/** Why the shown data may be out of date. */
export function FreshnessProblems({ of: { staleReason, liveProblem } }: { of: Followed }) {
  return (
    <>
      {/* If the mock does not respond at all, the frame says so. */}
      {staleReason.value !== '' && isReachable.value && (
        <Notice kind="error">This view may be out of date. Refreshing failed: {staleReason.value}</Notice>
      )}
      {liveProblem.value !== '' && (
        <Notice kind="note">
          Changes by others do not appear automatically: {liveProblem.value} Press Refresh to see them.
        </Notice>
      )}
    </>
  );
}
