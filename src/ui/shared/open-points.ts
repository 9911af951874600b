import { signal } from '@preact/signals';
import type { ShownOpenPoint } from '../../app/admin-api/shown-open-point.ts';
import { readControl } from './control.ts';

/** By id; empty until they are loaded. */
export const openPoints = signal<ReadonlyMap<string, ShownOpenPoint>>(new Map());

/** Loads the meanings of the open points, and the choices in use, for one organization or for all. */
export async function loadOpenPoints(organization?: string): Promise<void> {
  const points = await readControl<ShownOpenPoint[]>(`/open-points${scopeOf(organization)}`);
  openPoints.value = new Map(points.map((point) => [point.id, point]));
}

/** The query that limits a call of the admin API to one organization; nothing for all. */
export function scopeOf(organization: string | undefined): string {
  return organization === undefined ? '' : `?organization=${encodeURIComponent(organization)}`;
}
