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
import type { TrafficEntry } from './judgement.ts';
import { JudgementView } from './judgement-view.tsx';
import { nearestOperation } from './nearest-operation.ts';

/** What explains an exchange: operation, sandbox, error, faults, open points. */
export function Why({ entry }: { entry: TrafficEntry }) {
  const { operationId, organizationId, faults = [], openPoints = [], answer, violations } = entry;
  const forced = forcedBy(entry);
  const problem = answer.status < 400 || forced !== undefined ? undefined : readProblem(answer.body);
  return (
    <>
      <Facts
        facts={[
          ['Operation', operationId ?? <NoOperation request={entry.request} />],
          ['Sandbox', violations === undefined && sandboxOf(entry)],
          ['Faults', faults.length > 0 && <Links view="faults" ids={faults} />],
        ]}
      />
      {violations !== undefined && <JudgementView entry={entry} />}
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

function sandboxOf({ organizationId: id, operationId }: TrafficEntry): string {
  if (id !== undefined) return nameOfSandbox(id);
  return `none: ${operationId === undefined ? 'no operation, so the key was not checked' : 'the request has no valid key'}`;
}

function NoOperation({ request }: Pick<TrafficEntry, 'request'>) {
  // A proxy has no Try to link to.
  return server === 'mock' ? <Nearest request={request} /> : 'none: there is no operation for this method and path';
}

/** Says that a request matched no operation, and which one it may have meant. */
function Nearest({ request: { method, url } }: Pick<TrafficEntry, 'request'>) {
  useContract();
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
