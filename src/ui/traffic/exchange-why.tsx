import { OpenPointList } from '../shared/open-point-list.tsx';
import { readProblem } from '../shared/problem.ts';
import { ProblemReason } from '../shared/problem-reason.tsx';
import { nameOfWorld } from '../shared/worlds.ts';
import type { TrafficEntry } from './judgement.ts';
import { JudgementView } from './judgement-view.tsx';

/** Why an exchange went as it did: operation, world, refusal, faults, open points. */
export function Why({ entry }: { entry: TrafficEntry }) {
  const { operationId, organizationId, faults = [], openPoints = [], answer, judgement } = entry;
  const problem = answer.status < 400 ? undefined : readProblem(answer.body);
  return (
    <>
      <h4>Why</h4>
      <dl class="facts">
        <dt>Operation</dt>
        <dd>{operationId ?? 'none: there is no operation for this method and path'}</dd>
        {judgement === undefined && <World id={organizationId} />}
        {faults.length > 0 && (
          <>
            <dt>Faults</dt>
            <dd>{faults.join(', ')}</dd>
          </>
        )}
      </dl>
      {judgement !== undefined && <JudgementView judgement={judgement} status={answer.status} />}
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

function World({ id }: { id: string | undefined }) {
  return (
    <>
      <dt>World</dt>
      <dd>{id === undefined ? 'none: the request has no valid key' : nameOfWorld(id)}</dd>
    </>
  );
}
