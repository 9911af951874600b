import { useEffect } from 'preact/hooks';
import { controlState, server } from './control.ts';
import { loadOpenPoints, openPoints } from './open-points.ts';
import { sandboxes } from './sandboxes.ts';
import { linkTo } from './url-state.ts';

interface ListProps {
  ids: readonly string[];
  /** Whose choices are shown; undefined if unknown. */
  organization?: string | undefined;
}

/** The open points that shaped a response; with an admin API, also what they mean, and where to change them. */
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
  if (server === 'proxy' || controlState.value !== 'ready') return <code>{id}</code>;
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

/** Where the open point can be changed; for the organization, if it has its own profile. */
function addressOf(id: string, organization: string | undefined): string {
  const own = sandboxes.value.find((sandbox) => sandbox.id === organization && sandbox.hasOwnProfile);
  return linkTo('points', id, own === undefined ? {} : { sandbox: own.id });
}
