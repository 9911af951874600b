import { server } from '../shared/control.ts';
import { SetKey } from '../shared/copy-menu.tsx';
import { keyVariable } from '../shared/curl.ts';
import { Detail } from '../shared/detail.tsx';
import { MessageView } from '../shared/message.tsx';
import { Command, Facts, Prose, Status } from '../shared/parts.tsx';
import { linkTo } from '../shared/url-state.ts';
import { duration } from '../shared/words.ts';
import { openInTry } from '../try/draft.ts';
import type { Check, Exchange } from './formats.ts';
import { Outcome } from './report-parts.tsx';

/** One check in full: requirement, expected, actual, and the exchanges that prove it. */
export function CheckDetail({ check }: { check: Check }) {
  const { id, outcome, level, durationMs, reason, evidence, because, setting, obstacle } = check;
  const { expected, actual, smallest, curl, exchanges = [] } = evidence ?? {};
  return (
    <Detail label={id} title={<code>{id}</code>}>
      <p class="row">
        <Outcome outcome={outcome} />
        <span>{level === 'must' ? 'must: the specification states it' : 'should: it follows from the text'}</span>
        <span class="muted">{duration(durationMs)}</span>
      </p>
      <Facts
        facts={[
          ['Requirement', <Requirement key="required" check={check} />],
          ['Expected', expected],
          ['Actual', actual],
          ['Smallest input', smallest && <code>{smallest}</code>],
          // The reason for a failure usually repeats both.
          ['Reason', actual !== undefined && reason.includes(actual) ? '' : reason],
          ['Enabled by', setting && <code>{setting}</code>],
          ['Obstacle', obstacle],
          ['Because of', because && <a href={linkTo('reports', because)}>{because}</a>],
          ['Expected failure', check.expectedFailure],
          ['Was expected', check.noLongerExpected],
        ]}
      />
      {curl !== undefined && (
        <>
          <h4>Reproduce</h4>
          <Command text={curl} what="curl" />
          {curl.includes(keyVariable) && <SetKey />}
        </>
      )}
      {exchanges.length > 0 && (
        <h4>{exchanges.length === 1 ? 'Exchange' : `${exchanges.length} exchanges, the deciding one last`}</h4>
      )}
      {exchanges.map((exchange, at) => (
        <ExchangeView key={at} exchange={exchange} isOpen={at === exchanges.length - 1} />
      ))}
    </Detail>
  );
}

/** The requirements of a check: all ids; the sentences only if it failed or warned. */
function Requirement({ check: { requirements, required = [] } }: { check: Check }) {
  const count = Math.max(requirements.length, required.length);
  return (
    <>
      {Array.from({ length: count }, (_, at) => {
        const { text = '', sections = [], pointers = [] } = required[at] ?? {};
        const places = [...sections.map((section) => `section ${section}`), ...pointers];
        return (
          <div key={at}>
            <code>{requirements[at]}</code>
            {text !== '' && (
              <p>
                <Prose text={text} /> <span class="muted">({places.join(', ')})</span>
              </p>
            )}
          </div>
        );
      })}
    </>
  );
}

// A body that the suite cut says so at its end.
const isCut = (body = '') => /… \(truncated, [\d,]+ of [\d,]+ characters\)$/.test(body);

function ExchangeView({ exchange, isOpen }: { exchange: Exchange; isOpen: boolean }) {
  const { request, response, failure, requestId, durationMs, operation } = exchange;
  const { method, url, body } = request;
  // Only requests that fit completely into the form; a proxy has no Try.
  const canTry = server === 'mock' && operation !== undefined && !isCut(body);
  return (
    <details class="exchange" open={isOpen}>
      <summary>
        <Status status={response?.status ?? 0} /> <code>{`${method} ${url}`}</code>
      </summary>
      <div class="row">
        {canTry && (
          <button type="button" onClick={() => openInTry(operation, body === undefined ? { url } : { url, body })}>
            Open in Try
          </button>
        )}
        <span class="muted">
          {duration(durationMs)}
          {requestId !== undefined && `, request id ${requestId}`}
        </span>
      </div>
      <MessageView title="Request" {...request} name="request.txt" />
      {response !== undefined && <MessageView title="Response" {...response} name="response.txt" />}
      {failure !== undefined && <p>{`No response (${failure.kind}): ${failure.message}`}</p>}
    </details>
  );
}
