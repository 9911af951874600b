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
  const isKnown = isReady && server === 'mock';
  // They are changed for the organization, if it has its own profile.
  const own = sandboxes.value.find(({ id, hasOwnProfile }) => id === organization && hasOwnProfile);
  const scope = own === undefined ? {} : { sandbox: own.id };
  return (
    <ul class="points">
      {ids.map((id) => (
        <li key={id}>
          {isKnown ? <a href={linkTo('points', id, scope)}>{id}</a> : <code>{id}</code>}
          {isKnown && <Meaning of={openPoints.value.get(id)} />}
        </li>
      ))}
    </ul>
  );
}

function Meaning({ of: point }: { of: ShownOpenPoint | undefined }) {
  if (point === undefined) return null;
  return (
    <>
      {' '}
      is now <code>{String(point.now)}</code>
      {point.isDefault ? '' : ' (not the default)'}: <span class="muted">{point.question}</span>
    </>
  );
}
