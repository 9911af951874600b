import { useEffect, useRef } from 'preact/hooks';
import { mockHeaders } from '../../../openapi/contract/mock-headers.ts';
import { controlState } from '../shared/control.ts';
import { activeFaults } from '../shared/faults.ts';
import { isFields, jsonIn } from '../shared/json.ts';
import { usePassedFocus } from '../shared/keep-focus.ts';
import { BodyView, Headers } from '../shared/message.tsx';
import { showWhereNarrow } from '../shared/narrow.ts';
import { OpenPointList, openPoints } from '../shared/open-point-list.tsx';
import { Empty, Links, Prose, Status, Tag } from '../shared/parts.tsx';
import { readProblem } from '../shared/problem.ts';
import { ProblemReason } from '../shared/problem-reason.tsx';
import { placeOf } from '../shared/state-undo.ts';
import { Tabs } from '../shared/tabs.tsx';
import { linkTo } from '../shared/url-state.ts';
import { meanings, plural } from '../shared/words.ts';
import { callingSandbox } from './caller.ts';
import type { OpenPart, ResponseField } from './contract-docs.ts';
import type { FormState, TryAnswer } from './form-state.ts';

interface ResponseProps {
  form: FormState;
  operationId: string;
  fields: readonly ResponseField[];
}

/** The latest response to the form, and the fields that a response has. */
export function ResponseView({ form, operationId, fields }: ResponseProps) {
  const answer = form.answer.value;
  const isWaiting = form.waitedSeconds.value !== undefined;
  const faults = activeFaults.value.map(({ id }) => id);
  const fieldTab = { name: 'Fields', count: fields.length, content: <Fields fields={fields} /> };
  return (
    <section class="response" aria-label="Response" aria-busy={isWaiting}>
      {isWaiting && <Waiting form={form} />}
      {answer === undefined ? (
        <>
          {!isWaiting && <p class="muted">Send the request to see the response here.</p>}
          <Tabs label="Response" tabs={[fieldTab]} />
        </>
      ) : answer.isCancelled ? (
        <Empty title={`Cancelled after ${seconds(answer.durationMs)} s`}>
          <p>The mock may have carried out the request all the same.</p>
        </Empty>
      ) : answer.status === 0 ? (
        <Empty title={`No complete response after ${answer.durationMs.toFixed(0)} ms`}>
          <p>
            The connection ended too early.{' '}
            {faults.length > 0
              ? 'An active fault may have caused this:'
              : 'A fault may cause this, or the mock has stopped.'}
          </p>
          <Links view="faults" ids={faults} />
          <p>
            The browser may have sent the request again: <a href={linkTo('traffic')}>Traffic</a> shows each.
          </p>
        </Empty>
      ) : (
        <Answer answer={answer} operationId={operationId} fieldTab={fieldTab} />
      )}
    </section>
  );
}

const seconds = (durationMs: number) => (durationMs / 1_000).toFixed(1);

/** Says that a response is late, so that nobody takes the one before for it. */
function Waiting({ form }: { form: FormState }) {
  const cancel = useRef<HTMLButtonElement>(null);
  usePassedFocus(cancel, '.send .primary');
  useEffect(() => showWhereNarrow('.response'), []);
  return (
    <div class="row waiting">
      <span>Waiting for the response… {form.waitedSeconds.value} s</span>
      <button ref={cancel} type="button" onClick={() => form.running.value?.abort()}>
        Cancel
      </button>
    </div>
  );
}

// What the mock says about a response, apart from the response itself.
const notes: readonly (readonly [header: string, words: string])[] = [
  [mockHeaders.fault, 'A fault applied'],
  ['preference-applied', 'Forced'],
  [mockHeaders.undeclared, 'Not in the contract'],
  [mockHeaders.error, 'The mock could not force this response'],
  [mockHeaders.hint, 'Hint'],
  [mockHeaders.retiredSandboxes, 'Retired to make room'],
];

// The sections of State with what an operation creates.
const creations: Readonly<Record<string, string>> = { createDrive: 'drives', createMcpServer: 'mcp-servers' };

/** Where State shows what a response says was created. */
function createdPlace({ status, body }: TryAnswer, operationId: string): string | undefined {
  const section = creations[operationId];
  const created = jsonIn(body);
  if (section === undefined || status >= 300 || !isFields(created) || typeof created.id !== 'string') return undefined;
  return placeOf(section, created.id).slice(1);
}

interface AnswerProps {
  answer: TryAnswer;
  operationId: string;
  fieldTab: Parameters<typeof Tabs>[0]['tabs'][number];
}

function Answer({ answer, operationId, fieldTab }: AnswerProps) {
  const { request, status, durationMs, headers, body } = answer;
  const problem = status < 400 ? undefined : readProblem(body);
  const openPoints = headers[mockHeaders.openPoints]?.split(/, */) ?? [];
  const created = createdPlace(answer, operationId);
  const requestId = headers[mockHeaders.requestId];
  return (
    <>
      <div class="row">
        <Status status={status} />
        <span>{durationMs.toFixed(1)} ms</span>
        <code class="target">
          {request.method} {request.target}
        </code>
        {requestId !== undefined && controlState.value === 'ready' && (
          <a href={linkTo('traffic', requestId)}>Show in Traffic</a>
        )}
        {created !== undefined && controlState.value === 'ready' && (
          <a href={linkTo('state', created, { sandbox: callingSandbox.value?.id ?? '' })}>Show in State</a>
        )}
      </div>
      {notes
        .filter(([header]) => headers[header] !== undefined)
        .map(([header, words]) => (
          <p key={header} class="notice">
            {words}:{' '}
            {header === mockHeaders.fault && controlState.value === 'ready' ? (
              <Links view="faults" ids={(headers[header] ?? '').split(', ')} />
            ) : (
              headers[header]
            )}
          </p>
        ))}
      {problem !== undefined && <ProblemReason problem={problem} />}
      <Tabs
        label="Response"
        tabs={[
          {
            name: 'Body',
            content: body === '' ? <p class="muted">No body.</p> : <BodyView text={body} name="response.txt" />,
          },
          { name: 'Headers', count: Object.keys(headers).length, content: <Headers headers={headers} /> },
          {
            name: 'Open points',
            count: openPoints.length,
            content: (
              <>
                <p class="muted">
                  {plural(openPoints.length, 'open point')} shaped this response. The form shows those that the contract
                  marks on the operation and its fields; the Open points view lists them all.
                </p>
                <OpenPointList ids={openPoints} organization={callingSandbox.value?.id} />
              </>
            ),
          },
          fieldTab,
        ]}
      />
    </>
  );
}

function Fields({ fields }: { fields: readonly ResponseField[] }) {
  if (fields.length === 0) return <p class="muted">The specification does not state what the response contains.</p>;
  return (
    <dl class="fields">
      {fields.map(({ path, depth, type, presence, stated, open }) => (
        <div key={path} style={{ paddingInlineStart: `${depth * 16}px` }}>
          <dt>
            <code>{path.replace(/^.*[.\]](?=[^.\]])/, '')}</code> <small>{type}</small>{' '}
            <Tag tone={presence === 'always there' ? 'good' : 'none'} title={meanings[presence]}>
              {presence}
            </Tag>
          </dt>
          <dd>
            <Prose text={stated} /> <OpenParts parts={open} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What the specification leaves open at a place, with the choice that applies; folded if it is much. */
export function OpenParts({ parts }: { parts: readonly OpenPart[] }) {
  const isChanged = ({ id }: OpenPart) => openPoints.value.get(id)?.isDefault === false;
  const changed = parts.filter(isChanged);
  const ordered = [...changed, ...parts.filter((part) => !isChanged(part))];
  const links = ordered.map(({ id, open, choice, means }, index) => (
    <a key={id} class="open-part" href={linkTo('points', id)} title={`${open} Here: ${means}.`}>
      {parts.length <= 2 && <Tag tone="warn">open</Tag>} {id} <b>{choice}</b>{' '}
      {index < changed.length && <Tag tone="warn">changed</Tag>}
    </a>
  ));
  if (parts.length <= 2) return <>{links}</>;
  return (
    <details class="open-parts">
      <summary>
        <Tag tone="warn" title={meanings.open}>
          {`${parts.length} open${changed.length === 0 ? '' : `, ${changed.length} changed`}`}
        </Tag>{' '}
        {ordered
          .slice(0, 2)
          .map(({ id }) => id)
          .join(', ')}{' '}
        …
      </summary>
      {links}
    </details>
  );
}
