/** The only source of time. Injected, so that the domain never reads the wall clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
}
