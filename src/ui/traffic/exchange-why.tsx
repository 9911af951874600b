import { server } from '../shared/control.ts';
import { OpenPointList } from '../shared/open-point-list.tsx';
import { Facts, Links } from '../shared/parts.tsx';
import { readProblem } from '../shared/problem.ts';
import { ProblemReason } from '../shared/problem-reason.tsx';
import { nameOfSandbox } from '../shared/sandboxes.ts';
import { linkTo } from '../shared/url-state.ts';
import { plural } from '../shared/words.ts';
import { basePath, operations, useContract } from '../try/contract.ts';
import { forcedBy } from './filter.ts';
import { sideOf, type TrafficEntry } from './judgement.ts';
import { nearestOperation } from './nearest-operation.ts';

/** What explains an exchange: operation, sandbox, error, faults, open points. */
export function Why({ entry }: { entry: TrafficEntry }) {
  const { operationId, organizationId, faults = [], openPoints = [], answer, violations } = entry;
  const forced = forcedBy(entry);
  const problem = answer.status < 400 || forced !== undefined ? undefined : readProblem(answer.body);
  return (
    <>
      <Facts
        of={{
          Operation: operationId ?? <NoOperation request={entry.request} />,
          Sandbox: violations === undefined && sandboxOf(entry),
          Faults: faults.length > 0 && <Links view="faults" ids={faults} />,
        }}
      />
      {violations !== undefined && <Judgement entry={entry} />}
      {forced !== undefined && (
        <p class="notice">
          Forced by the request: Prefer: {forced}. The {server} did not evaluate the request.
        </p>
      )}
      {answer.status === 0 && <p>The connection ended without a response.</p>}
      {problem !== undefined && <ProblemReason problem={problem} />}
      {openPoints.length > 0 && (
        <details>
          <summary>{plural(openPoints.length, 'open point')} shaped the response</summary>
          <OpenPointList ids={openPoints} organization={organizationId} />
        </details>
      )}
    </>
  );
}

/** Who broke the contract, which rule, and what was not judged. */
function Judgement({ entry }: { entry: TrafficEntry }) {
  const { violations = [], notJudged = [], failure, upstreamStatus, answer } = entry;
  const { status } = answer;
  const bySide = Map.groupBy(violations, sideOf);
  return (
    <>
      {failure !== undefined && <p class="notice">{failure.detail}</p>}
      {upstreamStatus !== undefined && upstreamStatus !== status && (
        <p>
          The server returned {upstreamStatus}; the client got {status === 0 ? 'no response' : status}.
        </p>
      )}
      {(['client', 'server', undefined] as const).map((side) => {
        const title = side === undefined ? 'Relies on open points' : `The ${side} broke the contract`;
        const own = (bySide.get(side) ?? []).map(({ location, message, severity, code }) => ({
          ...{ place: location.join('.'), message, rule: `${severity.toLowerCase()}, rule ${code}` },
        }));
        if (own.length === 0) return null;
        const problem = { title, detail: '', violations: own };
        return <ProblemReason key={title} problem={problem} isHarmless={side === undefined} />;
      })}
      {violations.length === 0 && notJudged.length === 0 && <p>No violations.</p>}
      {notJudged.length > 0 && <p class="muted">Not checked, or only in part: {notJudged.join('; ')}.</p>}
    </>
  );
}

function sandboxOf({ organizationId: id, operationId }: TrafficEntry): string {
  if (id !== undefined) return nameOfSandbox(id);
  return `none: ${operationId === undefined ? 'no operation, so the key was not checked' : 'the request has no valid key'}`;
}

/** Says that a request matched no operation, and which one it may have meant. */
function NoOperation({ request: { method, url } }: Pick<TrafficEntry, 'request'>) {
  useContract(server === 'mock');
  // It has no Try to link to.
  if (server === 'proxy') return 'none: there is no operation for this method and path';
  const isBelow = url.startsWith(`${basePath.value}/`);
  const path = isBelow ? url.slice(basePath.value.length) : url;
  const nearest = nearestOperation(operations.value, method, path);
  return (
    <>
      none: the mock has no operation for this method and path
      {nearest !== undefined && (
        <>
          . Nearest:{' '}
          <a href={linkTo('try', nearest.operationId)}>
            {nearest.method} {isBelow ? '' : basePath.value}
            {nearest.path}
          </a>
        </>
      )}
    </>
  );
}
