import type { Signal } from '@preact/signals';
import type { ComponentChildren, ComponentProps } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { useShortcuts } from './keys.ts';
import { place, replaceQuery } from './url-state.ts';

// The fields of all forms. Each has a label; what is wrong with it is read aloud with it.

interface FieldProps {
  label: ComponentChildren;
  error?: string | undefined;
  /** What it means, beside or below it. */
  about?: ComponentChildren;
  id?: string;
  children(props: { id: string; 'aria-invalid': boolean; 'aria-describedby': string }): ComponentChildren;
}

/** A field with its label, its error and what it means. */
export function Field({ label, error, about, id = useId(), children }: FieldProps) {
  const described = [error !== undefined && `${id}-error`, about !== undefined && `${id}-about`].filter(Boolean);
  const attributes = { id, 'aria-invalid': error !== undefined, 'aria-describedby': described.join(' ') };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(attributes)}
      {error !== undefined && (
        <p class="wrong" id={`${id}-error`}>
          {error}
        </p>
      )}
      {about !== undefined && (
        <div class="about" id={`${id}-about`}>
          {about}
        </div>
      )}
    </div>
  );
}

interface TextProps extends Omit<FieldProps, 'children'> {
  value: string;
  onChange(value: string): void;
  placeholder?: string | undefined;
  isNumber?: boolean;
  rows?: number;
  /** Whether several lines are prose, and not JSON. */
  isProse?: boolean;
  suggestions?: Options;
}

/** A line of text, or several if `rows` is given. */
export function TextField(props: TextProps) {
  const { value, onChange, placeholder, isNumber, rows, isProse = false, suggestions = [], ...field } = props;
  const common = {
    ...{ value, placeholder, autocomplete: 'off', spellcheck: false },
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  return (
    <Field {...field}>
      {(attributes) =>
        rows === undefined ? (
          <>
            <input
              {...attributes}
              {...common}
              inputMode={isNumber ? 'decimal' : 'text'}
              class={isNumber ? 'number' : undefined}
              list={suggestions.length === 0 ? undefined : `${attributes.id}-list`}
            />
            {suggestions.length > 0 && (
              <datalist id={`${attributes.id}-list`}>
                <OptionsOf all={suggestions} />
              </datalist>
            )}
          </>
        ) : (
          <textarea {...attributes} {...common} class={isProse ? 'prose' : undefined} rows={rows} />
        )
      }
    </Field>
  );
}

/** Values with their words. */
export type Options = readonly (readonly [value: string, words: string])[];

interface ChoiceProps extends Omit<ComponentProps<'select'>, 'onChange' | 'label' | 'role' | 'size' | 'multiple'> {
  value: string;
  options: Options;
  onChange(value: string): void;
}

function Choice({ options, onChange, ...attributes }: ChoiceProps) {
  return (
    <select {...attributes} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <OptionsOf all={options} />
    </select>
  );
}

type SelectProps = Omit<FieldProps, 'children'> & Pick<ChoiceProps, 'value' | 'options' | 'onChange'>;

export function Select({ value, options, onChange, ...field }: SelectProps) {
  return <Field {...field}>{(attributes) => <Choice {...attributes} {...{ value, options, onChange }} />}</Field>;
}

/** A choice without a visible label: its options say what it is. */
export function BareSelect({ label, ...choice }: ChoiceProps & { label: string }) {
  return <Choice aria-label={label} title={label} {...choice} />;
}

/** A choice that narrows a list, kept in the address. The first option is the empty one. */
export function Narrow({ name, label, options }: { name: string; label: string; options: Options }) {
  const value = place.value.query[name] ?? '';
  return <BareSelect {...{ label, value, options }} onChange={(next) => replaceQuery({ [name]: next })} />;
}

export function OptionsOf({ all }: { all: Options }) {
  return (
    <>
      {all.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </>
  );
}

interface CheckProps {
  label: ComponentChildren;
  value: boolean;
  onChange(isChecked: boolean): void;
  /** The name of the group, of which only one is chosen. */
  group?: string;
}

export function Check({ label, value, onChange, group }: CheckProps) {
  return (
    <label class="check">
      <input
        type={group === undefined ? 'checkbox' : 'radio'}
        name={group}
        checked={value}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

/** The value of a signal for a field, which sets it. */
export function bound<T>(of: Signal<T>) {
  const onChange = (next: T) => {
    of.value = next;
  };
  return { value: of.value, onChange };
}

interface FileProps {
  label: string;
  /** The name of the hidden field. */
  name: string;
  accept: string;
  isMain?: boolean;
  onFile(file: File): unknown;
}

export function FileButton({ label, name, accept, isMain = false, onFile }: FileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button label={label} class={isMain ? 'primary' : undefined} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        aria-label={name}
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // So that the same file can be chosen again.
          currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </>
  );
}

/** The search of a list, kept in the address. `/` puts the focus there. */
export function FindField({ label = 'Find', placeholder }: { label?: string; placeholder: string }) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', does: label, run: () => field.current?.focus() }]);
  return (
    <input
      class="find"
      ref={field}
      type="search"
      aria-label={label}
      value={place.value.query.find ?? ''}
      placeholder={placeholder}
      spellcheck={false}
      onInput={({ currentTarget }) => replaceQuery({ find: currentTarget.value })}
    />
  );
}
