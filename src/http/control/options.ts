/** How the control plane is offered. */
export interface ControlOptions {
  /** Demanded of every request when there is one. */
  token?: string | undefined;
  /** The version of the package. */
  version: string;
}
