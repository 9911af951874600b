import { firstSentences, Prose } from '../shared/prose.tsx';
import { sandboxData } from '../shared/sandbox-data.ts';
import { caller } from './caller.ts';
import { isText } from './check-field.ts';
import type { Field } from './fields.ts';
import { type FormState, fill } from './form-state.ts';
import { suggestionsFor } from './suggestions.ts';

interface FieldProps {
  field: Field;
  form: FormState;
  error: string | undefined;
}

/** One field with its label, description, allowed values and error. */
export function FieldInput({ field, form, error }: FieldProps) {
  const { key, name, place, isRequired, description } = field;
  const id = `field-${key}`;
  return (
    <div class="field">
      <p>
        <label class="mono" for={id}>
          {name}
        </label>{' '}
        <small id={`${id}-place`}>
          {isRequired ? 'required' : 'optional'}, {placeWords[place]}
        </small>
      </p>
      <Input field={field} form={form} error={error} id={id} />
      {error !== undefined && (
        <p class="wrong" id={`${id}-error`}>
          {name} {error}
        </p>
      )}
      {description !== '' && (
        <p class="muted" id={`${id}-about`}>
          <Prose text={firstSentences(description)} />
        </p>
      )}
    </div>
  );
}

const placeWords = { path: 'in the path', query: 'in the query', header: 'a header', body: 'in the body' } as const;

function Input({ field, form, error, id }: FieldProps & { id: string }) {
  const { key, name, schema, isRequired } = field;
  const value = form.values.value[key] ?? '';
  const change = ({ currentTarget }: { currentTarget: { value: string } }) =>
    fill(form, { [key]: currentTarget.value });
  const common = {
    ...{ id, value, 'aria-required': isRequired, 'aria-invalid': error !== undefined },
    'aria-describedby': `${id}-error ${id}-place ${id}-about`,
  };
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    return (
      <select {...common} onChange={change}>
        <option value="">not sent</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  if (!isText(schema) && (schema.type === 'object' || schema.type === 'array'))
    return <textarea {...common} rows={4} spellcheck={false} onInput={change} />;
  return (
    <>
      <input {...common} list={`${id}-list`} autocomplete="off" spellcheck={false} onInput={change} />
      <Suggestions id={`${id}-list`} name={name} form={form} />
    </>
  );
}

function Suggestions({ id, name, form }: { id: string; name: string; form: FormState }) {
  const suggestions = suggestionsFor(name, sandboxData.value.get(caller.value), form.values.value);
  return (
    <datalist id={id}>
      {suggestions.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </datalist>
  );
}

function choicesOf({ type, enum: values }: Field['schema']): string[] | undefined {
  if (values !== undefined) return values.map(String);
  return type === 'boolean' ? ['true', 'false'] : undefined;
}
