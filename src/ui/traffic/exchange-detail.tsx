import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { BodyView } from '../shared/body-view.tsx';
import { server } from '../shared/control.ts';
import { CopyCurl } from '../shared/copy-curl.tsx';
import { type CopiedRequest, chosenHeaders } from '../shared/curl.ts';
import { Headers } from '../shared/headers.tsx';
import { Empty, Status } from '../shared/parts.tsx';
import { linkTo, place, replaceQuery } from '../shared/url-state.ts';
import { openInTry } from '../try/draft.ts';
import { Why } from './exchange-why.tsx';
import { formatTerm } from './filter.ts';
import { wholeUrl } from './har.ts';
import { sidesOf, type TrafficEntry } from './judgement.ts';
import { findExchange } from './request-log.ts';

/** One exchange in full. */
export function ExchangeDetail({ id }: { id: number }) {
  const entry = useSignal<TrafficEntry | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    findExchange(id).then(
      (found) => {
        entry.value = found;
        problem.value =
          found === undefined ? 'It is no longer in the request log, which keeps the latest exchanges only.' : '';
      },
      (error: Error) => {
        problem.value = error.message;
      },
    );
  }, [id]);
  return (
    <section class="detail" aria-label={`Exchange ${id}`}>
      <p>
        <a href={linkTo('traffic')}>Close</a>
      </p>
      {entry.value !== undefined && <Whole entry={entry.value} />}
      {problem.value !== '' && (
        <Empty title={`Exchange ${id} is not here`}>
          <p>{problem.value}</p>
        </Empty>
      )}
    </section>
  );
}

function Whole({ entry }: { entry: TrafficEntry }) {
  const { request, answer, operationId, durationMs, time, requestId, isStripped, judgement } = entry;
  const missing = judgement?.missing ?? (isStripped ? { request: stripped, answer: stripped } : undefined);
  return (
    <>
      <h3 class="call">
        {request.method} {request.url}
      </h3>
      <div class="row">
        <Status status={answer.status} />
        <span>{durationMs.toFixed(1)} ms</span>
        <span class="muted">
          {time.replace('T', ' ')}, request id {requestId}
        </span>
      </div>
      <div class="row">
        <CopyCurl request={() => toCopied(entry)} />
        {operationId !== undefined && server === 'mock' && (
          <button type="button" onClick={() => openInTry(operationId, request)}>
            Open in Try
          </button>
        )}
        <OnlyButtons entry={entry} />
      </div>
      <Why entry={entry} />
      <h4>Request</h4>
      <Headers headers={request.headers} />
      <Body body={request.body} missing={missing?.request} name={`${requestId}-request.txt`} />
      <h4>Response</h4>
      <Headers headers={answer.headers} />
      <Body body={answer.body} missing={missing?.answer} name={`${requestId}-response.txt`} />
    </>
  );
}

function OnlyButtons({ entry }: { entry: TrafficEntry }) {
  const { operationId, answer } = entry;
  return (
    <>
      {operationId !== undefined && <OnlyButton name="op" value={operationId} />}
      {sidesOf(entry).map((side) => (
        <OnlyButton key={side} name="broke" value={side} />
      ))}
      <OnlyButton name="status" value={String(answer.status)} />
    </>
  );
}

/** Adds the button's text to the filter. */
function OnlyButton({ name, value }: { name: string; value: string }) {
  const term = formatTerm({ name, value, isNot: false });
  const add = () => {
    const words = (place.value.query.filter ?? '').split(' ').filter((word) => word !== '' && word !== term);
    replaceQuery({ filter: [...words, term].join(' ') });
  };
  return (
    <button type="button" onClick={add}>
      Only {term}
    </button>
  );
}

const stripped = 'The body was too large to keep, or was dropped to make room for newer ones.';

interface BodyProps {
  body: string | undefined;
  /** What is missing from it, as a sentence. */
  missing: string | undefined;
  name: string;
}

function Body({ body, missing, name }: BodyProps) {
  if (body === undefined) return <p class="muted">{missing || 'No body.'}</p>;
  return (
    <>
      {missing && <p class="muted">{missing}</p>}
      <BodyView text={body} name={name} />
    </>
  );
}

function toCopied({ request }: TrafficEntry): CopiedRequest {
  const { method, url, headers, body } = request;
  return { method, url: wholeUrl(url, location.origin), headers: chosenHeaders(headers), body };
}
