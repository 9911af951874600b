import type { Loudness } from '../../engine/draw-profile.ts';

/** How the control plane is offered. */
export interface ControlOptions {
  /** Demanded of every request when there is one. */
  token?: string | undefined;
  /** The version of the package. */
  version: string;
  /** Which open points were drawn at the start. */
  vary?: Loudness | undefined;
}
