import { useRef } from 'preact/hooks';
import type { RequestLogEntry } from '../../workbench/request-log.ts';
import { announce } from '../shared/announce.tsx';
import { index, server } from '../shared/control.ts';
import { download } from '../shared/copy.tsx';
import { useShortcuts } from '../shared/keys.ts';
import { ConfirmButton } from '../shared/parts.tsx';
import { chosenSandbox } from '../shared/sandboxes.ts';
import { replaceQuery } from '../shared/url-state.ts';
import { filterKinds } from './filter.ts';
import { toHar } from './har.ts';
import { clearRequestLog, exchanges, kept, liveState } from './request-log.ts';

interface ToolbarProps {
  filter: string;
  errors: readonly string[];
  found: readonly RequestLogEntry[];
  isPaused: boolean;
  onPause(isPaused: boolean): void;
}

const liveWords = {
  ...{ off: 'Off', connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting', hidden: 'Waiting' },
} as const;

/** The filter, the state of the stream, and the actions on the whole request log. */
export function Toolbar({ filter, errors, found, isPaused, onPause }: ToolbarProps) {
  return (
    <div class="toolbar">
      <div class="row">
        <FilterField filter={filter} errors={errors} />
        <span class={`stream ${isPaused ? 'paused' : liveState.value}`}>
          {isPaused ? 'Paused' : liveWords[liveState.value]}
        </span>
        <button type="button" aria-pressed={isPaused} onClick={() => onPause(!isPaused)}>
          Pause
        </button>
        <ExportButton found={found} />
        <ClearButton />
      </div>
      <Errors errors={errors} />
      <div class="row">
        <span class="muted">{countWords(found.length)}</span>
        <FilterHelp />
      </div>
    </div>
  );
}

function FilterField({ filter, errors }: { filter: string; errors: readonly string[] }) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', does: 'Filter', run: () => field.current?.focus() }]);
  return (
    <label class="filter">
      Filter
      <input
        ref={field}
        type="search"
        value={filter}
        placeholder="status:4xx path:/drives"
        aria-invalid={errors.length > 0}
        aria-describedby="filter-errors"
        spellcheck={false}
        onInput={({ currentTarget }) => replaceQuery({ filter: currentTarget.value })}
      />
    </label>
  );
}

function Errors({ errors }: { errors: readonly string[] }) {
  return (
    <div id="filter-errors" class={errors.length === 0 ? '' : 'notice'}>
      {errors.map((error) => (
        <p key={error}>{error}</p>
      ))}
    </div>
  );
}

function FilterHelp() {
  return (
    <details class="filter-help">
      <summary>How to filter</summary>
      <p>All words must match, except those after a -, which must not. Words without a name match anywhere.</p>
      <ul>
        {Object.values(filterKinds)
          .filter(({ onlyIn }) => onlyIn === undefined || onlyIn === server)
          .map(({ help }) => (
            <li key={help}>
              <code>{help}</code>
            </li>
          ))}
      </ul>
    </details>
  );
}

/** Saves the exchanges that match the filter and the sandbox. */
function ExportButton({ found }: { found: readonly RequestLogEntry[] }) {
  const save = () => {
    const facts = { origin: location.origin, version: index.value?.version ?? '' };
    download('agent-platform-mock.har', toHar(found, facts));
    announce(`Exported ${found.length === 1 ? '1 exchange' : `${found.length} exchanges`}.`);
  };
  return (
    <button type="button" disabled={found.length === 0} onClick={save}>
      Export HAR
    </button>
  );
}

function ClearButton() {
  const sandbox = chosenSandbox.value;
  const whose = sandbox === undefined ? 'the request log' : `the request log of ${sandbox.name}`;
  return (
    <ConfirmButton
      label="Clear"
      confirm={`Clear ${whose}? This cannot be undone.`}
      isDisabled={exchanges.value.length === 0}
      onConfirm={() =>
        clearRequestLog(sandbox?.id).then(
          () => announce(`Cleared ${whose}.`),
          (error: Error) => announce(error.message),
        )
      }
    />
  );
}

/** How many are shown, and the maximum that the mock keeps. */
function countWords(found: number): string {
  const held = exchanges.value.length;
  const total = (exchanges.value[0]?.id ?? -1) + 1;
  const shown = found === held ? `${held} ${held === 1 ? 'exchange' : 'exchanges'}` : `${found} of ${held} exchanges`;
  return total > held && held >= kept.value
    ? `${shown}; the ${server} keeps the last ${kept.value} of ${total}`
    : shown;
}
