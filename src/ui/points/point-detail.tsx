import type { ShownOpenPoint } from '../../workbench/admin-api/shown-open-point.ts';
import { Prose } from '../shared/prose.tsx';
import { linkTo } from '../shared/url-state.ts';
import { operations } from '../try/contract.ts';
import { ChoiceSwitch } from './choice-switch.tsx';
import { sectionsOf, titleOf } from './choices.ts';

interface DetailProps {
  point: ShownOpenPoint;
  /** All open points. */
  points: readonly ShownOpenPoint[];
}

/** One open point in full: its choices, what is unspecified, and where that shows. */
export function PointDetail({ point, points }: DetailProps) {
  const { id, open, cost, question } = point;
  const title = titleOf(point);
  return (
    <section class="detail point" aria-label={id}>
      <p>
        <a href={linkTo('points')}>Close</a>
      </p>
      <h3 class="call">
        <Prose text={title} />
      </h3>
      <p class="row">
        <code>{id}</code>
        <Impact {...point} />
        {!point.isDefault && <span class="tag warn">not the default</span>}
      </p>
      <ChoiceSwitch point={point} points={points} />
      <h4>What is open</h4>
      {open !== title && (
        <p>
          <Prose text={open} />
        </p>
      )}
      {question !== title && <p class="muted">{question}</p>}
      <h4>What a wrong guess costs</h4>
      <p>
        <Prose text={cost} />
      </p>
      <Facts point={point} />
    </section>
  );
}

function Impact({ impact }: Pick<ShownOpenPoint, 'impact'>) {
  return (
    <span class="muted">
      <strong>{impact}</strong>
      {impact === 'hidden' ? ': a correct client never notices the choice' : ': a client may notice the choice'}
    </span>
  );
}

function Facts({ point }: { point: ShownOpenPoint }) {
  const { id } = point;
  return (
    <>
      <dl class="facts">
        <dt>Left open by</dt>
        <dd>{sectionsOf(point).join(', ')} of the specification</dd>
        <dt>Operations</dt>
        <dd>
          <Operations ids={point.operations} />
        </dd>
      </dl>
      <p class="row">
        <a href={linkTo('traffic', '', { filter: `point:${id}` })}>Show the requests it affected in Traffic</a>
      </p>
    </>
  );
}

function Operations({ ids }: { ids: readonly string[] }) {
  if (ids.length > 1 && ids.length === operations.value.length) return <>all</>;
  return (
    <>
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={linkTo('try', id)}>{id}</a>
        </span>
      ))}
    </>
  );
}
