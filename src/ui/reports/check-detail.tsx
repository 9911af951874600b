import type { FindingWords } from '../../../lib/report-words.ts';
import { Button } from '../shared/button.tsx';
import { SetKey } from '../shared/copy-menu.tsx';
import { keyVariable } from '../shared/curl.ts';
import { MessageView } from '../shared/message.tsx';
import { Command, Facts, Prose, Status } from '../shared/parts.tsx';
import { linkTo } from '../shared/url-state.ts';
import { duration } from '../shared/words.ts';
import type { Check, Exchange } from './formats.ts';
import { Outcome, othersLike } from './report-parts.tsx';

export type Try = (operation: string, request: { url: string; body?: string }) => void;

interface CheckProps {
  check: Check;
  /** What the suite says about findings, by check. */
  findings: ReadonlyMap<string, FindingWords>;
  onTry?: Try | undefined;
}

/** One check: requirement, expected, actual, and the exchanges that prove it. */
export function CheckFacts({ check, findings, onTry }: CheckProps) {
  const { id, outcome, level, durationMs, reason, evidence, because, setting, obstacle } = check;
  const { expected, actual, smallest, curl, exchanges = [], sentBy = [] } = evidence ?? {};
  const { found, ifMeant } = findings.get(id) ?? {};
  // The reason for a failure usually repeats both.
  const why = actual !== undefined && reason.includes(actual) ? '' : reason;
  return (
    <>
      <p class="row">
        <Outcome outcome={outcome} />
        <span>{level === 'must' ? 'must: the specification states it' : 'should: it follows from the text'}</span>
        <span class="muted">{duration(durationMs)}</span>
      </p>
      <Facts
        of={{
          Requirement: <Requirement check={check} />,
          Expected: expected,
          Actual: actual && <strong>{actual}</strong>,
          'Smallest input': smallest && <code>{smallest}</code>,
          Reason: findings.has(id) ? found : why,
          'Intended?': ifMeant,
          'Enabled by': setting && <code>{setting}</code>,
          Obstacle: obstacle,
          'Because of': because && <a href={linkTo('reports', because)}>{because}</a>,
          'Expected failure': check.expectedFailure,
          'Was expected': check.noLongerExpected,
          'Run only this': (
            <code>{[id, ...sentBy.filter((one) => one !== id)].map((one) => `--only ${one}`).join(' ')}</code>
          ),
        }}
      />
      <Alike id={id} findings={findings} />
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
        <ExchangeView key={at} exchange={exchange} isOpen={at === exchanges.length - 1} onTry={onTry} />
      ))}
    </>
  );
}

/** The other findings with the same cause. */
function Alike({ id, findings }: { id: string; findings: CheckProps['findings'] }) {
  const { alike } = findings.get(id) ?? {};
  if (alike === undefined) return null;
  return (
    <details>
      <summary>{alike}</summary>
      <ul class="names">
        {othersLike(id, findings).map(({ check }) => (
          <li key={check}>
            <a href={linkTo('reports', check)}>{check}</a>
          </li>
        ))}
      </ul>
    </details>
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

// A body that the suite cut says so at its end, and does not fit into a form.
const isCut = (body = '') => /… \(truncated, [\d,]+ of [\d,]+ characters\)$/.test(body);

interface ExchangeProps {
  exchange: Exchange;
  isOpen: boolean;
  onTry?: Try | undefined;
}

function ExchangeView({ exchange, isOpen, onTry }: ExchangeProps) {
  const { request, response, failure, requestId, durationMs, operation } = exchange;
  const { method, url, body } = request;
  return (
    <details class="exchange" open={isOpen}>
      <summary>
        <Status status={response?.status ?? 0} /> <code>{`${method} ${url}`}</code>
      </summary>
      <div class="row">
        {onTry !== undefined && operation !== undefined && !isCut(body) && (
          <Button label="Open in Try" onClick={() => onTry(operation, body === undefined ? { url } : { url, body })} />
        )}
        <span class="muted">
          {duration(durationMs)}
          {requestId !== undefined && `, request id ${requestId}`}
        </span>
      </div>
      <MessageView title="Request" {...request} name="request.txt" areHeadersOpen />
      {response !== undefined && <MessageView title="Response" {...response} name="response.txt" />}
      {failure !== undefined && <p>{`No response (${failure.kind}): ${failure.message}`}</p>}
    </details>
  );
}
