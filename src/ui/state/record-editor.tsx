import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type JsonError, jsonErrorWords, parseJson } from '../shared/json-error.ts';

interface EditorProps {
  label: string;
  /** The value to edit. Newer data do not replace typed text. */
  value: unknown;
  /** The button's text. */
  action: string;
  /** Whether it can be saved unchanged, since it is a new record. */
  isNew?: boolean;
  /** Saves the typed value; `base` is the value when typing began. Its errors are shown. */
  onSave(value: unknown, base: unknown): Promise<unknown>;
}

const write = (value: unknown) => JSON.stringify(value, null, 2);

/** A record as JSON in a text area, so that the browser's own undo works while typing. */
export function RecordEditor({ label, value, action, isNew = false, onSave }: EditorProps) {
  const { area, text, base, error, isSaving, isOutdated, take, check, save } = useEditor(value, onSave);
  const isUnchanged = text.value === base;
  const id = useId();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <form class="record" noValidate onSubmit={submit}>
      <label for={id}>{label}</label>
      <JsonArea id={id} area={area} text={text} isWrong={error.value !== ''} onBlur={check} />
      <div class="row">
        <button type="submit" class="primary" disabled={isSaving.value || (isUnchanged && !isNew)}>
          {action}
        </button>
        <button type="button" disabled={isUnchanged} onClick={take}>
          Discard
        </button>
      </div>
      {/* Below the buttons, so that messages do not move the buttons under the pointer. */}
      <p class="wrong" id={`${id}-error`} role="alert">
        {error.value}
      </p>
      {isOutdated && !isUnchanged && (
        <p class="notice">
          The record has changed since you began. Save changes only the fields that you changed; Discard shows the new
          record.
        </p>
      )}
    </form>
  );
}

interface AreaProps {
  id: string;
  area: { current: HTMLTextAreaElement | null };
  text: Signal<string>;
  isWrong: boolean;
  onBlur(): void;
}

function JsonArea({ id, area, text, isWrong, onBlur }: AreaProps) {
  return (
    <textarea
      ref={area}
      id={id}
      rows={Math.min(24, Math.max(6, text.value.split('\n').length + 1))}
      spellcheck={false}
      autocomplete="off"
      value={text.value}
      aria-invalid={isWrong}
      aria-describedby={`${id}-error`}
      onInput={({ currentTarget }) => {
        text.value = currentTarget.value;
      }}
      onBlur={onBlur}
    />
  );
}

/** The typed text, what it is compared with, and its error. */
function useEditor(value: unknown, onSave: EditorProps['onSave']) {
  const area = useRef<HTMLTextAreaElement>(null);
  const newest = write(value);
  const base = useSignal(newest);
  const text = useSignal(newest);
  const error = useSignal('');
  const isSaving = useSignal(false);
  const take = () => {
    base.value = newest;
    text.value = newest;
    error.value = '';
  };
  // Nothing was typed, so newer data replace the text.
  useEffect(() => {
    if (text.value === base.value && base.value !== newest) take();
  });
  const check = () => {
    const parsed = parseJson(text.value);
    error.value = 'error' in parsed ? jsonErrorWords(parsed.error) : '';
    return parsed;
  };
  const save = async () => {
    const parsed = check();
    if ('error' in parsed) return showError(area.current, parsed.error);
    isSaving.value = true;
    error.value = await problemOf(onSave(parsed.value, JSON.parse(base.value)));
    isSaving.value = false;
    // The saved value comes back as newer data.
    if (error.value === '') text.value = base.value;
  };
  return { area, text, base: base.value, error, isSaving, isOutdated: base.value !== newest, take, check, save };
}

function problemOf(saving: Promise<unknown>): Promise<string> {
  return saving.then(
    () => '',
    (problem: Error) => problem.message,
  );
}

function showError(area: HTMLTextAreaElement | null, { line, column }: JsonError): void {
  if (area === null) return;
  const lines = area.value.split('\n').slice(0, line - 1);
  const at = lines.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  area.focus();
  area.setSelectionRange(at, at + 1);
}
