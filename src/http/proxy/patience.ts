/** Runs out when the upstream keeps silent for too long. */
export interface Patience {
  /** Something came, or went. */
  renew(): void;
  end(): void;
}

/** Calls `onOver` when `timeoutMs` pass without a sign of life, unless `isExcused` says that it is not waited for. */
export function createPatience(timeoutMs: number, isExcused: () => boolean, onOver: () => void): Patience {
  let isOver = false;
  let isRenewed = false;
  // What has come while this process was busy is heard first.
  const timer = setTimeout(() => {
    isRenewed = false;
    setImmediate(() => {
      if (isOver) return;
      if (isRenewed || isExcused()) timer.refresh();
      else onOver();
    });
  }, timeoutMs);
  return {
    // A timer that is refreshed runs again, also after it was cleared.
    renew: () => {
      isRenewed = true;
      if (!isOver) timer.refresh();
    },
    end: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
