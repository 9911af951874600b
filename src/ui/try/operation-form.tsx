import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { Button } from '../shared/button.tsx';
import { CopyMenu } from '../shared/copy-menu.tsx';
import { bound, Check, type Options, Select, TextField } from '../shared/form.tsx';
import { useShortcuts } from '../shared/keys.ts';
import { showWhereNarrow } from '../shared/narrow.ts';
import { Path, Prose } from '../shared/parts.tsx';
import { loadDriveFiles, loadSandboxData, sandboxData } from '../shared/sandbox-data.ts';
import { authHeaders, caller, callingSandbox, isKeyComing, key } from './caller.ts';
import { basePath } from './contract.ts';
import { describeOperation, responseFields, typeWords } from './contract-docs.ts';
import { draft, valuesOf } from './draft.ts';
import { type Example, examplesOf, type Field, fieldsOf, forcedOf, isText } from './fields.ts';
import {
  type FormState,
  fill,
  fillIn,
  formOf,
  isFilledIn,
  isMissing,
  otherStatus,
  preferOf,
  send,
  wrongWith,
} from './form-state.ts';
import { type FormValues, fromBody, type TryRequest, toBody, toRequest } from './request.ts';
import { OpenParts, ResponseView } from './response-view.tsx';
import { fetchSnippet, typedSnippet } from './snippets.ts';
import { missingWords, suggestionsFor } from './suggestions.ts';

/** The form of one operation, and the latest response beside it. */
export function OperationForm({ operation, contract }: { operation: Operation; contract: ContractDocument }) {
  const told = useMemo(() => {
    const { stated, open } = describeOperation(contract, operation);
    const [fields, examples] = [fieldsOf(contract, operation), examplesOf(contract, operation)];
    const [answers, answerFields] = [forcedOf(contract, operation), responseFields(contract, operation)];
    return { stated, open, fields, examples, answers, answerFields };
  }, [contract, operation]);
  const { stated, open, fields, examples, answers, answerFields } = told;
  const { form, element, toSend, submit } = useOperationForm(operation, fields);
  return (
    <>
      <form ref={element} class="operation" noValidate onSubmit={submit}>
        <SendLine operation={operation} form={form} toSend={toSend} />
        <h3>{operation.definition.summary}</h3>
        <p class="muted">
          <Prose text={stated} />
        </p>
        <OpenParts parts={open} />
        {fields
          .filter(({ place }) => place !== 'body')
          .map((field) => (
            <Input key={field.key} field={field} form={form} />
          ))}
        {operation.takesBody && <Body form={form} fields={fields} />}
        <Examples form={form} examples={examples} />
        <ForcedChoice form={form} answers={answers} />
      </form>
      <ResponseView form={form} operationId={operation.operationId} fields={answerFields} />
    </>
  );
}

function useOperationForm(operation: Operation, fields: readonly Field[]) {
  const form = formOf(operation);
  const element = useRef<HTMLFormElement>(null);
  useSignalEffect(() => takeDraft(form, operation));
  useSignalEffect(() => suggestIds(form, fields));
  useEffect(() => void renewIds(form, fields).catch(() => undefined), []);
  useSignalEffect(() => {
    const driveId = form.values.value['path.driveId'] ?? '';
    loadDriveFiles(caller.value, driveId).catch(() => undefined);
  });
  useShortcuts([{ keys: 'Ctrl+Enter', does: 'Send', run: () => element.current?.requestSubmit() }]);
  const toSend = () => toRequest(operation, fields, valuesIn(form), basePath.value);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (form.running.value !== undefined || isKeyComing.value) return;
    const missing = fields.find((field) => isMissing(form, field));
    form.showsMissing.value = missing !== undefined;
    if (missing !== undefined) return document.getElementById(`field-${missing.key}`)?.focus();
    await send(form, toSend());
    showWhereNarrow('.response');
    const sandbox = callingSandbox.value;
    if (!operation.isRead && sandbox !== undefined) await loadSandboxData(sandbox.id).catch(() => undefined);
  };
  return { form, element, toSend, submit };
}

/** What is called, and the two things to do with it. It stays in sight. */
function SendLine({ operation, form, toSend }: { operation: Operation; form: FormState; toSend(): TryRequest }) {
  const { origin } = location;
  const { method, path } = operation;
  return (
    <div class="send">
      <span class="called">
        <span class={`method ${method}`}>{method}</span> <Path path={path} />
      </span>
      {/* Not disabled: it would lose the focus of those who work by keys. */}
      <Button
        label="Send"
        type="submit"
        class="primary"
        aria-disabled={form.running.value !== undefined || isKeyComing.value}
      />
      <CopyMenu
        request={() => ({ ...toSend(), url: origin + toSend().target })}
        others={[
          ['fetch', () => fetchSnippet(toSend(), origin)],
          ['typed client', () => typedSnippet(operation, toSend(), valuesIn(form), origin + basePath.value)],
        ]}
      />
    </div>
  );
}

function valuesIn(form: FormState): FormValues {
  return {
    ...{ values: form.values.value, rawBody: form.rawBody.value, prefer: preferOf(form) },
    ...{ key: key.value, authHeaders: authHeaders.value },
  };
}

/** One field: its type, what is stated about it and what is open, and what the mock says is wrong with it. */
function Input({ field, form }: { field: Field; form: FormState }) {
  const { key: id, name, schema, isRequired, stated, open } = field;
  const value = form.values.value[id] ?? '';
  const data = sandboxData.value.get(caller.value);
  const isToldMissing = form.showsMissing.value && isMissing(form, field);
  const missing = isToldMissing ? missingWords(name, data, form.values.value) : undefined;
  const onChange = (next: string) => fill(form, { [id]: next });
  const choices = schema.enum?.map(String) ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined);
  const common = {
    ...{ id: `field-${id}`, value, error: wrongWith(form, id) ?? missing },
    label: (
      <>
        <code>{name}</code> <small>{`${typeWords(schema)}, ${isRequired ? 'required' : 'optional'}`}</small>
      </>
    ),
    about: (
      <>
        <Prose text={stated} /> <OpenParts parts={open} />
      </>
    ),
  };
  if (choices !== undefined) {
    const options = [['', 'not sent'], ...choices.map((each) => [each, each])] as [string, string][];
    return <Select {...common} options={options} onChange={onChange} />;
  }
  if (!isText(schema) && (schema.type === 'object' || schema.type === 'array'))
    return <TextField {...common} rows={4} onChange={onChange} />;
  const suggestions = suggestionsFor(name, data, form.values.value);
  const [, meant] = suggestions.find(([suggested]) => suggested === value) ?? [];
  const about = (
    <>
      {meant !== undefined && <b>{meant} </b>}
      {common.about}
    </>
  );
  return <TextField {...common} {...{ about, suggestions }} onChange={onChange} />;
}

/** The body: a field for each of its members, or the whole text. */
function Body({ form, fields }: { form: FormState; fields: readonly Field[] }) {
  const { rawBody, values } = form;
  // How often the text was refused: a check box that stays checked must be drawn again each time.
  const [refusals, setRefusals] = useState(0);
  const own = fields.filter(({ place }) => place === 'body');
  const change = (isText: boolean) => {
    const read = isText ? {} : fromBody(fields, rawBody.value || '{}');
    setRefusals(read === undefined ? refusals + 1 : 0);
    if (read === undefined) return;
    rawBody.value = isText ? toBody(fields, values.value) : undefined;
    fill(form, read);
  };
  return (
    <fieldset class="body-fields">
      <legend>Body</legend>
      <Check label="Edit as text" value={rawBody.value !== undefined} onChange={change} />
      {rawBody.value === undefined ? (
        own.map((field) => <Input key={field.key} field={field} form={form} />)
      ) : (
        <TextField
          label="Text of the body"
          about="It is sent exactly as written."
          rows={8}
          value={rawBody.value}
          error={refusals > 0 ? 'This is not JSON that the fields can hold. An example restores the form.' : undefined}
          onChange={(text) => {
            rawBody.value = text;
            setRefusals(0);
          }}
        />
      )}
    </fieldset>
  );
}

function Examples({ form, examples }: { form: FormState; examples: readonly Example[] }) {
  if (examples.length === 0) return null;
  const take = (values: Readonly<Record<string, string>>) => {
    if (Object.keys(values).some((id) => id.startsWith('body.'))) form.rawBody.value = undefined;
    fill(form, values);
  };
  return (
    <div class="row examples">
      <span class="muted">{examples.length === 1 ? 'Example' : 'Examples'}</span>
      {examples.map(({ name, values }) => (
        <Button key={name} label={name} onClick={() => take(values)} />
      ))}
    </div>
  );
}

/** Which response the mock returns whatever the request, and after what delay. */
function ForcedChoice({ form, answers }: { form: FormState; answers: Options }) {
  const isForced = preferOf(form) !== '';
  return (
    <details class="forced" open={isForced}>
      <summary>Force a response</summary>
      <p class="muted">Sent with the header Prefer. Nothing is stored.</p>
      <Select
        label="Response"
        options={[['', 'Whatever the mock returns'], ...answers, [otherStatus, 'Other status…']]}
        {...bound(form.forced)}
      />
      {/* A number that is out of range is still sent: the mock reports the error. */}
      <div class="row">
        {form.forced.value === otherStatus && <TextField label="Status, 200 to 599" isNumber {...bound(form.status)} />}
        <TextField label="Delay in ms, up to 60,000" isNumber {...bound(form.delayMs)} />
      </div>
    </details>
  );
}

function takeDraft(form: FormState, operation: Operation): void {
  const waiting = draft.value;
  if (waiting === undefined || waiting.operationId !== operation.operationId) return;
  draft.value = undefined;
  form.own.value = {};
  fill(form, valuesOf(waiting, operation));
  form.rawBody.value = operation.takesBody ? (waiting.request.body ?? '') : undefined;
  form.answer.value = undefined;
}

/** Fills in existing ids, so that the request can be sent immediately. */
function suggestIds(form: FormState, fields: readonly Field[]): void {
  const data = sandboxData.value.get(caller.value);
  for (const { key: id, name } of idsIn(fields)) {
    const values = form.values.peek();
    const [first] = suggestionsFor(name, data, values);
    if (first !== undefined && (values[id] ?? '') === '') fillIn(form, id, first[0]);
  }
}

const idsIn = (fields: readonly Field[]) => fields.filter(({ name, isRequired }) => isRequired && name.endsWith('Id'));

/** Loads what there is now, and replaces the ids that the page filled in and that are gone. */
async function renewIds(form: FormState, fields: readonly Field[]): Promise<void> {
  const { id } = callingSandbox.peek() ?? {};
  if (id === undefined) return;
  await loadSandboxData(id);
  for (const { key: field, name } of idsIn(fields)) {
    if (name === 'fileId') await loadDriveFiles(id, form.values.peek()['path.driveId'] ?? '');
    const values = form.values.peek();
    const isThere = suggestionsFor(name, sandboxData.peek().get(id), values).some(([each]) => each === values[field]);
    if (!isThere && isFilledIn(form, field)) fillIn(form, field, '');
  }
  suggestIds(form, fields);
}
