import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { JournalEntry } from '../../workbench/journal/entry.ts';
import { BodyView } from '../shared/body-view.tsx';
import { CopyCurl } from '../shared/copy-curl.tsx';
import { type CopiedRequest, chosenHeaders } from '../shared/curl.ts';
import { Headers } from '../shared/headers.tsx';
import { Empty, Status } from '../shared/parts.tsx';
import { linkTo, place, replaceQuery } from '../shared/url-state.ts';
import { openInTry } from '../try/draft.ts';
import { Why } from './exchange-why.tsx';
import { formatTerm } from './filter.ts';
import { wholeUrl } from './har.ts';
import { findExchange } from './journal.ts';

/** One exchange in full. */
export function ExchangeDetail({ id }: { id: number }) {
  const entry = useSignal<JournalEntry | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    findExchange(id).then(
      (found) => {
        entry.value = found;
        problem.value = found === undefined ? 'It has left the journal, which keeps the latest ones only.' : '';
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

function Whole({ entry }: { entry: JournalEntry }) {
  const { request, answer, operationId, durationMs, time, requestId, isStripped } = entry;
  return (
    <>
      <h3 class="call">
        {request.method} {request.url}
      </h3>
      <div class="row">
        <Status status={answer.status} />
        <span>{durationMs.toFixed(1)} ms</span>
        <span class="muted">{time.replace('T', ' ')}</span>
      </div>
      <div class="row">
        <CopyCurl request={() => toCopied(entry)} />
        {operationId !== undefined && (
          <button type="button" onClick={() => openInTry(operationId, request)}>
            Open in Try
          </button>
        )}
        {operationId !== undefined && <OnlyButton name="op" value={operationId} />}
        <OnlyButton name="status" value={String(answer.status)} />
      </div>
      <Why entry={entry} />
      <h4>Request</h4>
      <Headers headers={request.headers} />
      <Body body={request.body} isStripped={isStripped} name={`${requestId}-request.txt`} />
      <h4>Response</h4>
      <Headers headers={answer.headers} />
      <Body body={answer.body} isStripped={isStripped} name={`${requestId}-response.txt`} />
    </>
  );
}

/** Adds what is on the button to the filter. */
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

interface BodyProps {
  body: string | undefined;
  isStripped: boolean | undefined;
  name: string;
}

function Body({ body, isStripped, name }: BodyProps) {
  if (body !== undefined) return <BodyView text={body} name={name} />;
  return (
    <p class="muted">{isStripped ? 'The body was too large to keep, or made room for newer ones.' : 'No body.'}</p>
  );
}

function toCopied({ request }: JournalEntry): CopiedRequest {
  const { method, url, headers, body } = request;
  return { method, url: wholeUrl(url, location.origin), headers: chosenHeaders(headers), body };
}
