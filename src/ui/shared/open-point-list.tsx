import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ShownOpenPoint } from '../../app/admin-api/shown-open-point.ts';
import { controlState, readControl, scopeOf, server } from './control.ts';
import { sandboxes } from './sandboxes.ts';
import { linkTo } from './url-state.ts';

/** By id; empty until they are loaded. */
export const openPoints = signal<ReadonlyMap<string, ShownOpenPoint>>(new Map());

/** Loads the meanings of the open points, and the choices in use, for one organization or for all. */
export async function loadOpenPoints(organization?: string): Promise<void> {
  const points = await readControl<ShownOpenPoint[]>(`/open-points${scopeOf(organization)}`);
  openPoints.value = new Map(points.map((point) => [point.id, point]));
}

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
