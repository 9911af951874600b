import { useMemo } from 'preact/hooks';
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { examplesOf, forcedOf } from './fields.ts';
import { type FormState, fill } from './form-state.ts';

interface ChoiceProps {
  form: FormState;
  operation: Operation;
  document: ContractDocument;
}

/** Examples of the contract to fill in. */
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

/** Which answer the mock shall give, whatever the request says. */
export function ForcedChoice({ form, operation, document: contract }: ChoiceProps) {
  const answers = useMemo(() => forcedOf(contract, operation), [contract, operation]);
  return (
    <label class="field forced">
      <span>
        Answer <small>forced by the header Prefer; nothing is stored then</small>
      </span>
      <select
        value={form.prefer.value}
        onChange={({ currentTarget }) => {
          form.prefer.value = currentTarget.value;
        }}
      >
        <option value="">What the mock answers to this request</option>
        {answers.map(({ label, prefer }) => (
          <option key={prefer} value={prefer}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
