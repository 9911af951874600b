import { useSignal } from '@preact/signals';
import { placeOf } from '../shared/state-parts.ts';
import { changeRecord, run, saveRecord } from './actions.ts';
import { DeleteButton, Detail } from './detail.tsx';
import { RecordEditor } from './record-editor.tsx';
import { type FileRecord, type FileStatus, fileStatuses } from './record-types.ts';
import { timeWords } from './tree.ts';

/** One file: its current and next status, and its record. */
export function FileDetail({ driveId, file }: { driveId: string; file: FileRecord }) {
  // The next status is shown with a time but sent with a delay, so it has separate fields.
  const { becomes: _, ...record } = file;
  const path = placeOf('drives', driveId, 'files', file.id);
  return (
    <Detail title={file.path} kind="File" id={file.id}>
      <StatusFields file={file} path={path} />
      <div class="row">
        <DeleteButton
          what={`the file ${file.path}`}
          confirm={`Delete ${file.path}?`}
          path={path}
          next={placeOf('drives', driveId).slice(1)}
        />
      </div>
      <RecordEditor
        label="Record as JSON"
        value={record}
        action="Save"
        onSave={(value, base) => saveRecord(`Change the file ${file.path}`, path, base, value)}
      />
    </Detail>
  );
}

function StatusFields({ file, path }: { file: FileRecord; path: string }) {
  const change = (what: string, body: unknown) =>
    run(() => changeRecord({ what: `${what} of ${file.path}`, method: 'PATCH', path, body }));
  return (
    <div class="row status-fields">
      <StatusSelect
        label="Status"
        value={file.status}
        onChange={(status) => void change(`Set the status ${status}`, { status, becomes: null })}
      />
      {file.becomes === undefined ? (
        <LaterFields onPlan={(becomes) => void change(`Schedule status ${becomes.status}`, { becomes })} />
      ) : (
        <>
          <span>
            becomes {file.becomes.status} at {timeWords(file.becomes.at)}
          </span>
          <button type="button" onClick={() => change('Cancel the scheduled status', { becomes: null })}>
            Cancel
          </button>
        </>
      )}
    </div>
  );
}

interface SelectProps {
  label: string;
  value: FileStatus;
  onChange(status: FileStatus): void;
}

function StatusSelect({ label, value, onChange }: SelectProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as FileStatus)}>
        {fileStatuses.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </select>
    </label>
  );
}

/** The status that a file changes to by itself after some seconds. */
function LaterFields({ onPlan }: { onPlan(becomes: { status: FileStatus; afterMs: number }): void }) {
  const status = useSignal<FileStatus>('error');
  const seconds = useSignal('10');
  const isValid = /^\d{1,9}(?:\.\d{1,3})?$/.test(seconds.value);
  return (
    <div class="row">
      <StatusSelect
        label="Later"
        value={status.value}
        onChange={(next) => {
          status.value = next;
        }}
      />
      <label>
        after seconds
        <input
          class="seconds"
          inputMode="decimal"
          value={seconds.value}
          aria-invalid={!isValid}
          onInput={({ currentTarget }) => {
            seconds.value = currentTarget.value;
          }}
        />
      </label>
      <button
        type="button"
        disabled={!isValid}
        onClick={() => onPlan({ status: status.value, afterMs: Math.round(Number(seconds.value) * 1_000) })}
      >
        Plan
      </button>
    </div>
  );
}
