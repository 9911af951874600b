import { useSignal } from '@preact/signals';
import { useAction } from '../shared/action.tsx';
import { Check, type Options, Select, TextField } from '../shared/form.tsx';
import { Notice } from '../shared/parts.tsx';
import { changesOf, partOf, type RecordField, textOf, type Values, whole } from './record-change.ts';

interface EditorProps {
  fields: readonly RecordField[];
  /** The record as it is, or what a new one begins with. Fields that nobody changes follow it. */
  value: Values;
  /** The button's text. */
  action: string;
  /** Whether all fields are sent: those that are filled in, not only those that differ. */
  isNew?: boolean;
  /** Sends the fields; null removes one. Its error is shown. */
  onSave(changed: Values): Promise<unknown>;
}

/** The one editor of every record: a field for each of its fields, or all of them as JSON. */
export function RecordEditor({ fields, value, action, isNew = false, onSave }: EditorProps) {
  const edits = useSignal<Readonly<Record<string, string>>>({});
  /** What the edited fields were when their editing began. */
  const began = useSignal<Readonly<Record<string, string>>>({});
  const { run, Problem } = useAction();
  const isSaving = useSignal(false);
  const isJson = edits.value[whole] !== undefined;
  const now = (name: string) => textOf(name === whole ? partOf(fields, value) : value[name]);
  const edit = (name: string, text: string) => {
    if (edits.value[name] === undefined) began.value = { ...began.value, [name]: now(name) };
    edits.value = { ...edits.value, [name]: text };
  };
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    isSaving.value = true;
    const sent = edits.value;
    await run(async () => {
      await onSave(changesOf(fields, value, sent, isNew));
      // What was typed meanwhile stays.
      edits.value = Object.fromEntries(Object.entries(edits.value).filter(([name, text]) => text !== sent[name]));
    });
    isSaving.value = false;
  };
  const isUnchanged = Object.keys(edits.value).length === 0;
  const overtaken = isSaving.value ? [] : Object.keys(edits.value).filter((name) => now(name) !== began.value[name]);
  return (
    <form class="record" noValidate onSubmit={(event) => void save(event)}>
      <Check
        label="As JSON"
        isChecked={isJson}
        onChange={(isNow) => {
          edits.value = {};
          if (isNow) edit(whole, now(whole));
        }}
      />
      {isJson ? (
        <TextField
          label="Record as JSON"
          rows={16}
          value={edits.value[whole] ?? ''}
          onInput={(text) => edit(whole, text)}
        />
      ) : (
        fields.map((field) => (
          <Input
            key={field.name}
            field={field}
            text={edits.value[field.name] ?? textOf(value[field.name])}
            onInput={(text) => edit(field.name, text)}
          />
        ))
      )}
      <div class="row">
        <button type="submit" class="primary" disabled={isSaving.value || (isUnchanged && !isNew)}>
          {action}
        </button>
        <button type="button" disabled={isUnchanged} onClick={() => (edits.value = {})}>
          Discard
        </button>
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
  onInput(text: string): void;
}

function Input({ field: { name, kind, isRequired = false, takesNull = false }, text, onInput }: InputProps) {
  const label = <code>{name}</code>;
  if (typeof kind !== 'string') {
    const none: Options = text === '' || !isRequired ? [['', '']] : [];
    return (
      <Select
        label={label}
        value={text}
        options={[...none, ...kind.map((each) => [each, each] as const)]}
        onChange={onInput}
      />
    );
  }
  const placeholder = takesNull ? 'none' : undefined;
  const common = { label, value: text, onInput, ...(placeholder !== undefined && { placeholder }) };
  if (kind === 'json') return <TextField {...common} rows={Math.min(12, text.split('\n').length + 1)} />;
  return <TextField {...common} isNumber={kind === 'number'} />;
}
