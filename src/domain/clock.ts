/** The only source of time. It is injected: the domain never reads the wall clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
}
