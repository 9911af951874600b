import { useEffect, useRef } from 'preact/hooks';
import { BodyView } from '../shared/body-view.tsx';
import { controlState } from '../shared/control.ts';
import { Headers } from '../shared/headers.tsx';
import { OpenPointList } from '../shared/open-point-list.tsx';
import { Empty, Status } from '../shared/parts.tsx';
import { readProblem } from '../shared/problem.ts';
import { ProblemReason } from '../shared/problem-reason.tsx';
import { linkTo } from '../shared/url-state.ts';
import { callingSandbox } from './caller.ts';
import type { FormState, TryAnswer } from './form-state.ts';

// If less of the response is visible, the page scrolls to it.
const leastShown = 120;

/** The latest response to the form. */
export function AnswerView({ form }: { form: FormState }) {
  const answer = form.answer.value;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    const { top = 0 } = section.current?.getBoundingClientRect() ?? {};
    if (answer !== undefined && top > innerHeight - leastShown) section.current?.scrollIntoView();
  }, [answer]);
  return (
    <section class="answer" aria-label="Response" ref={section}>
      {answer === undefined ? (
        <p class="muted">Send the request to see the response here.</p>
      ) : answer.status === 0 ? (
        <NoAnswer answer={answer} />
      ) : (
        <Answer answer={answer} />
      )}
    </section>
  );
}

function NoAnswer({ answer: { durationMs, request } }: { answer: TryAnswer }) {
  return (
    <Empty title={`No complete response after ${durationMs.toFixed(0)} ms`}>
      <p>
        The connection ended too early after <code>{request.method}</code>. A fault may cause this, or the mock has
        stopped.
      </p>
    </Empty>
  );
}

// What the mock says about a response, apart from the response itself.
const notes: readonly (readonly [header: string, words: string])[] = [
  ['x-fault', 'A fault applied'],
  ['preference-applied', 'Forced'],
  ['x-undeclared', 'Not in the contract'],
  ['x-mock-error', 'The mock could not force this response'],
  ['x-mock-hint', 'Hint'],
  ['x-retired-sandboxes', 'Retired to make room'],
];

function Answer({ answer }: { answer: TryAnswer }) {
  const { request, status, durationMs, headers, body } = answer;
  const problem = status < 400 ? undefined : readProblem(body);
  const openPoints = headers['x-open-points']?.split(/, */) ?? [];
  return (
    <>
      <div class="row">
        <Status status={status} />
        <span>{durationMs.toFixed(1)} ms</span>
        <code>
          {request.method} {request.target}
        </code>
        <TrafficLink requestId={headers['x-request-id']} />
      </div>
      <Notes headers={headers} />
      {problem !== undefined && <ProblemReason problem={problem} />}
      {body === '' ? <p class="muted">No body.</p> : <BodyView text={body} name="response.txt" />}
      <Headers headers={headers} />
      {openPoints.length > 0 && (
        <details>
          <summary>
            {openPoints.length === 1 ? '1 open point' : `${openPoints.length} open points`} shaped this response
          </summary>
          <OpenPointList ids={openPoints} organization={callingSandbox.value?.id} />
        </details>
      )}
    </>
  );
}

function Notes({ headers }: Pick<TryAnswer, 'headers'>) {
  const told = notes.filter(([header]) => headers[header] !== undefined);
  return (
    <>
      {told.map(([header, words]) => (
        <p key={header} class="notice">
          {words}: {headers[header]}
        </p>
      ))}
    </>
  );
}

function TrafficLink({ requestId }: { requestId: string | undefined }) {
  if (requestId === undefined || controlState.value !== 'ready') return null;
  return <a href={linkTo('traffic', '', { filter: `id:${requestId}` })}>Show in Traffic</a>;
}
