import { signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { announce, warn } from '../shared/announce.tsx';
import { Button } from '../shared/button.tsx';
import { controlState, index, server } from '../shared/control.ts';
import { download } from '../shared/copy.tsx';
import { FindField, Narrow, type Options } from '../shared/form.tsx';
import { ConfirmButton, Empty, Status, Tag } from '../shared/parts.tsx';
import { chooseSandbox, chosenSandbox, nameOfSandbox } from '../shared/sandboxes.ts';
import { liveState, refusal } from '../shared/store.ts';
import { type Column, Table } from '../shared/table.tsx';
import { linkTo, place, replaceQuery } from '../shared/url-state.ts';
import { plural } from '../shared/words.ts';
import { operations, useContract } from '../try/contract.ts';
import { ExchangeDetail, NotLogged } from './exchange-detail.tsx';
import { forcedBy, noFilter, selects } from './filter.ts';
import { toHar } from './har.ts';
import { sidesOf, type TrafficEntry } from './judgement.ts';
import { clearRequestLog, exchanges, followRequestLog, isLoaded, kept } from './request-log.ts';

const isPaused = signal(false);

/** The live request log: a list with a filter, and one exchange in full below it, by its number or its request id. */
export function TrafficView() {
  useSignalEffect(() => (isPaused.value ? undefined : followRequestLog()));
  useContract(server === 'mock');
  const selectedId = useComputed(() => {
    const { selected } = place.value;
    if (/^\d{1,15}$/.test(selected)) return Number(selected);
    return exchanges.value.find(({ requestId }) => requestId === selected)?.id;
  }).value;
  const found = useComputed(() => {
    const { query } = place.value;
    const sandbox = chosenSandbox.value?.id;
    return exchanges.value.filter(
      (entry) => (sandbox === undefined || entry.organizationId === sandbox) && selects(query, entry),
    );
  });
  return (
    <div class="view traffic">
      <Toolbar found={found.value} />
      <div class="panes stacked">
        <div class="list">
          {found.value.length === 0 ? (
            <NoExchanges />
          ) : (
            <HeldList found={found.value} selected={String(selectedId ?? '')} />
          )}
        </div>
        {selectedId !== undefined ? (
          <ExchangeDetail key={selectedId} id={selectedId} />
        ) : (
          place.value.selected !== '' && isLoaded.value && <NotLogged />
        )}
      </div>
    </div>
  );
}

const statuses: Options = [
  ['', 'Any status'],
  ['2xx', '2xx: success'],
  ['4xx', '4xx: refused'],
  ['5xx', '5xx: failed'],
  ['0', 'No response'],
];
const breakers: Options = [
  ['', 'Broken or not'],
  ['client', 'Broken by the client'],
  ['server', 'Broken by the server'],
  ['any', 'Broken'],
  ['none', 'Not broken'],
];

/** The filter, the state of the stream, and the actions on the whole request log. */
function Toolbar({ found }: { found: readonly TrafficEntry[] }) {
  const { status = '' } = place.value.query;
  const shownStatuses: Options = statuses.some(([value]) => value === status)
    ? statuses
    : [...statuses, [status, status]];
  const calls: Options = [['', 'Any operation'], ...operations.value.map(({ operationId: id }) => [id, id] as const)];
  return (
    <div class="toolbar">
      <FindField placeholder="Path, id or body" />
      <Narrow name="status" label="Status" options={shownStatuses} />
      {server === 'mock' ? (
        <Narrow name="operation" label="Operation" options={calls} />
      ) : (
        <Narrow name="broke" label="Broken by" options={breakers} />
      )}
      <Chip name="fault" />
      <Chip name="point" />
      <span class="muted">{countWords(found.length)}</span>
      <span class={`stream ${isPaused.value ? 'off' : liveState.value}`}>
        {isPaused.value ? 'Paused' : liveState.value === 'live' ? 'Live' : 'Connecting'}
      </span>
      <Button label="Pause" aria-pressed={isPaused.value} onClick={() => (isPaused.value = !isPaused.value)} />
      <ExportButton found={found} />
      <ClearButton />
    </div>
  );
}

/** A narrowing that came with a link, and the button that removes it. */
function Chip({ name }: { name: 'fault' | 'point' }) {
  const value = place.value.query[name];
  if (value === undefined) return null;
  return (
    <Button
      label={`${name === 'fault' ? 'fault' : 'open point'} ${value} ✕`}
      aria-label={`Remove ${name} ${value}`}
      onClick={() => replaceQuery({ [name]: '' })}
    />
  );
}

function ExportButton({ found }: { found: readonly TrafficEntry[] }) {
  const save = () => {
    const facts = { origin: location.origin, version: index.value?.version ?? '' };
    download(`agent-platform-${server}.har`, toHar(found, facts));
    announce(`Exported ${plural(found.length, 'exchange')}.`);
  };
  return <Button label="Export HAR" disabled={found.length === 0} onClick={save} />;
}

function ClearButton() {
  const sandbox = chosenSandbox.value;
  const whose = sandbox === undefined ? 'the request log' : `the request log of ${sandbox.name}`;
  return (
    <ConfirmButton
      label="Clear"
      confirm="Clear?"
      about={`Clears ${whose}. This cannot be undone.`}
      isDisabled={exchanges.value.length === 0}
      onConfirm={() => clearRequestLog(sandbox?.id).catch((error: Error) => warn(error.message))}
    />
  );
}

/** How many are shown, and the maximum that the server keeps. */
function countWords(found: number): string {
  const held = exchanges.value.length;
  const total = (exchanges.value[0]?.id ?? -1) + 1;
  const shown = found === held ? plural(held, 'exchange') : `${found} of ${plural(held, 'exchange')}`;
  return total > held && held >= kept.value
    ? `${shown}; the ${server} keeps the last ${kept.value} of ${total}`
    : shown;
}

const columns: readonly Column<TrafficEntry>[] = [
  { name: 'Request', cell: (entry) => <Target entry={entry} /> },
  { name: 'Status', cell: ({ answer }) => <Status status={answer.status} />, width: '70px', isKept: true },
  { name: 'ms', cell: ({ durationMs }) => durationMs.toFixed(1), width: '70px', isNumber: true },
  server === 'proxy'
    ? { name: 'Broken by', cell: (entry) => sidesOf(entry).join(', '), width: '120px', isKept: true }
    : { name: 'Sandbox', cell: ({ organizationId: id }) => id !== undefined && nameOfSandbox(id), width: '170px' },
  { name: 'Time (UTC)', cell: ({ time }) => time.slice(11, 23), width: '120px' },
];

function Target({ entry }: { entry: TrafficEntry }) {
  const { request, faults = [] } = entry;
  return (
    <>
      <span class={`method ${request.method}`}>{request.method}</span> <span class="mono">{request.url}</span>{' '}
      {faults.length > 0 && <Tag tone="warn">fault</Tag>}{' '}
      {forcedBy(entry) !== undefined && <Tag tone="warn">forced</Tag>}
    </>
  );
}

/** The list. While it is scrolled down, new exchanges wait, so that nothing moves under the reader. */
function HeldList({ found, selected }: { found: readonly TrafficEntry[]; selected: string }) {
  const newestShown = useSignal<number | undefined>(undefined);
  const heldId = newestShown.value ?? Infinity;
  const shown = found.filter(({ id }) => id <= heldId);
  const waiting = found.length - shown.length;
  const release = () => {
    newestShown.value = undefined;
    document.querySelector('.traffic .table')?.scrollTo({ top: 0 });
  };
  return (
    <>
      {waiting > 0 && <Button label={`${waiting} new`} class="new primary" onClick={release} />}
      <Table
        label="Exchanges, newest first"
        columns={columns}
        rows={shown.map((item) => ({ id: String(item.id), item, href: linkTo('traffic', String(item.id)) }))}
        selected={selected}
        onScroll={(isAtTop) => {
          newestShown.value = isAtTop ? undefined : (newestShown.value ?? shown[0]?.id);
        }}
      />
    </>
  );
}

/** Shown instead of the list: why it is empty, and what to do. */
function NoExchanges() {
  if (refusal.value !== '')
    return (
      <Empty title="There is no traffic to show">
        <p>{refusal.value}</p>
        <p>Start the {server} without --request-log-limit 0 to see each request here.</p>
      </Empty>
    );
  if (!isLoaded.value) return <p class="loading">Loading…</p>;
  const { length } = exchanges.value;
  const sandbox = chosenSandbox.value;
  const isFiltered = Object.keys(noFilter).some((name) => place.value.query[name]);
  if (length > 0)
    return (
      <Empty
        title={isFiltered ? `No match among ${plural(length, 'exchange')}` : `No requests of ${sandbox?.name ?? ''}`}
      >
        <div class="row">
          {isFiltered && <Button label="Clear the filter" onClick={() => replaceQuery(noFilter)} />}
          {sandbox && <Button label="Show all sandboxes" onClick={() => chooseSandbox('')} />}
        </div>
      </Empty>
    );
  const baseUrl = <code>{index.value?.baseUrl}</code>;
  return (
    <Empty title="No requests yet">
      <p>
        Each request to the {server} appears here immediately
        {server === 'mock' && ', until it is cleared or a reset removes it'}.
      </p>
      {server === 'mock' && controlState.value === 'ready' ? (
        <p>
          Send one in <a href={linkTo('try')}>Try</a>, or point your program at {baseUrl}.
        </p>
      ) : (
        <p>Point your program at {baseUrl}.</p>
      )}
    </Empty>
  );
}
