import { useEffect } from 'preact/hooks';
import { controlState } from './control.ts';
import { loadOpenPoints, openPoints } from './open-points.ts';

interface ListProps {
  ids: readonly string[];
  /** Whose choices are shown; undefined where nobody is known. */
  organization?: string | undefined;
}

/** The open points that shaped an answer, with what they mean. Without a control plane, the page of questions says it. */
export function OpenPointList({ ids, organization }: ListProps) {
  const isReady = controlState.value === 'ready';
  useEffect(() => {
    if (isReady) loadOpenPoints(organization).catch(() => undefined);
  }, [isReady, organization]);
  return (
    <ul class="points">
      {ids.map((id) => (
        <li key={id}>
          <OpenPointLine id={id} />
        </li>
      ))}
    </ul>
  );
}

function OpenPointLine({ id }: { id: string }) {
  const point = openPoints.value.get(id);
  return (
    <>
      <a href={`/questions.html#${id}`}>{id}</a>
      {point !== undefined && (
        <>
          {' '}
          is now <code>{String(point.now)}</code>
          {point.isDefault ? '' : ' (not the default)'}: <span class="muted">{point.question}</span>
        </>
      )}
    </>
  );
}
