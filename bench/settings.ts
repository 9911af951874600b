/** How much is measured. Every count bounds the time as well. */
export interface Settings {
  loadRounds: number;
  warmUpSeconds: number;
  loadSeconds: number;
  startRounds: number;
  /** Requests to each of the two mocks. */
  pageRequests: number;
  treeDeletions: number;
  /** After how many requests memory is compared with that after ten thousand. */
  growthRequests: number;
  /** How often sandboxes are opened, and a mock is made in a new process. */
  smallRounds: number;
}

export const fullRun: Settings = {
  loadRounds: 3,
  // The code of a server that does much is compiled for seconds: the proxy takes three times as long in the first three.
  warmUpSeconds: 10,
  loadSeconds: 6,
  startRounds: 7,
  pageRequests: 4000,
  treeDeletions: 240,
  growthRequests: 1_000_000,
  smallRounds: 7,
};

export const quickRun: Settings = {
  loadRounds: 2,
  warmUpSeconds: 2,
  loadSeconds: 3,
  startRounds: 3,
  pageRequests: 1000,
  treeDeletions: 120,
  growthRequests: 100_000,
  smallRounds: 3,
};

export const connections = 32;
/** A run that takes longer than this has gone wrong. */
export const longestRunMs = 25 * 60_000;
/** The same for the searches of `vary`. */
export const longestSearchesMs = 30 * 60_000;
