/** How much is measured. Every count bounds the time as well. */
export interface Settings {
  warmUpSeconds: number;
  loadSeconds: number;
  startRounds: number;
  /** Requests to each of the two mocks. */
  pageRequests: number;
  treeDeletions: number;
  /** How often sandboxes are opened. */
  sandboxRounds: number;
}

export const fullRun: Settings = {
  warmUpSeconds: 3,
  loadSeconds: 5,
  startRounds: 5,
  pageRequests: 2000,
  treeDeletions: 240,
  sandboxRounds: 3,
};

export const quickRun: Settings = {
  warmUpSeconds: 1,
  loadSeconds: 2,
  startRounds: 2,
  pageRequests: 1000,
  treeDeletions: 120,
  sandboxRounds: 1,
};

/** A run that takes longer than this has gone wrong. */
export const longestRunMs = 10 * 60_000;
/** The same for the searches of `vary`. */
export const longestSearchesMs = 30 * 60_000;
