import { useEffect } from 'preact/hooks';
import { server } from '../shared/control.ts';
import { OpenPointList } from '../shared/open-point-list.tsx';
import { readProblem } from '../shared/problem.ts';
import { ProblemReason } from '../shared/problem-reason.tsx';
import { nameOfSandbox } from '../shared/sandboxes.ts';
import { linkTo } from '../shared/url-state.ts';
import { applied, basePath, loadContract, operations } from '../try/contract.ts';
import { forcedBy } from './forced.ts';
import type { TrafficEntry } from './judgement.ts';
import { JudgementView } from './judgement-view.tsx';
import { nearestOperation } from './nearest-operation.ts';

/** What explains an exchange: operation, sandbox, error, faults, open points. */
export function Why({ entry }: { entry: TrafficEntry }) {
  const { operationId, organizationId, faults = [], openPoints = [], answer, judgement } = entry;
  const forced = forcedBy(entry);
  const problem = answer.status < 400 || forced !== undefined ? undefined : readProblem(answer.body);
  return (
    <>
      <h4>Why</h4>
      <dl class="facts">
        <dt>Operation</dt>
        <dd>{operationId ?? <NoOperation request={entry.request} />}</dd>
        {judgement === undefined && <Sandbox entry={entry} />}
        <Faults ids={faults} />
      </dl>
      {judgement !== undefined && <JudgementView judgement={judgement} status={answer.status} />}
      {forced !== undefined && (
        <p class="notice">
          Forced by the request: Prefer: {forced}. The {server} did not evaluate the request.
        </p>
      )}
      {answer.status === 0 && <p>The connection ended without a response.</p>}
      {problem !== undefined && <ProblemReason problem={problem} />}
      {openPoints.length > 0 && (
        <details>
          <summary>
            {openPoints.length === 1 ? '1 open point' : `${openPoints.length} open points`} shaped the response
          </summary>
          <OpenPointList ids={openPoints} organization={organizationId} />
        </details>
      )}
    </>
  );
}

function Faults({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <>
      <dt>Faults</dt>
      <dd class="row">
        {ids.map((id) => (
          <a key={id} href={linkTo('faults', id)}>
            {id}
          </a>
        ))}
      </dd>
    </>
  );
}

function Sandbox({ entry: { organizationId: id, operationId } }: { entry: TrafficEntry }) {
  const none = operationId === undefined ? 'no operation, so the key was not checked' : 'the request has no valid key';
  return (
    <>
      <dt>Sandbox</dt>
      <dd>{id === undefined ? `none: ${none}` : nameOfSandbox(id)}</dd>
    </>
  );
}

function NoOperation({ request }: Pick<TrafficEntry, 'request'>) {
  // A proxy has no Try to link to.
  return server === 'mock' ? <Nearest request={request} /> : 'none: there is no operation for this method and path';
}

/** Says that a request matched no operation, and which one it may have meant. */
function Nearest({ request: { method, url } }: Pick<TrafficEntry, 'request'>) {
  useEffect(() => {
    if (applied.value === undefined) void loadContract('');
  }, []);
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
