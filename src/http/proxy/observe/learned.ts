import type { Choice } from '../../../../openapi/contract/open-points.ts';
import type { OpenPointId, Profile } from '../../../../openapi/contract/profile.ts';

/** What one exchange shows of an open point: a choice, or what is none that could be listed. */
export type Sighting = Choice | { other: string };

/** What was seen of one open point in one way. */
export interface Evidence {
  sighting: Sighting;
  count: number;
  /** The first request that showed it. */
  first: string;
}

/** What the traffic showed of the open points. */
export interface Learned {
  /** What a mock can play. */
  observed: Partial<Profile>;
  /** For each choice in `observed`, how often it was seen, and where first. */
  evidence: Partial<Record<OpenPointId, { count: number; first: string }>>;
  /** Sightings that do not go together, or that are none of the choices. */
  unclear: Partial<Record<OpenPointId, readonly Evidence[]>>;
}
