import { useSignalEffect } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { useShortcuts } from '../shared/keys.ts';
import { Prose } from '../shared/prose.tsx';
import { loadDriveFiles, loadSandboxData, sandboxData } from '../shared/sandbox-data.ts';
import { AnswerView } from './answer-view.tsx';
import { BodyFields } from './body-fields.tsx';
import { authHeaders, caller, callingSandbox, isKeyComing, key } from './caller.ts';
import { CallerChoice } from './caller-choice.tsx';
import { checkField } from './check-field.ts';
import { basePath } from './contract.ts';
import { CopyRow } from './copy-row.tsx';
import { draft, valuesOf } from './draft.ts';
import { ExampleChoice, ForcedChoice } from './extra-choices.tsx';
import { FieldInput } from './field-input.tsx';
import { type Field, fieldsOf, plain } from './fields.ts';
import { type FormState, fill, formOf, preferOf } from './form-state.ts';
import { type FormValues, toRequest } from './request.ts';
import { send } from './send.ts';
import { suggestionsFor } from './suggestions.ts';

interface FormProps {
  operation: Operation;
  document: ContractDocument;
}

/** The form of one operation, and the latest response below it. */
export function OperationForm({ operation, document: contract }: FormProps) {
  const { form, fields, element, wrong, toSend, submit } = useOperationForm(operation, contract);
  const wrongAt = ({ key: name }: Field) => (form.isChecked.value ? wrong.get(name) : undefined);
  return (
    <>
      <form ref={element} class="operation" noValidate onSubmit={submit}>
        <Title operation={operation} />
        <CallerChoice />
        {fields
          .filter(({ place }) => place !== 'body')
          .map((field) => (
            <FieldInput key={field.key} field={field} form={form} error={wrongAt(field)} />
          ))}
        {operation.takesBody && <BodyFields form={form} fields={fields} errorOf={wrongAt} />}
        <ExampleChoice form={form} operation={operation} document={contract} />
        <ForcedChoice form={form} operation={operation} document={contract} />
        <div class="row send">
          <button type="submit" class="primary" disabled={form.isSending.value || isKeyComing.value}>
            {form.isChecked.value && wrong.size > 0 ? 'Send anyway' : 'Send'}
          </button>
          <CopyRow operation={operation} request={toSend} values={() => valuesIn(form)} />
        </div>
      </form>
      <AnswerView form={form} />
    </>
  );
}

/** What the form of an operation holds and does. */
function useOperationForm(operation: Operation, contract: ContractDocument) {
  const form = formOf(operation.operationId);
  const fields = useMemo(() => fieldsOf(contract, operation), [contract, operation]);
  const element = useRef<HTMLFormElement>(null);
  useSignalEffect(() => takeDraft(form, operation));
  useSignalEffect(() => suggestIds(form, fields));
  useSignalEffect(() => {
    const driveId = form.values.value['path.driveId'] ?? '';
    loadDriveFiles(caller.value, driveId).catch(() => undefined);
  });
  useShortcuts([{ keys: 'Ctrl+Enter', does: 'Send', run: () => element.current?.requestSubmit() }]);
  const toSend = () => toRequest(operation, fields, valuesIn(form), basePath.value);
  const wrong = wrongIn(form, fields);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (form.isSending.value || isKeyComing.value) return;
    if (wrong.size > 0 && !form.isChecked.value) {
      form.isChecked.value = true;
      focusFirst(element.current, wrong);
      return;
    }
    await send(form, toSend());
    const sandbox = callingSandbox.value;
    if (!operation.isRead && sandbox !== undefined) await loadSandboxData(sandbox.id).catch(() => undefined);
  };
  return { form, fields, element, wrong, toSend, submit };
}

function Title({ operation: { method, path, definition } }: { operation: Operation }) {
  return (
    <div>
      <h3 class="call">{definition.summary}</h3>
      <p>
        <code>
          {method} {path}
        </code>
      </p>
      <p class="muted">
        <Prose text={plain(definition.description ?? '')} />
      </p>
    </div>
  );
}

function valuesIn(form: FormState): FormValues {
  return {
    ...{ values: form.values.value, rawBody: form.rawBody.value, prefer: preferOf(form) },
    ...{ key: key.value, authHeaders: authHeaders.value },
  };
}

/** The errors by field key. A body typed as text is only checked by the mock. */
function wrongIn({ values, rawBody }: FormState, fields: readonly Field[]): Map<string, string> {
  const judged = fields.filter(({ place }) => place !== 'body' || rawBody.value === undefined);
  return new Map(
    judged.flatMap((field) => {
      const error = checkField(field, values.value[field.key] ?? '');
      return error === undefined ? [] : [[field.key, error]];
    }),
  );
}

function focusFirst(form: HTMLFormElement | null, wrong: ReadonlyMap<string, string>): void {
  const [first] = wrong.keys();
  form?.querySelector<HTMLElement>(`[id="field-${first}"]`)?.focus();
}

function takeDraft(form: FormState, operation: Operation): void {
  const waiting = draft.value;
  if (waiting === undefined || waiting.operationId !== operation.operationId) return;
  draft.value = undefined;
  form.values.value = valuesOf(waiting, operation);
  form.rawBody.value = operation.takesBody ? (waiting.request.body ?? '') : undefined;
  form.isChecked.value = false;
  form.answer.value = undefined;
}

/** Fills in existing ids, so that the request can be sent immediately. */
function suggestIds(form: FormState, fields: readonly Field[]): void {
  const data = sandboxData.value.get(caller.value);
  const ids = fields.filter(({ name, isRequired }) => isRequired && name.endsWith('Id'));
  const values = { ...form.values.peek() };
  for (const { key: name, name: id } of ids) {
    const [first] = suggestionsFor(id, data, values);
    if (first !== undefined && (values[name] ?? '') === '') values[name] = first.value;
  }
  fill(form, values);
}
