import { BodyView } from '../shared/body-view.tsx';
import { server } from '../shared/control.ts';
import { CopyButton } from '../shared/copy.tsx';
import { SetKey } from '../shared/copy-curl.tsx';
import { keyVariable } from '../shared/curl.ts';
import { Headers } from '../shared/headers.tsx';
import { Status } from '../shared/parts.tsx';
import { Prose } from '../shared/prose.tsx';
import { linkTo } from '../shared/url-state.ts';
import { openInTry } from '../try/draft.ts';
import { duration, Facts } from './facts.tsx';
import type { Check, Exchange } from './formats.ts';
import { inWords, toneOf } from './outcomes.ts';

/** One check in full: requirement, expected, actual, and the exchanges that prove it. */
export function CheckDetail({ check, label = '' }: { check: Check; label?: string }) {
  const { id, outcome, level, durationMs, evidence } = check;
  return (
    <>
      <h3 class="call">
        {label}
        {id}
      </h3>
      <p class="row">
        <strong class={`tone ${toneOf(outcome)}`}>{inWords(outcome)}</strong>
        <span>{level === 'must' ? 'must: the specification states it' : 'should: it follows from the text'}</span>
        <span class="muted">{duration(durationMs)}</span>
      </p>
      <Facts facts={factsOf(check)} />
      {evidence?.curl !== undefined && <Again curl={evidence.curl} />}
      {evidence !== undefined && <Exchanges exchanges={evidence.exchanges} />}
    </>
  );
}

function factsOf(check: Check) {
  const { reason, evidence, because, setting, obstacle, expectedFailure, noLongerExpected } = check;
  return [
    ['Requirement', <Requirement key="required" check={check} />],
    ['Expected', evidence?.expected],
    ['Actual', evidence?.actual],
    ['Smallest input', evidence?.smallest && <code>{evidence.smallest}</code>],
    // The reason for a failure usually repeats both.
    ['Reason', evidence !== undefined && reason.includes(evidence.actual) ? '' : reason],
    ['Enabled by', setting && <code>{setting}</code>],
    ['Obstacle', obstacle],
    ['Because of', because && <a href={linkTo('reports', because)}>{because}</a>],
    ['Expected failure', expectedFailure],
    ['Was expected', noLongerExpected],
  ] as const;
}

/** The requirements of a check: all ids; the sentences only if it failed or warned. */
function Requirement({ check: { requirements, required = [] } }: { check: Check }) {
  const count = Math.max(requirements.length, required.length);
  return (
    <>
      {Array.from({ length: count }, (_, place) => (
        <div key={place}>
          <code>{requirements[place]}</code>
          {required[place] !== undefined && <Sentence {...required[place]} />}
        </div>
      ))}
    </>
  );
}

function Sentence({ text, sections, pointers }: NonNullable<Check['required']>[number]) {
  const places = [...sections.map((section) => `section ${section}`), ...pointers];
  return (
    <p>
      <Prose text={text} /> <span class="muted">({places.join(', ')})</span>
    </p>
  );
}

function Again({ curl }: { curl: string }) {
  return (
    <>
      <h4>Reproduce</h4>
      <div class="row">
        <CopyButton what="curl" text={() => curl} />
        {curl.includes(keyVariable) && <SetKey />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre class="curl" tabIndex={0}>
        {curl}
      </pre>
    </>
  );
}

/** All exchanges; the last one, which decides, is open. */
function Exchanges({ exchanges }: { exchanges: readonly Exchange[] }) {
  if (exchanges.length === 0) return null;
  return (
    <>
      <h4>{exchanges.length === 1 ? 'Exchange' : `${exchanges.length} exchanges, the deciding one last`}</h4>
      {exchanges.map((exchange, place) => (
        <ExchangeView key={place} exchange={exchange} isOpen={place === exchanges.length - 1} />
      ))}
    </>
  );
}

function ExchangeView({ exchange, isOpen }: { exchange: Exchange; isOpen: boolean }) {
  const { request, response, failure, requestId, durationMs } = exchange;
  return (
    <details class="exchange" open={isOpen}>
      <summary>
        <Status status={response?.status ?? 0} />{' '}
        <code>
          {request.method} {request.url}
        </code>
      </summary>
      <div class="row">
        <TryButton exchange={exchange} />
        <span class="muted">
          {duration(durationMs)}
          {requestId !== undefined && `, request id ${requestId}`}
        </span>
      </div>
      <Message title="Request" {...request} />
      {response !== undefined && <Message title="Response" {...response} />}
      {failure !== undefined && (
        <p>
          No response ({failure.kind}): {failure.message}
        </p>
      )}
    </details>
  );
}

interface MessageProps {
  title: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

function Message({ title, headers, body = '' }: MessageProps) {
  return (
    <>
      <h4>{title}</h4>
      <Headers headers={headers} />
      {body === '' ? <p class="muted">No body.</p> : <BodyView text={body} name={`${title.toLowerCase()}.txt`} />}
    </>
  );
}

// A body that the suite cut says so at its end.
const isCut = (body = '') => /… \(truncated, [\d,]+ of [\d,]+ characters\)$/.test(body);

/** Only for requests that fit completely into the form. Try sends them to this mock, not to the report's server. */
function TryButton({ exchange: { operation, request } }: { exchange: Exchange }) {
  // A proxy has no Try.
  if (server !== 'mock' || operation === undefined || isCut(request.body)) return null;
  const { url, body } = request;
  return (
    <button type="button" onClick={() => openInTry(operation, body === undefined ? { url } : { url, body })}>
      Open in Try
    </button>
  );
}
