import { FieldInput } from './field-input.tsx';
import type { Field } from './fields.ts';
import type { FormState } from './form-state.ts';
import { toBody } from './request.ts';

interface BodyProps {
  form: FormState;
  fields: readonly Field[];
  errorOf(field: Field): string | undefined;
}

/** The body: a field for each of its members, or the whole text. */
export function BodyFields({ form, fields, errorOf }: BodyProps) {
  const { rawBody } = form;
  const isRaw = rawBody.value !== undefined;
  return (
    <fieldset class="body-fields">
      <legend>Body</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={isRaw}
          onChange={() => {
            rawBody.value = isRaw ? undefined : toBody(fields, form.values.value);
          }}
        />
        Edit as text
      </label>
      {isRaw ? (
        <RawBody form={form} />
      ) : (
        fields
          .filter(({ place }) => place === 'body')
          .map((field) => <FieldInput key={field.key} field={field} form={form} error={errorOf(field)} />)
      )}
    </fieldset>
  );
}

function RawBody({ form: { rawBody } }: { form: FormState }) {
  const error = syntaxError(rawBody.value ?? '');
  return (
    <div class="field">
      <label for="raw-body">Text of the body</label>
      <textarea
        id="raw-body"
        rows={6}
        spellcheck={false}
        value={rawBody.value}
        aria-describedby="raw-body-error"
        aria-invalid={error !== undefined}
        onInput={({ currentTarget }) => {
          rawBody.value = currentTarget.value;
        }}
      />
      <p class="muted" id="raw-body-error">
        {error === undefined ? 'It is sent exactly as written.' : `This is not JSON (${error}). It is sent anyway.`}
      </p>
    </div>
  );
}

function syntaxError(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
