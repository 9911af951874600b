import { type Side, sideOf, type TrafficEntry, type Violation } from './judgement.ts';

/** Who broke the contract, which rule, and what was not judged. */
export function JudgementView({ entry }: { entry: TrafficEntry }) {
  const { violations = [], notJudged = [], failure, upstreamStatus, answer } = entry;
  const { status } = answer;
  return (
    <>
      {failure !== undefined && <p class="notice">{failure.detail}</p>}
      {upstreamStatus !== undefined && upstreamStatus !== status && (
        <p>
          The server returned {upstreamStatus}; the client got {status === 0 ? 'no response' : status}.
        </p>
      )}
      <Broken side="client" violations={violations} />
      <Broken side="server" violations={violations} />
      <Broken side={undefined} violations={violations} />
      {violations.length === 0 && notJudged.length === 0 && <p>No violations.</p>}
      {notJudged.length > 0 && <p class="muted">Not checked, or only in part: {notJudged.join('; ')}.</p>}
    </>
  );
}

function Broken({ side, violations }: { side: Side | undefined; violations: readonly Violation[] }) {
  const own = violations.filter((violation) => sideOf(violation) === side);
  if (own.length === 0) return null;
  return (
    <div class={side === undefined ? '' : 'notice'}>
      <strong>{side === undefined ? 'Relies on open points' : `The ${side} broke the contract`}</strong>
      <ul class="points">
        {own.map(({ location, message, code, severity }) => (
          <li key={location.join('.') + code + message}>
            <code>{location.join('.')}</code> {message}{' '}
            <span class="muted">
              ({severity.toLowerCase()}, rule {code})
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
