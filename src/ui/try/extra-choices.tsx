import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { examplesOf, forcedOf } from './fields.ts';
import { type FormState, fill, otherStatus } from './form-state.ts';

interface ChoiceProps {
  form: FormState;
  operation: Operation;
  document: ContractDocument;
}

/** Examples from the contract to fill in. */
export function ExampleChoice({ form, operation, document: contract }: ChoiceProps) {
  const examples = useMemo(() => examplesOf(contract, operation), [contract, operation]);
  if (examples.length === 0) return null;
  return (
    <div class="row examples">
      <span class="muted">Fill in an example:</span>
      {examples.map(({ name, values }) => (
        <button
          key={name}
          type="button"
          onClick={() => {
            if (form.rawBody.value !== undefined && Object.keys(values).some((key) => key.startsWith('body.')))
              form.rawBody.value = undefined;
            fill(form, values);
          }}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** Which response the mock returns whatever the request, and after what delay. */
export function ForcedChoice({ form, operation, document: contract }: ChoiceProps) {
  const answers = useMemo(() => forcedOf(contract, operation), [contract, operation]);
  return (
    <div class="row forced">
      <label class="field">
        <span>
          Response <small>forced with the Prefer header; nothing is stored</small>
        </span>
        <select
          value={form.forced.value}
          onChange={({ currentTarget }) => {
            form.forced.value = currentTarget.value;
          }}
        >
          <option value="">Whatever the mock returns</option>
          {answers.map(({ label, prefer }) => (
            <option key={prefer} value={prefer}>
              {label}
            </option>
          ))}
          <option value={otherStatus}>Other status…</option>
        </select>
      </label>
      {form.forced.value === otherStatus && (
        <NumberField label="Status" hint="200 to 599" min={200} max={599} value={form.status} />
      )}
      <NumberField label="Delay" hint="ms, up to 60,000" min={0} max={60_000} value={form.delayMs} />
    </div>
  );
}

interface NumberProps {
  label: string;
  hint: string;
  min: number;
  max: number;
  value: Signal<string>;
}

/** A number in a preference. One that is out of range is still sent: the mock reports the error. */
function NumberField({ label, hint, min, max, value }: NumberProps) {
  return (
    <label class="field">
      <span>
        {label} <small>{hint}</small>
      </span>
      <input
        type="number"
        min={min}
        max={max}
        value={value.value}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
      />
    </label>
  );
}
