import { useEffect } from 'preact/hooks';
import { controlState, server } from './control.ts';
import { loadOpenPoints, openPoints } from './open-points.ts';
import { sandboxes } from './sandboxes.ts';
import { linkTo } from './url-state.ts';

interface ListProps {
  ids: readonly string[];
  /** Whose choices are shown; undefined where nobody is known. */
  organization?: string | undefined;
}

/** The open points that shaped an answer, with what they mean. Without an admin API, the page of questions says it. */
export function OpenPointList({ ids, organization }: ListProps) {
  const isReady = controlState.value === 'ready';
  useEffect(() => {
    if (isReady) loadOpenPoints(organization).catch(() => undefined);
  }, [isReady, organization]);
  return (
    <ul class="points">
      {ids.map((id) => (
        <li key={id}>
          <OpenPointLine id={id} organization={organization} />
        </li>
      ))}
    </ul>
  );
}

function OpenPointLine({ id, organization }: { id: string; organization: string | undefined }) {
  const point = openPoints.value.get(id);
  return (
    <>
      <a href={addressOf(id, organization)}>{id}</a>
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

/** Where the open point can be changed, for the organization where it has choices of its own; else the question. */
function addressOf(id: string, organization: string | undefined): string {
  if (server === 'proxy' || controlState.value !== 'ready') return `/questions.html#${id}`;
  const own = sandboxes.value.find((sandbox) => sandbox.id === organization && sandbox.hasOwnProfile);
  return linkTo('points', id, own === undefined ? {} : { sandbox: own.id });
}
