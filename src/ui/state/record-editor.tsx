import { type Signal, signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useAction } from '../shared/action.tsx';
import { Button } from '../shared/button.tsx';
import { Check, type Options, Select, TextField } from '../shared/form.tsx';
import type { Fields } from '../shared/json.ts';
import { Notice } from '../shared/parts.tsx';
import { changesOf, type Draft, partOf, type RecordField, type Texts, textOf, turned, whole } from './record-change.ts';
import { selectedPlace, shownSandbox } from './records.ts';

interface EditorProps {
  fields: readonly RecordField[];
  /** The record as it is, or what a new one begins with. Fields that nobody changes follow it. */
  value: Fields;
  action: string;
  /** Whether all fields are sent: those that are filled in, not only those that differ. */
  isNew?: boolean;
  /** Sends the fields; null removes one. Its error is shown. */
  onSave(changed: Fields): Promise<unknown>;
}

const noDraft: Draft = { edits: {}, began: {} };

/** By the place of the record: what is typed stays while something else is shown. */
const drafts = new Map<string, Signal<Draft>>();

function draftAt(at: string): Signal<Draft> {
  const draft = drafts.get(at) ?? signal(noDraft);
  drafts.set(at, draft);
  return draft;
}

/** The one editor of every record: a field for each of its fields, or all of them as JSON. */
export function RecordEditor({ fields, value, action, isNew = false, onSave }: EditorProps) {
  const own = useSignal(noDraft);
  const draft = isNew ? own : draftAt(`${shownSandbox.value?.id}${selectedPlace.value}`);
  const { edits, began } = draft.value;
  const { run, Problem } = useAction();
  const isSaving = useSignal(false);
  const isJson = edits[whole] !== undefined;
  const now = (name: string) => textOf(name === whole ? partOf(fields, value) : value[name]);
  const edit = (name: string, text: string) => {
    const { edits, began } = draft.value;
    draft.value = { edits: { ...edits, [name]: text }, began: { [name]: now(name), ...began } };
  };
  const turn = () => {
    // Drawn again also if it fails: the box must not show what is not the case.
    draft.value = { edits, began };
    draft.value = turned(fields, value, { edits, began }, isNew);
  };
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    isSaving.value = true;
    await run(async () => {
      await onSave(changesOf(fields, value, edits, isNew));
      // What was typed meanwhile stays.
      const isTyped = ([name]: [string, string]) => draft.value.edits[name] !== edits[name];
      const rest = (texts: Texts) => Object.fromEntries(Object.entries(texts).filter(isTyped));
      draft.value = { edits: rest(draft.value.edits), began: rest(draft.value.began) };
    });
    isSaving.value = false;
  };
  const isUnchanged = Object.keys(edits).length === 0;
  const overtaken = isSaving.value ? [] : Object.keys(edits).filter((name) => now(name) !== began[name]);
  return (
    <form class="record" noValidate onSubmit={(event) => void save(event)}>
      <Check label="As JSON" value={isJson} onChange={() => void run(turn)} />
      {isJson ? (
        <TextField label="Record as JSON" rows={16} value={edits[whole] ?? ''} onChange={(text) => edit(whole, text)} />
      ) : (
        fields.map((field) => (
          <Input
            key={field.name}
            field={field}
            text={edits[field.name] ?? textOf(value[field.name])}
            onChange={(text) => edit(field.name, text)}
          />
        ))
      )}
      <div class="row">
        <Button label={action} type="submit" class="primary" disabled={isSaving.value || (isUnchanged && !isNew)} />
        <Button label="Discard" disabled={isUnchanged} onClick={() => void run(() => (draft.value = noDraft))} />
      </div>
      {/* Below the buttons, so that messages do not move the buttons under the pointer. */}
      <Problem />
      {overtaken.length > 0 && !isNew && (
        <Notice kind="error">
          {overtaken.includes(whole) ? 'The record' : overtaken.join(', ')} changed meanwhile. {action} overwrites that;
          Discard shows it.
        </Notice>
      )}
    </form>
  );
}

interface InputProps {
  field: RecordField;
  text: string;
  onChange(text: string): void;
}

function Input({ field: { name, kind, isRequired = false, takesNull = false }, text, onChange }: InputProps) {
  const label = <code>{name}</code>;
  // One line would lose line breaks. It never shrinks to one: the focus would be lost.
  const isLong = useRef(kind === 'json' || name === 'description' || name === 'summary');
  isLong.current ||= /[\r\n]/.test(text);
  if (typeof kind !== 'string') {
    const none: Options = text === '' || !isRequired ? [['', '']] : [];
    return (
      <Select
        label={label}
        value={text}
        options={[...none, ...kind.map((each) => [each, each] as const)]}
        onChange={onChange}
      />
    );
  }
  const common = { label, value: text, onChange, placeholder: takesNull ? 'none' : undefined };
  const rows = Math.min(12, text.split('\n').length + 1);
  if (isLong.current) return <TextField {...common} rows={rows} isProse={kind !== 'json'} />;
  return <TextField {...common} isNumber={kind === 'number'} />;
}
