import { isReachable } from './control.ts';
import { Notice } from './parts.tsx';
import { liveState, type Store } from './store.ts';

/** Whether changes show by themselves, how old the data are if not, and why they could not be loaded. */
export function LiveMark({ of: { loadedAt, problem } }: { of: Pick<Store, 'loadedAt' | 'problem'> }) {
  const isLive = liveState.value === 'live' && problem.value === '';
  return (
    <>
      <span class={`stream ${isLive ? 'live' : liveState.value}`}>
        {isLive ? 'Live' : loadedAt.value === '' ? 'Loading' : `As of ${loadedAt.value}`}
      </span>
      {/* If the server does not respond at all, the frame says so. */}
      {problem.value !== '' && isReachable.value && (
        <Notice kind="error">This view may be out of date. {problem.value}</Notice>
      )}
    </>
  );
}
