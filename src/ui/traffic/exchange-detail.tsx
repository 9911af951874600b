import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../shared/button.tsx';
import { server } from '../shared/control.ts';
import { CopyMenu } from '../shared/copy-menu.tsx';
import { chosenHeaders } from '../shared/curl.ts';
import { Detail, Missing } from '../shared/detail.tsx';
import { MessageView } from '../shared/message.tsx';
import { Notice, Status } from '../shared/parts.tsx';
import { openInTry } from '../try/draft.ts';
import { Why } from './exchange-why.tsx';
import { wholeUrl } from './har.ts';
import { missingFrom, type TrafficEntry } from './judgement.ts';
import { findExchange } from './request-log.ts';

/** One exchange in full: why it ended as it did, and its request and response side by side. */
export function ExchangeDetail({ id }: { id: number }) {
  // Null if it is not in the log.
  const entry = useSignal<TrafficEntry | null | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    findExchange(id).then(
      (found) => (entry.value = found ?? null),
      (error: Error) => (problem.value = error.message),
    );
  }, [id]);
  if (entry.value === null) return <NotLogged />;
  if (entry.value !== undefined) return <Whole entry={entry.value} />;
  return (
    <Detail label={`Exchange ${id}`} title={`Exchange ${id}`}>
      {problem.value !== '' && <Notice kind="error">{problem.value}</Notice>}
    </Detail>
  );
}

export function NotLogged() {
  const why = `It was cleared, newer ones took its place, or the ${server} restarted.`;
  return <Missing title="This request is not in the log" why={why} instead="Show all requests" />;
}

function Whole({ entry }: { entry: TrafficEntry }) {
  const { id, request, answer, operationId, durationMs, time, requestId, isStripped } = entry;
  const copied = () => {
    const { method, url, headers, body } = request;
    return { method, url: wholeUrl(url, location.origin), headers: chosenHeaders(headers), body };
  };
  return (
    <Detail
      label={`Exchange ${id}`}
      title={
        <code>
          {request.method} {request.url}
        </code>
      }
      actions={
        <>
          {operationId !== undefined && server === 'mock' && (
            <Button label="Open in Try" onClick={() => openInTry(operationId, request)} />
          )}
          <CopyMenu request={copied} />
        </>
      }
    >
      <div class="row">
        <Status status={answer.status} />
        <span>{durationMs.toFixed(1)} ms</span>
        <span class="muted">
          {time.replace('T', ' ').replace('Z', ' UTC')}, request id {requestId}
        </span>
      </div>
      <section class="why" aria-label="Why">
        <Why entry={entry} />
      </section>
      <div class="sides">
        <MessageView
          title="Request"
          {...request}
          missing={missingFrom(request, isStripped)}
          name={`${requestId}-request.txt`}
        />
        <MessageView
          title="Response"
          {...answer}
          missing={missingFrom(answer, isStripped)}
          name={`${requestId}-response.txt`}
        />
      </div>
    </Detail>
  );
}
