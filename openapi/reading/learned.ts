import type { Sentence } from '../../lib/sentence.ts';
import type { OpenPointId, Profile } from '../contract/profile.ts';
import type { Choice } from '../points/open-point.ts';

/** What one exchange shows about an open point: a choice, a hint for the observer's `settle`, or something else. */
export type Sighting = Choice | { other: string };

/** The same before redaction: it quotes what came over the wire. */
export type Seen = Choice | { other: Sentence };

/** One sighting of an open point, and how often it occurred. */
export interface Evidence {
  sighting: Sighting;
  count: number;
  /** The first request that showed it. */
  first: string;
}

/** What the traffic showed about the open points. */
export interface Learned {
  /** The choices that a mock can use. */
  observed: Partial<Profile>;
  /** For each choice in `observed`, how often it was seen, and where first. */
  evidence: Partial<Record<OpenPointId, { count: number; first: string }>>;
  /** Sightings that contradict each other or match none of the choices. */
  unclear: Partial<Record<OpenPointId, readonly Evidence[]>>;
}
