/** Runs out when the upstream keeps silent for too long. */
export interface Patience {
  /** Something came, or went. */
  renew(): void;
  end(): void;
}

/** Calls `onOver` once when `timeoutMs` pass without a sign of life. While `isExcused` says so, it is not the upstream that is waited for. */
export function createPatience(timeoutMs: number, isExcused: () => boolean, onOver: () => void): Patience {
  const timer = setTimeout(() => {
    if (isExcused()) timer.refresh();
    else onOver();
  }, timeoutMs);
  return { renew: () => void timer.refresh(), end: () => clearTimeout(timer) };
}
