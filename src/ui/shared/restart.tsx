import { signal } from '@preact/signals';
import { Button } from './button.tsx';
import { index, loadIndex, server } from './control.ts';
import { Notice } from './parts.tsx';
import { liveState } from './store.ts';
import { forgetUndo } from './undo.tsx';

/** Whether the mock was started again since this page was loaded, without its state. */
const lostState = signal(false);

/** Notices whether the mock was started again while the stream of events was cut, until the returned function is called. */
export function watchRestarts(): () => void {
  return liveState.subscribe((state) => {
    if (server === 'mock' && state === 'live') void compareRuns();
  });
}

let known = '';

async function compareRuns(): Promise<void> {
  known ||= index.peek()?.startedAt ?? '';
  await loadIndex();
  const { startedAt = '', keepsState } = index.peek() ?? {};
  // The stream may be open before the index was read for the first time.
  const isAnother = known !== '' && startedAt !== known;
  known = startedAt;
  if (!isAnother) return;
  forgetUndo();
  lostState.value = keepsState !== true;
}

/** Says once what a restart took away. */
export function RestartNote() {
  if (!lostState.value) return null;
  return (
    <Notice kind="note">
      The mock was restarted. Earlier changes are lost: it has its initial data and choices again, and its faults and
      requests were removed. With --state it keeps its data.{' '}
      <Button label="Close" onClick={() => (lostState.value = false)} />
    </Notice>
  );
}
