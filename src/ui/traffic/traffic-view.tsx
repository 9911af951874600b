import { signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { server } from '../shared/control.ts';
import { useShortcuts } from '../shared/keys.ts';
import { NeedsControl } from '../shared/needs-control.tsx';
import { chosenSandbox, nameOfSandbox } from '../shared/sandboxes.ts';
import { goTo, place } from '../shared/url-state.ts';
import { ExchangeDetail } from './exchange-detail.tsx';
import { ExchangeList } from './exchange-list.tsx';
import { parseFilter, selects } from './filter.ts';
import type { TrafficEntry } from './judgement.ts';
import { NoExchanges } from './no-exchanges.tsx';
import { exchanges, followRequestLog } from './request-log.ts';
import { Toolbar } from './toolbar.tsx';

/** The live request log: a list with a filter, and one exchange in full. */
export function TrafficView() {
  return (
    <NeedsControl what="Traffic">
      <Traffic />
    </NeedsControl>
  );
}

const isPaused = signal(false);

function Traffic() {
  useSignalEffect(() => (isPaused.value ? undefined : followRequestLog()));
  useShortcuts([{ keys: 'Escape', does: 'Close the exchange', run: () => goTo('traffic') }]);
  const { selected, query } = place.value;
  const selectedId = /^\d{1,15}$/.test(selected) ? Number(selected) : undefined;
  const filter = useComputed(() => parseFilter(place.value.query.filter ?? '', server));
  const found = useComputed(() =>
    exchanges.value.filter((entry) => isInSandbox(entry) && selects(filter.value, entry, nameOfSandbox)),
  );
  return (
    <div class={selectedId === undefined ? 'traffic' : 'traffic has-detail'}>
      <Toolbar
        filter={query.filter ?? ''}
        errors={filter.value.errors}
        found={found.value}
        isPaused={isPaused.value}
        onPause={(isNow) => {
          isPaused.value = isNow;
        }}
      />
      <div class="panes">
        {found.value.length === 0 ? <NoExchanges /> : <HeldList found={found.value} selectedId={selectedId} />}
        {selectedId !== undefined && <ExchangeDetail key={selectedId} id={selectedId} />}
      </div>
    </div>
  );
}

function isInSandbox({ organizationId }: TrafficEntry): boolean {
  return chosenSandbox.value === undefined || organizationId === chosenSandbox.value.id;
}

/** The list. While it is scrolled down, new exchanges wait, so that nothing moves under the reader. */
function HeldList({ found, selectedId }: { found: readonly TrafficEntry[]; selectedId: number | undefined }) {
  const newestShown = useSignal<number | undefined>(undefined);
  const heldId = newestShown.value ?? Infinity;
  const shown = found.filter(({ id }) => id <= heldId);
  const waiting = found.length - shown.length;
  const release = () => {
    newestShown.value = undefined;
    document.querySelector('.exchanges')?.scrollTo({ top: 0 });
  };
  return (
    <div class="list">
      {waiting > 0 && (
        <button type="button" class="new primary" onClick={release}>
          {waiting} new
        </button>
      )}
      <ExchangeList
        entries={shown}
        selectedId={selectedId}
        onScroll={(isAtTop) => {
          newestShown.value = isAtTop ? undefined : (newestShown.value ?? shown[0]?.id);
        }}
      />
    </div>
  );
}
