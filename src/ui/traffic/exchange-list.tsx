import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { server } from '../shared/control.ts';
import { useShortcuts } from '../shared/keys.ts';
import { observeHeight } from '../shared/observe-height.ts';
import { Status } from '../shared/parts.tsx';
import { nameOfSandbox } from '../shared/sandboxes.ts';
import { linkTo } from '../shared/url-state.ts';
import { forcedBy } from './forced.ts';
import { sidesOf, type TrafficEntry } from './judgement.ts';
import { createWindow, rowHeight } from './row-window.ts';

interface ListProps {
  entries: readonly TrafficEntry[];
  selectedId: number | undefined;
  /** Called on scrolling: whether the newest exchange is visible. */
  onScroll(isAtTop: boolean): void;
}

/** A table that contains only visible rows. Keys move between rows, Enter opens one. */
export function ExchangeList({ entries, selectedId, onScroll }: ListProps) {
  const { scroller, first, last, focusId, step, follow } = useRows(entries, selectedId);
  const shown = entries.slice(first, last);
  const reachable = shown.some(({ id }) => id === focusId) ? focusId : shown[0]?.id;
  const scrolled = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    follow();
    onScroll(currentTarget.scrollTop < rowHeight);
  };
  return (
    <div class="exchanges" ref={scroller} onScroll={scrolled}>
      <table aria-label="Exchanges, newest first" aria-rowcount={entries.length + 1}>
        <Head />
        <tbody>
          <Gap rows={first} />
          {shown.map((entry, index) => (
            <Row
              key={entry.id}
              entry={entry}
              rowIndex={first + index + 2}
              isSelected={entry.id === selectedId}
              isReachable={entry.id === reachable}
              onStep={step}
            />
          ))}
          <Gap rows={entries.length - last} />
        </tbody>
      </table>
    </div>
  );
}

/** Which rows are visible, and which one has the focus. */
function useRows(entries: readonly TrafficEntry[], selectedId: number | undefined) {
  const scroller = useRef<HTMLDivElement>(null);
  const scrollTop = useSignal(0);
  const height = useSignal(600);
  const focusId = useSignal<number | undefined>(undefined);
  const follow = () => {
    scrollTop.value = scroller.current?.scrollTop ?? 0;
  };
  const step = (by: number) => {
    const from = entries.findIndex(({ id }) => id === (focusId.value ?? selectedId));
    const index = Math.max(0, Math.min(from + by, entries.length - 1));
    showRow(scroller.current, index);
    follow();
    focusId.value = entries[index]?.id;
  };
  useEffect(() => observeHeight(scroller.current, (pixels) => (height.value = pixels)), []);
  useShortcuts(moves(step), [entries, selectedId]);
  useEffect(() => {
    const row = scroller.current?.querySelector<HTMLElement>(`a[data-id="${focusId.value}"]`);
    if (focusId.value !== undefined) row?.focus({ preventScroll: true });
  }, [focusId.value]);
  return {
    ...{ scroller, step, follow, focusId: focusId.value },
    ...createWindow(entries.length, scrollTop.value, height.value),
  };
}

function moves(step: (by: number) => void) {
  return [
    { keys: 'j', does: 'Next exchange', run: () => step(1) },
    { keys: 'k', does: 'Previous exchange', run: () => step(-1) },
  ];
}

// The table head covers the first visible row.
function showRow(scroller: HTMLElement | null, index: number): void {
  if (scroller === null) return;
  const top = index * rowHeight;
  const lowest = top + 2 * rowHeight - scroller.clientHeight;
  if (scroller.scrollTop > top) scroller.scrollTop = top;
  else if (scroller.scrollTop < lowest) scroller.scrollTop = lowest;
}

function Head() {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th class="time">Time</th>
        <th class="method">Method</th>
        <th>Path</th>
        <th class="code">Status</th>
        <th class="ms">ms</th>
        <th class="sandbox">{server === 'proxy' ? 'Broken by' : 'Sandbox'}</th>
      </tr>
    </thead>
  );
}

function Gap({ rows }: { rows: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without cells and links takes no focus
  return rows <= 0 ? null : <tr aria-hidden="true" class="gap" style={{ height: `${rows * rowHeight}px` }} />;
}

interface RowProps {
  entry: TrafficEntry;
  rowIndex: number;
  isSelected: boolean;
  isReachable: boolean;
  onStep(by: number): void;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

function Row({ entry, rowIndex, isSelected, isReachable, onStep }: RowProps) {
  const { time, request, answer, durationMs, organizationId } = entry;
  return (
    <tr aria-rowindex={rowIndex} class={isSelected ? 'selected' : undefined}>
      <td class="time">{time.slice(11, 23)}</td>
      <td class="method">{request.method}</td>
      <td>
        <Target entry={entry} isSelected={isSelected} isReachable={isReachable} onStep={onStep} />
      </td>
      <td class="code">
        <Status status={answer.status} />
      </td>
      <td class="ms">{durationMs.toFixed(1)}</td>
      <td class="sandbox">
        {server === 'proxy' ? sidesOf(entry).join(', ') : organizationId !== undefined && nameOfSandbox(organizationId)}
      </td>
    </tr>
  );
}

/** What was called, as a link to the exchange, with its marks. */
function Target({ entry, isSelected, isReachable, onStep }: Omit<RowProps, 'rowIndex'>) {
  const onKeyDown = (event: KeyboardEvent) => {
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onStep(by);
  };
  return (
    <div class="target">
      <a
        href={linkTo('traffic', String(entry.id))}
        data-id={entry.id}
        tabIndex={isReachable ? 0 : -1}
        aria-current={isSelected ? 'true' : undefined}
        onKeyDown={onKeyDown}
      >
        {entry.request.url}
      </a>
      <Marks entry={entry} />
    </div>
  );
}

function Marks({ entry }: { entry: TrafficEntry }) {
  const { faults = [] } = entry;
  return (
    <>
      {sidesOf(entry).map((side) => (
        <span class="mark side" key={side}>
          {side}
        </span>
      ))}
      {faults.length > 0 && <span class="mark">fault</span>}
      {forcedBy(entry) !== undefined && <span class="mark">forced</span>}
    </>
  );
}
