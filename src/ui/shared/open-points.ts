import { signal } from '@preact/signals';
import { readControl } from './control.ts';

/** An open point as the control plane shows it. */
export interface ShownOpenPoint {
  id: string;
  open: string;
  loudness: 'quiet' | 'loud';
  now: unknown;
  isDefault: boolean;
  question: string;
}

/** By their ids; empty until they are loaded. */
export const openPoints = signal<ReadonlyMap<string, ShownOpenPoint>>(new Map());

/** Loads what the open points mean, and which choices are played, for one organization or for all. */
export async function loadOpenPoints(organization?: string): Promise<void> {
  const scope = organization === undefined ? '' : `?organization=${encodeURIComponent(organization)}`;
  const points = await readControl<ShownOpenPoint[]>(`/open-points${scope}`);
  openPoints.value = new Map(points.map((point) => [point.id, point]));
}
