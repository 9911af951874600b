import { useEffect } from 'preact/hooks';
import type { JournalEntry } from '../../workbench/journal/entry.ts';
import { OpenPointList } from '../shared/open-point-list.tsx';
import { readProblem } from '../shared/problem.ts';
import { ProblemReason } from '../shared/problem-reason.tsx';
import { linkTo } from '../shared/url-state.ts';
import { nameOfWorld } from '../shared/worlds.ts';
import { basePath, loadContract, operations, played } from '../try/contract.ts';
import { nearestOperation } from './nearest-operation.ts';

/** Why an exchange went as it did: operation, world, refusal, faults, open points. */
export function Why({ entry }: { entry: JournalEntry }) {
  const { operationId, organizationId, faults = [], openPoints = [], answer } = entry;
  const problem = answer.status < 400 ? undefined : readProblem(answer.body);
  return (
    <>
      <h4>Why</h4>
      <dl class="facts">
        <dt>Operation</dt>
        <dd>{operationId ?? <NoOperation request={entry.request} />}</dd>
        <dt>World</dt>
        <dd>{organizationId === undefined ? 'none: the request has no valid key' : nameOfWorld(organizationId)}</dd>
        {faults.length > 0 && (
          <>
            <dt>Faults</dt>
            <dd>{faults.join(', ')}</dd>
          </>
        )}
      </dl>
      {answer.status === 0 && <p>The connection ended without an answer.</p>}
      {problem !== undefined && <ProblemReason problem={problem} />}
      {openPoints.length > 0 && (
        <details>
          <summary>
            {openPoints.length === 1 ? '1 open point' : `${openPoints.length} open points`} shaped the answer
          </summary>
          <OpenPointList ids={openPoints} organization={organizationId} />
        </details>
      )}
    </>
  );
}

/** Says that a request was for no operation, and which one it may have meant. */
function NoOperation({ request: { method, url } }: Pick<JournalEntry, 'request'>) {
  useEffect(() => {
    if (played.value === undefined) void loadContract('');
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
